/** Stripe: docs.stripe.com, "Verify webhook signatures manually". */
import { hmac } from '../scheme.ts';

export const stripe = hmac(
  { signature: 'stripe-signature', prefix: 'v1=', separator: ',', timeField: 't', signed: '{time}.{body}' },
  {
    where: 'Workbench, Webhooks, your endpoint: Signing secret (whsec_…)',
    idMember: 'id',
    forms: {
      invoice:
        'Stripe: {{type}} for {{data.object.customer_email}}, {{data.object.amount_due}} {{data.object.currency}} in its smallest unit: {{data.object.hosted_invoice_url}}',
      charge:
        'Stripe: {{type}} of {{data.object.amount}} {{data.object.currency}} in its smallest unit, {{data.object.failure_message}} {{data.object.receipt_url}}',
      'charge.refunded':
        'Stripe: {{data.object.amount_refunded}} of {{data.object.amount}} {{data.object.currency}} in its smallest unit are refunded: {{data.object.receipt_url}}',
      payment_intent: 'Stripe: {{type}} of {{data.object.amount}} {{data.object.currency}} in its smallest unit',
      '': 'Stripe: {{type}} {{data.object.id}}',
    },
  },
);

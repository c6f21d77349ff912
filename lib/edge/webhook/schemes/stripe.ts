/** Stripe: docs.stripe.com, "Verify webhook signatures manually". */
import { hmac } from '../scheme.ts';

export const stripe = hmac(
  { signature: 'stripe-signature', prefix: 'v1=', separator: ',', timeField: 't', signed: '{time}.{body}' },
  { where: 'Workbench, Webhooks, your endpoint: Signing secret (whsec_…)', idMember: 'id' },
);

/** Shopify: shopify.dev, "Verify webhook deliveries". */
import { hmac } from '../scheme.ts';

export const shopify = hmac(
  { signature: 'x-shopify-hmac-sha256', encoding: 'base64', id: 'x-shopify-webhook-id' },
  {
    where: "Settings, Notifications, Webhooks: the line under the list; or your app's client secret",
    forms: {
      'orders/create': 'Order {{name}} of {{email}}: {{total_price}} {{currency}}',
      'orders/paid': 'Order {{name}} of {{email}} is paid: {{total_price}} {{currency}}',
      'orders/cancelled': 'Order {{name}} of {{email}} is cancelled: {{cancel_reason}}',
    },
    nameEvent: (headers) => headers['x-shopify-topic'],
  },
);

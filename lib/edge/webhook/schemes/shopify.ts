/** Shopify: shopify.dev, "Verify webhook deliveries". */
import { hmac } from '../scheme.ts';

export const shopify = hmac(
  { signature: 'x-shopify-hmac-sha256', encoding: 'base64', id: 'x-shopify-webhook-id' },
  {
    where: "Settings, Notifications, Webhooks: the line under the list; or your app's client secret",
    nameEvent: (headers) => headers['x-shopify-topic'],
  },
);

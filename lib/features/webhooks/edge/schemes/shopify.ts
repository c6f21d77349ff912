/**
 * Shopify: shopify.dev, "Verify webhook deliveries", and the samples of "Webhook topics". A body
 * names its resource, and whether an order is paid, fulfilled or cancelled; whether it was made or
 * changed the header alone says. A deletion says no more than a number, so it is unnamed.
 */
import { hmac } from '../scheme.ts';

const RESOURCES: Readonly<Record<string, string>> = {
  collections: 'Collection',
  customers: 'Customer',
  draft_orders: 'DraftOrder',
  fulfillments: 'Fulfillment',
  inventory_items: 'InventoryItem',
  inventory_levels: 'InventoryLevel',
  locations: 'Location',
  order_transactions: 'OrderTransaction',
  orders: 'Order',
  products: 'Product',
  refunds: 'Refund',
};
const CHANGES: Readonly<Record<string, string>> = {
  create: '',
  update: '',
  updated: '',
  cancelled: ' cancelled_at',
  fulfilled: ' fulfillment_status=fulfilled',
  paid: ' financial_status=paid',
  partially_fulfilled: ' fulfillment_status=partial',
};

export const shopify = hmac(
  { signature: 'x-shopify-hmac-sha256', encoding: 'base64' },
  {
    where: "Settings, Notifications, Webhooks: the line under the list; or your app's client secret",
    isUnique: true,
    forms: {
      'orders/create': 'Order {{name}} of {{email}}: {{total_price}} {{currency}}',
      'orders/paid': 'Order {{name}} of {{email}} is paid: {{total_price}} {{currency}}',
      'orders/cancelled': 'Order {{name}} of {{email}} is cancelled: {{cancel_reason}}',
    },
    eventHeader: 'x-shopify-topic',
    words: Object.fromEntries(
      Object.entries(RESOURCES).flatMap(([resource, type]) =>
        Object.entries(CHANGES).map(([change, words]) => [
          `${resource}/${change}`,
          `admin_graphql_api_id=gid://shopify/${type}/*${words}`,
        ]),
      ),
    ),
  },
);

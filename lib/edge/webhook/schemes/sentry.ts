/** Sentry: docs.sentry.io, "Webhooks" of an integration. */
import { hmac, named } from '../scheme.ts';

export const sentry = hmac(
  { signature: 'sentry-hook-signature', id: 'request-id' },
  {
    where: 'Settings, Custom Integrations, your integration: Client Secret',
    nameEvent: (headers, body) => named(headers['sentry-hook-resource'], body.action),
  },
);

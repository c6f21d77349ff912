/** GitHub: docs.github.com, "Validating webhook deliveries". */
import { hmac, named } from '../scheme.ts';

export const github = hmac(
  { signature: 'x-hub-signature-256', prefix: 'sha256=', id: 'x-github-delivery' },
  {
    where: 'repository or organisation, Settings, Webhooks, Add webhook: Secret (Content type: application/json)',
    nameEvent: (headers, body) => named(headers['x-github-event'], body.action),
  },
);

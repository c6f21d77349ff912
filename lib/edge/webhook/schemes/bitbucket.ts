/** Bitbucket Cloud: support.atlassian.com, "Manage webhooks". */
import { hmac } from '../scheme.ts';

export const bitbucket = hmac(
  { signature: 'x-hub-signature', prefix: 'sha256=', id: 'x-request-uuid' },
  {
    where: 'repository, Repository settings, Webhooks, Add webhook: Secret',
    nameEvent: (headers) => headers['x-event-key'],
  },
);

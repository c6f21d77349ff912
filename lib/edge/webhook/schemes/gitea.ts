/** Gitea, and Forgejo, which sends the same headers: docs.gitea.com, "Webhooks". */
import { hmac, named } from '../scheme.ts';

export const gitea = hmac(
  { signature: 'x-gitea-signature', id: 'x-gitea-delivery' },
  {
    where: 'repository, Settings, Webhooks, Add webhook: Secret',
    nameEvent: (headers, body) => named(headers['x-gitea-event'], body.action),
  },
);

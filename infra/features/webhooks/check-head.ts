/** The look of this machine's stack at the head of a post to a webhook, as its function looks. */
import { buildCountUnproven } from '../../../lib/core/http/count-unproven.ts';
import { carriesProof, readHookPath } from '../../../lib/features/webhooks/edge/door.ts';
import { parseSources } from '../../../lib/features/webhooks/edge/sources.ts';
import type { HeadCheck } from '../../local/http-front.ts';

export const webhookHead: HeadCheck = {
  of: 'webhook',
  build: ({ WEBHOOK_SECRETS: secrets }) => {
    const { sources } = parseSources(secrets);
    const count = buildCountUnproven();
    return ({ method, path, headers }) => {
      const hook = readHookPath(path);
      if (method === 'POST' && hook !== undefined && carriesProof({ headers, pathToken: hook.pathToken }, sources))
        return 'all';
      const tooManyUntil = method === 'POST' ? count(hook?.name ?? '', Date.now()) : undefined;
      return tooManyUntil === undefined ? 'head' : { tooManyUntil };
    };
  },
};

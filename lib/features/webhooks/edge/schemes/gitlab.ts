/**
 * GitLab: docs.gitlab.com, "Webhooks". A signing token signs as Standard Webhooks; a secret token
 * is sent as it is: that is the weaker one, and says what the entry trusts.
 */
import { isObject } from '../../../../core/base/json.ts';
import { isEqual, isId, named, type Scheme } from '../scheme.ts';
import { standard } from './standard.ts';

export const gitlab: Scheme = {
  where: 'project or group, Settings, Webhooks, Add new webhook: Signing token (whsec_…), or Secret token',
  root: 'token',
  carries: (head, source) => /./.test(head.headers['x-gitlab-token'] ?? '') || standard.carries(head, source),
  secretProblem: (secret) => (secret.startsWith('whsec_') ? standard.secretProblem?.(secret) : undefined),
  signing: (source, secret) => (secret.startsWith('whsec_') ? standard.signing?.(source, secret) : undefined),
  verify: (request, secret, source, context) => {
    if (secret.startsWith('whsec_')) return standard.verify(request, secret, source, context);
    const { headers } = request;
    if (!isEqual(headers['x-gitlab-token'] ?? '', secret)) return ['wrong', 'x-gitlab-token'];
    const id = headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'] ?? '';
    return isId(id) ? { id } : ['noneOrMalformed', 'idempotency-key'];
  },
  forms: {
    push: '{{user_name}} {{pushed}} {{ref}} of {{project.path_with_namespace}}: “{{last}}” {{project.web_url}}',
    tag_push: '{{user_name}} {{pushed}} {{ref}} of {{project.path_with_namespace}}: “{{message}}” {{project.web_url}}',
    merge_request:
      '{{user.name}}: merge request !{{object_attributes.iid}} “{{object_attributes.title}}” of {{project.path_with_namespace}}, {{object_attributes.action}}: {{object_attributes.url}}',
    issue:
      '{{user.name}}: issue #{{object_attributes.iid}} “{{object_attributes.title}}” of {{project.path_with_namespace}}, {{object_attributes.action}}: {{object_attributes.url}}',
    note: '{{user.name}} in {{project.path_with_namespace}}: {{object_attributes.note}} {{object_attributes.url}}',
    pipeline:
      'Pipeline on {{object_attributes.ref}} of {{project.path_with_namespace}}: {{object_attributes.status}} {{object_attributes.url}}',
  },
  // The commits of a push are listed from the oldest on, at most twenty of them.
  values: ({ before, after, commits, checkout_sha: sha }) => {
    const all = Array.isArray(commits) ? commits.filter(isObject) : [];
    const last = all.find(({ id }) => id === sha) ?? all.at(-1);
    const isNone = (hash: unknown): boolean => /^0+$/.test(String(hash));
    const pushed = isNone(after) ? 'deleted' : isNone(before) ? 'created' : 'pushed to';
    return { pushed, last: String(last?.message ?? '') };
  },
  nameEvent: (body) => {
    const { object_attributes: attributes } = body;
    const action = typeof attributes === 'object' && attributes !== null && 'action' in attributes;
    return named(body.object_kind, action ? attributes.action : undefined);
  },
};

/** Gitea, and Forgejo, which sends the same headers: docs.gitea.com, "Webhooks". */
import { hmac, named } from '../scheme.ts';

export const gitea = hmac(
  { signature: 'x-gitea-signature', id: 'x-gitea-delivery' },
  {
    where: 'repository, Settings, Webhooks, Add webhook: Secret',
    forms: {
      push: '{{pusher.login}} pushed to {{ref}} of {{repository.full_name}}: “{{head_commit.message}}” {{compare_url}}',
      pull_request:
        '{{sender.login}} {{action}} pull request #{{number}} “{{pull_request.title}}” in {{repository.full_name}}: {{pull_request.html_url}}',
      issues:
        '{{sender.login}} {{action}} issue #{{issue.number}} “{{issue.title}}” in {{repository.full_name}}: {{issue.html_url}}',
      release:
        '{{sender.login}} {{action}} release {{release.tag_name}} of {{repository.full_name}}: {{release.html_url}}',
    },
    nameEvent: (headers, body) => named(headers['x-gitea-event'], body.action),
  },
);

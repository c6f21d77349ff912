/**
 * Gitea, and Forgejo, which sends the same headers: docs.gitea.com, "Webhooks". Names and members
 * of events are those of Gitea's source, `modules/webhook/type.go` and `modules/structs/hook.go`.
 */
import { hmac } from '../scheme.ts';

export const gitea = hmac(
  { signature: 'x-gitea-signature' },
  {
    where: 'repository, Settings, Webhooks, Add webhook: Secret',
    isUnique: true,
    forms: {
      push: '{{pusher.login}} {{pushed}} {{ref}} of {{repository.full_name}}: “{{head_commit.message}}” {{compare_url}}',
      pull_request:
        '{{sender.login}} {{action}} pull request #{{number}} “{{pull_request.title}}” in {{repository.full_name}}: {{pull_request.html_url}}',
      issues:
        '{{sender.login}} {{action}} issue #{{issue.number}} “{{issue.title}}” in {{repository.full_name}}: {{issue.html_url}}',
      release:
        '{{sender.login}} {{action}} release {{release.tag_name}} of {{repository.full_name}}: {{release.html_url}}',
    },
    // The hash of a commit that is not there is all zeros.
    values: ({ after }) => ({ pushed: /^0+$/.test(String(after)) ? 'deleted' : 'pushed to' }),
    eventHeader: 'x-gitea-event',
    words: {
      create: 'ref_type !pusher_type',
      delete: 'ref_type pusher_type',
      fork: 'forkee',
      issue_comment: 'issue comment',
      issues: 'issue !comment',
      package: 'package',
      pull_request: 'pull_request !review !comment',
      pull_request_approved: 'review.type=pull_request_review_approved',
      pull_request_comment: 'review.type=pull_request_review_comment',
      pull_request_rejected: 'review.type=pull_request_review_rejected',
      push: 'ref pusher',
      release: 'release',
      repository: 'bare action repository',
      status: 'sha context state',
      wiki: 'page',
      workflow_job: 'workflow_job',
      workflow_run: 'workflow_run',
    },
    hasAction: true,
  },
);

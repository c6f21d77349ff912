/**
 * GitHub: docs.github.com, "Validating webhook deliveries" and "Webhook events and payloads". The
 * header of the event's name is not signed: the body must hold the members of that event.
 */
import { hmac } from '../scheme.ts';

const WORDS: Readonly<Record<string, string>> = {
  branch_protection_rule: 'rule',
  check_run: 'check_run !deployment',
  check_suite: 'check_suite',
  code_scanning_alert: 'alert.rule',
  commit_comment: 'comment !issue !pull_request !discussion',
  create: 'ref_type master_branch',
  delete: 'ref_type !master_branch',
  dependabot_alert: 'alert.dependency',
  deploy_key: 'key',
  deployment: 'deployment !deployment_status !workflow_job !deployment_callback_url',
  deployment_protection_rule: 'deployment_callback_url',
  deployment_review: 'since workflow_run',
  deployment_status: 'deployment_status',
  discussion: 'discussion !comment',
  discussion_comment: 'discussion comment',
  fork: 'forkee',
  gollum: 'pages',
  installation: 'installation.account !repositories_added',
  installation_repositories: 'repositories_added',
  issue_comment: 'issue comment',
  issues: 'issue !comment',
  label: 'label !issue !pull_request !discussion',
  marketplace_purchase: 'marketplace_purchase',
  member: 'member !team',
  membership: 'member team',
  merge_group: 'merge_group',
  meta: 'hook !zen',
  milestone: 'milestone !issue !pull_request',
  org_block: 'blocked_user',
  organization: 'membership | invitation | bare action organization !repository',
  package: 'package',
  page_build: 'build',
  ping: 'zen',
  projects_v2_item: 'projects_v2_item',
  pull_request: 'pull_request !review !comment !thread',
  pull_request_review: 'pull_request review',
  pull_request_review_comment: 'pull_request comment',
  pull_request_review_thread: 'pull_request thread',
  public: 'bare !action repository',
  push: 'ref pusher',
  registry_package: 'registry_package',
  release: 'release',
  repository: 'bare action repository !action=started',
  repository_dispatch: 'client_payload',
  repository_vulnerability_alert: 'alert.affected_range',
  secret_scanning_alert: 'alert.secret_type !location',
  security_advisory: 'security_advisory',
  sponsorship: 'sponsorship',
  star: 'starred_at | action=deleted starred_at=null',
  status: 'sha context state',
  team: 'team action !member',
  team_add: 'team !action !member',
  watch: 'bare action=started',
  workflow_dispatch: 'inputs workflow',
  workflow_job: 'workflow_job',
  workflow_run: 'workflow_run !deployment !since',
};

export const github = hmac(
  { signature: 'x-hub-signature-256', prefix: 'sha256=' },
  {
    where: 'repository or organisation, Settings, Webhooks, Add webhook: Secret (Content type: application/json)',
    takesForm: true,
    isUnique: true,
    forms: {
      push: '{{pusher.name}} {{pushed}} {{ref}} of {{repository.full_name}}: “{{head_commit.message}}” {{compare}}',
      pull_request:
        '{{sender.login}} {{action}} pull request #{{number}} “{{pull_request.title}}” in {{repository.full_name}}: {{pull_request.html_url}}',
      pull_request_review:
        '{{sender.login}} reviewed pull request #{{pull_request.number}} “{{pull_request.title}}” ({{review.state}}): {{review.body}} {{review.html_url}}',
      issues:
        '{{sender.login}} {{action}} issue #{{issue.number}} “{{issue.title}}” in {{repository.full_name}}: {{issue.html_url}}',
      issue_comment: '{{sender.login}} on #{{issue.number}} “{{issue.title}}”: {{comment.body}} {{comment.html_url}}',
      release:
        '{{sender.login}} {{action}} release {{release.tag_name}} of {{repository.full_name}}: {{release.html_url}}',
      workflow_run:
        'Workflow “{{workflow_run.name}}” {{action}} on {{workflow_run.head_branch}} of {{repository.full_name}}: {{workflow_run.conclusion}} {{workflow_run.html_url}}',
      deployment_status:
        'Deployment of {{repository.full_name}} to {{deployment.environment}}: {{deployment_status.state}} {{deployment_status.log_url}}',
      ping: 'GitHub says hello from {{repository.full_name}}: {{zen}}',
    },
    values: ({ deleted, created, forced }) => {
      if (deleted === true) return { pushed: 'deleted' };
      if (created === true) return { pushed: 'created' };
      return { pushed: forced === true ? 'pushed by force to' : 'pushed to' };
    },
    eventHeader: 'x-github-event',
    words: WORDS,
    hasAction: true,
  },
);

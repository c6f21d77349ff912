/** GitHub: docs.github.com, "Validating webhook deliveries". */
import { hmac, named } from '../scheme.ts';

export const github = hmac(
  { signature: 'x-hub-signature-256', prefix: 'sha256=', id: 'x-github-delivery' },
  {
    where: 'repository or organisation, Settings, Webhooks, Add webhook: Secret (Content type: application/json)',
    forms: {
      push: '{{pusher.name}} pushed to {{ref}} of {{repository.full_name}}: “{{head_commit.message}}” {{compare}}',
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
    nameEvent: (headers, body) => named(headers['x-github-event'], body.action),
  },
);

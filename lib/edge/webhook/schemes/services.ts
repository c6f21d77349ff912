/** The senders of which data says all: each as its own documentation tells how it signs. */
import { createHmac } from 'node:crypto';
import { lookUp } from '../../../runbooks/template.ts';
import { hmac, isEqual, isId, named, type Scheme, verifyHmac } from '../scheme.ts';
import { standard } from './standard.ts';
import { bearer } from './tokens.ts';

/** Events that GitHub and Gitea tell in the same words. */
const FORGE_FORMS = {
  pull_request:
    '{{sender.login}} {{action}} pull request #{{number}} “{{pull_request.title}}” in {{repository.full_name}}: {{pull_request.html_url}}',
  issues:
    '{{sender.login}} {{action}} issue #{{issue.number}} “{{issue.title}}” in {{repository.full_name}}: {{issue.html_url}}',
  release: '{{sender.login}} {{action}} release {{release.tag_name}} of {{repository.full_name}}: {{release.html_url}}',
};

const GRAFANA = { signature: 'x-grafana-alerting-signature' };
const GRAFANA_TIMED = { ...GRAFANA, time: 'x-grafana-alerting-timestamp', signed: '{time}:{body}' };

export const SERVICES: Readonly<Record<string, Scheme>> = {
  /** GitHub: docs.github.com, "Validating webhook deliveries". */
  github: hmac(
    { signature: 'x-hub-signature-256', prefix: 'sha256=', id: 'x-github-delivery' },
    {
      where: 'repository or organisation, Settings, Webhooks, Add webhook: Secret (Content type: application/json)',
      forms: {
        push: '{{pusher.name}} pushed to {{ref}} of {{repository.full_name}}: “{{head_commit.message}}” {{compare}}',
        ...FORGE_FORMS,
        pull_request_review:
          '{{sender.login}} reviewed pull request #{{pull_request.number}} “{{pull_request.title}}” ({{review.state}}): {{review.body}} {{review.html_url}}',
        issue_comment: '{{sender.login}} on #{{issue.number}} “{{issue.title}}”: {{comment.body}} {{comment.html_url}}',
        workflow_run:
          'Workflow “{{workflow_run.name}}” {{action}} on {{workflow_run.head_branch}} of {{repository.full_name}}: {{workflow_run.conclusion}} {{workflow_run.html_url}}',
        deployment_status:
          'Deployment of {{repository.full_name}} to {{deployment.environment}}: {{deployment_status.state}} {{deployment_status.log_url}}',
        ping: 'GitHub says hello from {{repository.full_name}}: {{zen}}',
      },
      nameEvent: (headers, body) => named(headers['x-github-event'], body.action),
    },
  ),
  /** Gitea, and Forgejo, which sends the same headers: docs.gitea.com, "Webhooks". */
  gitea: hmac(
    { signature: 'x-gitea-signature', id: 'x-gitea-delivery' },
    {
      where: 'repository, Settings, Webhooks, Add webhook: Secret',
      forms: {
        push: '{{pusher.login}} pushed to {{ref}} of {{repository.full_name}}: “{{head_commit.message}}” {{compare_url}}',
        ...FORGE_FORMS,
      },
      nameEvent: (headers, body) => named(headers['x-gitea-event'], body.action),
    },
  ),
  /** Bitbucket Cloud: support.atlassian.com, "Manage webhooks". */
  bitbucket: hmac(
    { signature: 'x-hub-signature', prefix: 'sha256=', id: 'x-request-uuid' },
    {
      where: 'repository, Repository settings, Webhooks, Add webhook: Secret',
      nameEvent: (headers) => headers['x-event-key'],
    },
  ),
  /** GitLab: docs.gitlab.com, "Webhooks". A signing token signs; a secret token is sent as is. */
  gitlab: {
    where: 'project or group, Settings, Webhooks, Add new webhook: Signing token (whsec_…), or Secret token',
    secretProblem: (secret) => (secret.startsWith('whsec_') ? standard.secretProblem?.(secret) : undefined),
    signing: (source, secret) => (secret.startsWith('whsec_') ? standard.signing?.(source, secret) : undefined),
    verify: (request, secret, source, context) => {
      if (secret.startsWith('whsec_')) return standard.verify(request, secret, source, context);
      const { headers } = request;
      if (!isEqual(headers['x-gitlab-token'] ?? '', secret)) return 'x-gitlab-token does not fit';
      const id = headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'] ?? '';
      return isId(id) ? { id } : 'idempotency-key is missing or malformed';
    },
    forms: {
      push: '{{user_name}} pushed to {{ref}} of {{project.path_with_namespace}}: “{{commits.0.message}}” {{project.web_url}}',
      merge_request:
        '{{user.name}}: merge request !{{object_attributes.iid}} “{{object_attributes.title}}” of {{project.path_with_namespace}}, {{object_attributes.action}}: {{object_attributes.url}}',
      issue:
        '{{user.name}}: issue #{{object_attributes.iid}} “{{object_attributes.title}}” of {{project.path_with_namespace}}, {{object_attributes.action}}: {{object_attributes.url}}',
      note: '{{user.name}} in {{project.path_with_namespace}}: {{object_attributes.note}} {{object_attributes.url}}',
      pipeline:
        'Pipeline on {{object_attributes.ref}} of {{project.path_with_namespace}}: {{object_attributes.status}} {{object_attributes.url}}',
    },
    nameEvent: (_headers, body) => {
      const { object_attributes: attributes } = body;
      const action = typeof attributes === 'object' && attributes !== null && 'action' in attributes;
      return named(body.object_kind, action ? attributes.action : undefined);
    },
  },
  /** Stripe: docs.stripe.com, "Verify webhook signatures manually". */
  stripe: hmac(
    { signature: 'stripe-signature', prefix: 'v1=', separator: ',', timeField: 't', signed: '{time}.{body}' },
    {
      where: 'Workbench, Webhooks, your endpoint: Signing secret (whsec_…)',
      idMember: 'id',
      forms: {
        invoice:
          'Stripe: {{type}} for {{data.object.customer_email}}, {{data.object.amount_due}} {{data.object.currency}} in its smallest unit: {{data.object.hosted_invoice_url}}',
        charge:
          'Stripe: {{type}} of {{data.object.amount}} {{data.object.currency}} in its smallest unit, {{data.object.failure_message}} {{data.object.receipt_url}}',
        payment_intent: 'Stripe: {{type}} of {{data.object.amount}} {{data.object.currency}} in its smallest unit',
        '': 'Stripe: {{type}} {{data.object.id}}',
      },
    },
  ),
  /** Slack: docs.slack.dev, "Verifying requests from Slack" and "url_verification". */
  slack: hmac(
    {
      signature: 'x-slack-signature',
      prefix: 'v0=',
      time: 'x-slack-request-timestamp',
      signed: 'v0:{time}:{body}',
    },
    {
      where: 'your app, Basic Information: Signing Secret; then Event Subscriptions: Request URL',
      idMember: 'event_id',
      forms: {
        app_mention: '{{event.user}} in {{event.channel}}: {{event.text}}',
        message: '{{event.user}} in {{event.channel}}: {{event.text}}',
      },
      nameEvent: (_headers, body) => named(lookUp(body, 'event.type') ?? body.command ?? body.type),
      answer: ({ type, challenge }) =>
        type === 'url_verification' && typeof challenge === 'string' ? { text: challenge, isJson: false } : undefined,
    },
  ),
  /** Linear: linear.app/developers/webhooks. Its time stands in the body, which is signed. */
  linear: hmac(
    { signature: 'linear-signature', id: 'linear-delivery' },
    {
      where: 'Settings, API, Webhooks, New webhook: Signing secret',
      timeMember: 'webhookTimestamp',
      forms: {
        Issue: '{{actor.name}}: {{action}} issue {{data.identifier}} “{{data.title}}”, {{data.state.name}}: {{url}}',
        Comment: '{{actor.name}} on “{{data.issue.title}}”: {{data.body}} {{url}}',
      },
      nameEvent: (_headers, body) => named(body.type, body.action),
    },
  ),
  /** Shopify: shopify.dev, "Verify webhook deliveries". */
  shopify: hmac(
    { signature: 'x-shopify-hmac-sha256', encoding: 'base64', id: 'x-shopify-webhook-id' },
    {
      where: "Settings, Notifications, Webhooks: the line under the list; or your app's client secret",
      forms: {
        'orders/create': 'Order {{name}} of {{email}}: {{total_price}} {{currency}}',
        'orders/paid': 'Order {{name}} of {{email}} is paid: {{total_price}} {{currency}}',
        'orders/cancelled': 'Order {{name}} of {{email}} is cancelled: {{cancel_reason}}',
      },
      nameEvent: (headers) => headers['x-shopify-topic'],
    },
  ),
  /** Sentry: docs.sentry.io, "Webhooks" of an integration. */
  sentry: hmac(
    { signature: 'sentry-hook-signature', id: 'request-id' },
    {
      where: 'Settings, Custom Integrations, your integration: Client Secret',
      forms: {
        issue: 'Sentry issue {{action}}: {{data.issue.title}} in {{data.issue.project.slug}} {{data.issue.web_url}}',
        event_alert: 'Sentry alert “{{data.triggered_rule}}”: {{data.event.title}} {{data.event.web_url}}',
        metric_alert: 'Sentry alert {{action}}: {{data.description_title}} {{data.web_url}}',
      },
      nameEvent: (headers, body) => named(headers['sentry-hook-resource'], body.action),
    },
  ),
  /** PagerDuty: developer.pagerduty.com, "Webhook signatures" (V3). */
  pagerduty: hmac(
    { signature: 'x-pagerduty-signature', prefix: 'v1=', separator: ',' },
    {
      where: 'Integrations, Generic Webhooks (v3), New Webhook: the secret is shown once',
      idMember: 'event.id',
      forms: {
        incident:
          'PagerDuty: {{event.event_type}} #{{event.data.number}} “{{event.data.title}}” of {{event.data.service.summary}}: {{event.data.html_url}}',
      },
      nameEvent: (_headers, body) => named(lookUp(body, 'event.event_type')),
    },
  ),
  /** Grafana Alerting: grafana.com/docs, "Configure webhook notifications", HMAC signature. */
  grafana: {
    where:
      'Alerting, Contact points, Webhook, HMAC signature: Secret (and Timestamp Header: X-Grafana-Alerting-Timestamp)',
    signing: () => GRAFANA_TIMED,
    verify: (request, secret, _source, { now }) =>
      verifyHmac(request.headers[GRAFANA_TIMED.time] === undefined ? GRAFANA : GRAFANA_TIMED, request, secret, now),
    forms: { '': '{{title}} {{commonAnnotations.summary}} {{externalURL}}' },
    nameEvent: (_headers, body) => named(body.status),
  },
  /** Prometheus Alertmanager: prometheus.io/docs, "webhook_config" and "http_config". */
  alertmanager: {
    ...bearer,
    where: 'webhook_configs, http_config, authorization, credentials',
    forms: {
      '': '{{status}}: {{commonLabels.alertname}} {{commonLabels.instance}} {{commonAnnotations.summary}} {{commonAnnotations.description}}',
    },
    nameEvent: (_headers, body) => named(body.status),
  },
  /** Zoom: developers.zoom.us, "Using webhooks". */
  zoom: hmac(
    { signature: 'x-zm-signature', prefix: 'v0=', time: 'x-zm-request-timestamp', signed: 'v0:{time}:{body}' },
    {
      where: 'your app, Feature: Secret Token',
      nameEvent: (_headers, body) => named(body.event),
      answer: (body, secret) => {
        const plainToken = lookUp(body, 'payload.plainToken');
        if (body.event !== 'endpoint.url_validation' || typeof plainToken !== 'string') return undefined;
        const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
        return { text: JSON.stringify({ plainToken, encryptedToken }), isJson: true };
      },
    },
  ),
  /** Typeform: typeform.com/developers, "Secure your webhooks". */
  typeform: hmac(
    { signature: 'typeform-signature', prefix: 'sha256=', encoding: 'base64' },
    {
      where: 'form, Connect, Webhooks, Edit: Secret',
      idMember: 'event_id',
      nameEvent: (_headers, body) => named(body.event_type),
    },
  ),
  /** Cal.com: cal.com/docs, "Webhooks". */
  calcom: hmac(
    { signature: 'x-cal-signature-256' },
    {
      where: 'Settings, Developer, Webhooks, New: Secret',
      forms: { '': '{{triggerEvent}}: {{payload.title}}, {{payload.startTime}}' },
      nameEvent: (_headers, body) => named(body.triggerEvent),
    },
  ),
  /** Meta, for WhatsApp and others: developers.facebook.com, "Webhooks: Getting started". */
  meta: hmac(
    { signature: 'x-hub-signature-256', prefix: 'sha256=' },
    {
      where: 'your app, Settings, Basic: App secret; Webhooks: Verify token is the verifyToken you chose here',
      options: { verifyToken: 'needed' },
      nameEvent: (_headers, body) => named(body.object),
      answerGet: ({ query }, { options }) => {
        const isOurs = isEqual(query.get('hub.verify_token') ?? '', options.verifyToken ?? '');
        const challenge = query.get('hub.challenge') ?? '';
        return isOurs && query.get('hub.mode') === 'subscribe' && /^\w{1,256}$/.test(challenge)
          ? { text: challenge, isJson: false }
          : undefined;
      },
    },
  ),
};

/**
 * Services that the agent may call, as their documents describe the request. A preset is the part
 * of a webhook in `WEBHOOK_TARGETS` that is the same for everybody: what it is for, its fields, and
 * how they become a request. The owner adds the address, if it is his own, and a token, for which
 * `npx passepartout setup --only webhook` asks.
 */
import type { JsonObject } from '../../core/base/json.ts';
import type { Calling } from '../../core/store/calling.ts';

const text = (description: string): JsonObject => ({ type: 'string', description });
const fields = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
});

/** A job's result has a text, so it may go to each of these. */
const TEXT = fields({ text: text('What to say') });
const GITHUB = {
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
};
const REPOSITORY = { owner: text('Owner of the repository'), repo: text('Its name') };

export const WEBHOOK_PRESETS: Readonly<Record<string, Calling>> = {
  // https://www.standardwebhooks.com; its `secret` signs each call
  standard: {},
  plain: {},
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
  slack: {
    says: 'Writes a message into a channel of Slack.',
    body: TEXT,
    send: { text: '{{text}}' },
  },
  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  discord: {
    says: 'Writes a message into a channel of Discord.',
    body: fields({ text: { ...text('What to say'), maxLength: 2000 } }),
    send: { content: '{{text}}', allowed_mentions: { parse: [] } },
  },
  // Microsoft Learn, Teams: Create an Incoming Webhook (Workflows take an Adaptive Card)
  teams: {
    says: 'Writes a message into a channel of Microsoft Teams.',
    body: TEXT,
    send: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [{ type: 'TextBlock', text: '{{text}}', wrap: true }],
          },
        },
      ],
    },
  },
  // https://docs.ntfy.sh/publish
  ntfy: {
    says: 'Sends a notification to a phone.',
    body: TEXT,
    content: 'text',
    send: '{{text}}',
  },
  // https://developers.home-assistant.io/docs/api/rest
  'home-assistant': {
    says: 'Calls a service of Home Assistant.',
    body: fields(
      { domain: text('Such as light'), service: text('Such as turn_on'), entity_id: text('Such as light.kitchen') },
      ['domain', 'service'],
    ),
  },
  // https://docs.github.com/rest/repos/repos#create-a-repository-dispatch-event
  'github-dispatch': {
    ...GITHUB,
    url: 'https://api.github.com/repos/{owner}/{repo}/dispatches',
    says: 'Starts the workflows of a repository that wait for an event.',
    body: fields(
      {
        ...REPOSITORY,
        event_type: text('Name of the event'),
        client_payload: { type: 'object', description: 'For the workflow' },
      },
      ['owner', 'repo', 'event_type'],
    ),
  },
  // https://docs.github.com/rest/issues/comments#create-an-issue-comment
  'github-comment': {
    ...GITHUB,
    url: 'https://api.github.com/repos/{owner}/{repo}/issues/{number}/comments',
    says: 'Comments on an issue or a pull request.',
    body: fields({ ...REPOSITORY, number: { type: 'integer' }, text: text('The comment') }),
    send: { body: '{{text}}' },
  },
  // https://docs.gitlab.com/ci/triggers
  'gitlab-trigger': {
    url: 'https://gitlab.com/api/v4/projects/{project}/trigger/pipeline',
    says: 'Starts a pipeline.',
    body: fields({ project: text('Its number, or group/project'), ref: text('Branch or tag') }),
    content: 'form',
  },
  // https://developer.pagerduty.com/docs/send-alert-event
  pagerduty: {
    url: 'https://events.pagerduty.com/v2/enqueue',
    says: 'Raises an alert.',
    body: fields({
      summary: text('What is wrong'),
      source: text('What has the problem'),
      severity: { enum: ['critical', 'error', 'warning', 'info'] },
    }),
    send: {
      event_action: 'trigger',
      payload: { summary: '{{summary}}', source: '{{source}}', severity: '{{severity}}' },
    },
  },
  // https://grafana.com/docs/grafana/latest/developers/http_api/annotations
  'grafana-annotation': {
    says: 'Marks this moment on the dashboards of Grafana.',
    body: fields({ text: text('What happened'), tags: { type: 'array', items: { type: 'string' } } }, ['text']),
  },
};

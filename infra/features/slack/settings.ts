/** How Slack's payloads come to this machine, as the settings say. Pure. */
import { createHmac } from 'node:crypto';
import { SETTINGS, type Variables } from '../../../lib/core/store/settings.ts';

export type SlackSettings =
  | { readonly mode: 'off' }
  | { readonly mode: 'socket'; readonly appToken: string; readonly secret: string }
  | { readonly mode: 'events'; readonly publicUrl: string };

/** Between the socket's program and the stack of this machine, which both know the app's token. */
const secretOf = (appToken: string): string =>
  createHmac('sha256', appToken).update('passepartout/slack-socket').digest('hex');

export const readSlack = (variables: Variables): SlackSettings => {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: secret } = variables;
  const { SLACK_PUBLIC_URL: publicUrl } = variables;
  if (!token) return { mode: 'off' };
  if (publicUrl !== undefined && secret !== undefined) return { mode: 'events', publicUrl };
  return appToken ? { mode: 'socket', appToken, secret: secret ?? secretOf(appToken) } : { mode: 'off' };
};

export const findConflicts = (variables: Variables): readonly string[] =>
  variables.SLACK_BOT_TOKEN && readSlack(variables).mode === 'off'
    ? ['SLACK_BOT_TOKEN: needs SLACK_APP_TOKEN, or SLACK_SIGNING_SECRET with SLACK_PUBLIC_URL']
    : [];

export const derive = (variables: Variables): Variables => {
  const slack = readSlack(variables);
  return {
    SLACK_API_ROOT: variables.SLACK_API_ROOT ?? SETTINGS.SLACK_API_ROOT.default,
    SLACK_STATE: slack.mode,
    ...(slack.mode === 'socket' ? { SLACK_SIGNING_SECRET: slack.secret } : {}),
  };
};

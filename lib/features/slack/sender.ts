/** The way out to Slack, loaded with its first message. */
import { defined } from '../../core/base/defined.ts';
import type { BuildSender } from '../../core/channels/channel.ts';

export const slackSender: BuildSender = ({ env, secrets, table, loadFile, loadCard }) => {
  const token = secrets.get('SLACK_BOT_TOKEN');
  if (token === undefined) return undefined;
  return async () => {
    const { openSlackSender } = await import('./deliver.ts');
    const ways = { table, loadFile, loadCard, space: env.SPACE, ...defined({ page: env.CONSOLE_URL }) };
    return openSlackSender({ token, apiRoot: env.SLACK_API_ROOT }, ways);
  };
};

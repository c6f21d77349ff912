/** `connect-slack` prints the Slack app's manifest and what to copy where, and tries tokens. */
import { ConfigError } from '../../../lib/core/base/errors.ts';
import type { Command } from '../../cli/command.ts';
import { openAws, readVariables } from '../../cli/stack.ts';
import { CliError, causeOf, EXIT, printable } from '../../cli/terminal.ts';
import { placeIn } from '../../reachability.ts';
import { inspectSlack } from './inspect.ts';
import { buildManifest } from './manifest.ts';

/** The address of a deployed stack's door. */
const findDoor = async (stack: string): Promise<string> => {
  const { loadOutputs } = await openAws();
  const base = (await loadOutputs(stack)).get('SlackUrl');
  if (base === undefined) throw new ConfigError([`the stack ${stack} has no output SlackUrl`]);
  return new URL('slack', base).href;
};

export const connectSlack: Command = {
  name: 'connect-slack',
  usage: '',
  summary: 'print the manifest of the Slack app, and try its tokens',
  argCount: [0, 0],
  run: async ({ text, terminal, env, folder }) => {
    const stack = text('stack');
    const variables = readVariables(env, folder);
    const { SLACK_BOT_TOKEN: token, SLACK_PUBLIC_URL: publicUrl } = variables;
    if (token && stack === undefined) {
      const bot = await inspectSlack(variables, placeIn(folder, env));
      if (bot?.isReachable !== true)
        throw new CliError(
          EXIT.failed,
          `${printable(bot?.name ?? 'Slack')}: ${printable(bot?.detail ?? '')}`,
          'copy the tokens anew from https://api.slack.com/apps',
        );
      terminal.line(`Slack takes the token of ${printable(bot.name)}.`);
      return EXIT.ok;
    }
    const url =
      stack === undefined
        ? publicUrl && new URL('slack', publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`).href
        : await findDoor(stack).catch((error: unknown) => {
            throw new CliError(
              EXIT.failed,
              `the address of "${stack}" cannot be looked up: ${causeOf(error)}`,
              'was it deployed with SLACK_STATE=events?',
            );
          });
    terminal.line(JSON.stringify(buildManifest(url), null, 2));
    const tokens =
      url === undefined
        ? 'SLACK_APP_TOKEN=xapp-… (Basic Information, App-Level Tokens, with connections:write)'
        : 'SLACK_SIGNING_SECRET=… (Basic Information)';
    for (const line of [
      'Slack makes the app of it: https://api.slack.com/apps, Create New App, From a manifest. Then Install App.',
      'Then put these into .env:',
      '  SLACK_BOT_TOKEN=xoxb-… (OAuth & Permissions)',
      `  ${tokens}`,
      'npx passepartout connect-slack tries them. After a start, npx passepartout pair lets your direct message in.',
    ])
      if (!terminal.isJson) terminal.remark(line);
    return EXIT.ok;
  },
};

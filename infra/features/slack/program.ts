/** Slack in programs of this machine. */
import { SETTINGS } from '../../../lib/core/store/settings.ts';
import { slack } from '../../../lib/features/webhooks/edge/schemes/slack.ts';
import type { ChannelProgram } from '../../channel-program.ts';
import { startSlackSocket } from './connect.ts';
import { inspectSlack } from './inspect.ts';
import { derive, findConflicts, readSlack } from './settings.ts';

const STILL = { problem: () => undefined, stop: () => Promise.resolve() };

export const slackProgram: ChannelProgram = {
  name: 'Slack',
  findConflicts,
  derive,
  publicHostOf: (variables) => {
    const settings = readSlack(variables);
    return settings.mode === 'events' ? new URL(settings.publicUrl).host : undefined;
  },
  headChecks: () => ({
    slack: ({ headers }) => (slack.carries({ headers, pathToken: undefined }, { options: {} }) ? 'all' : 'head'),
  }),
  inspect: inspectSlack,
  connect: async ({ variables, stackUrl, log }) => {
    const settings = readSlack(variables);
    if (settings.mode === 'off') return { ...STILL, description: 'off (npx passepartout connect-slack)' };
    if (settings.mode === 'events') return { ...STILL, description: `events at ${settings.publicUrl}` };
    const apiRoot = variables.SLACK_API_ROOT ?? SETTINGS.SLACK_API_ROOT.default;
    return startSlackSocket({ ...settings, apiRoot, stackUrl, log });
  },
};

/** Asks Slack whether it takes the bot's token, and that of the socket. Never throws. */
import * as z from 'zod/mini';
import { SETTINGS, type Variables } from '../../../lib/core/store/settings.ts';
import { buildSlackClient, isTokenRefused, type SlackOutcome } from '../../../lib/features/slack/client.ts';
import type { Endpoint } from '../../inspection.ts';
import { LOOK_TIMEOUT_MS, type SettingPlace, withRemedy } from '../../reachability.ts';

const Me = z.object({ user: z.string(), team: z.string() });

export const inspectSlack = async (variables: Variables, place: SettingPlace): Promise<Endpoint | undefined> => {
  const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken } = variables;
  const { SLACK_API_ROOT: address = SETTINGS.SLACK_API_ROOT.default } = variables;
  if (!token) return undefined;
  const ask = (of: string, method: string): Promise<SlackOutcome> =>
    buildSlackClient({ token: of, apiRoot: address }).call(method, {}, LOOK_TIMEOUT_MS);
  const [me, socket] = await Promise.all([
    ask(token, 'auth.test'),
    appToken ? ask(appToken, 'apps.connections.open') : undefined,
  ]);
  const { user, team } = Me.safeParse('result' in me ? me.result : undefined).data ?? {};
  const bot = { name: user === undefined ? 'Slack' : `@${user} in ${team}`, address, isReachable: false };
  const refused = { isReachable: false, isRefused: true, detail: 'refuses the token' } as const;
  if (isTokenRefused(me)) return { ...bot, ...withRemedy(refused, place('SLACK_BOT_TOKEN')) };
  if (socket !== undefined && isTokenRefused(socket))
    return { ...bot, ...withRemedy(refused, place('SLACK_APP_TOKEN')) };
  const failed = [me, socket].find((one) => one !== undefined && one.kind !== 'done');
  if (failed === undefined) return { ...bot, isReachable: true, detail: 'reachable' };
  return failed.kind === 'refused'
    ? { ...bot, detail: failed.error }
    : { ...bot, isAway: true, detail: 'not reachable' };
};

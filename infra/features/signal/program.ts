/** Signal in programs of this machine: settings, a look at the daemon, and its events. */
import { randomBytes } from 'node:crypto';
import { buildSignalClient } from '../../../lib/features/signal/client.ts';
import type { ChannelProgram } from '../../channel-program.ts';
import { LOOK_TIMEOUT_MS } from '../../reachability.ts';
import { followEvents } from './follow-events.ts';

const stateOf = (url: string | undefined): string => (url === undefined ? 'off' : 'events');

export const signalProgram: ChannelProgram = {
  name: 'Signal',
  findConflicts: () => [],
  derive: ({ SIGNAL_URL: url }) => ({
    SIGNAL_STATE: stateOf(url),
    ...(url === undefined ? {} : { SIGNAL_DOOR_SECRET: randomBytes(32).toString('base64url') }),
  }),
  publicHostOf: () => undefined,
  headChecks: () => ({}),
  inspect: async ({ SIGNAL_URL: address }) => {
    if (address === undefined) return undefined;
    const outcome = await buildSignalClient(address)('version', {}, { timeoutMs: LOOK_TIMEOUT_MS });
    const daemon = { name: 'Signal', address, isReachable: outcome.kind === 'done' };
    if (outcome.kind === 'done') return { ...daemon, detail: 'reachable' };
    return { ...daemon, isAway: true, detail: 'not reachable: signal-cli -a <number> daemon --http starts it' };
  },
  connect: async ({ variables: { SIGNAL_URL: url, SIGNAL_DOOR_SECRET: secret = '' }, stackUrl, log }) => {
    if (url === undefined)
      return { description: 'off (set SIGNAL_URL)', problem: () => undefined, stop: () => Promise.resolve() };
    const follower = followEvents({ url, secret, stackUrl, log });
    return { description: `events of signal-cli at ${url}`, ...follower };
  },
};

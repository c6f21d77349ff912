/** The channels of features. `signal/channels.ts` alone imports this list. */
import { signalChannel } from './signal/channel.ts';
import { slackChannel } from './slack/channel.ts';
import { telegramChannel } from './telegram/channel.ts';

export const FEATURE_CHANNELS = { telegram: telegramChannel, slack: slackChannel, signal: signalChannel } as const;

/** The channels of features. `signal/channels.ts` alone imports this list. */
import { slackChannel } from './slack/channel.ts';
import { telegramChannel } from './telegram/channel.ts';

export const FEATURE_CHANNELS = { telegram: telegramChannel, slack: slackChannel } as const;

/** The channels of features. `signal/channels.ts` alone imports this list. */
import { mailChannel } from './mail/channel.ts';
import { signalChannel } from './signal/channel.ts';
import { slackChannel } from './slack/channel.ts';
import { telegramChannel } from './telegram/channel.ts';

export const FEATURE_CHANNELS = {
  telegram: telegramChannel,
  slack: slackChannel,
  signal: signalChannel,
  mail: mailChannel,
} as const;

/** The channels of features. `signal/channels.ts` alone imports this list. */
import { mailChannel } from './mail/channel.ts';
import { telegramChannel } from './telegram/channel.ts';

export const FEATURE_CHANNELS = { telegram: telegramChannel, mail: mailChannel } as const;

/** The channels of features. `signal/channels.ts` alone imports this list. */
import { telegramChannel } from './telegram/channel.ts';

export const FEATURE_CHANNELS = { telegram: telegramChannel } as const;

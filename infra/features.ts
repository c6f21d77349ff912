/** The parts of features' channels in programs of this machine, by the names of the channels. */
import type { Variables } from '../lib/core/store/settings.ts';
import type { ChannelProgram } from './channel-program.ts';
import { telegramProgram } from './features/telegram/program.ts';

export const CHANNEL_PROGRAMS: Readonly<Record<string, ChannelProgram>> = { telegram: telegramProgram };

/** The channels whose settings are there, with their names for people. */
export const channelsIn = (variables: Variables): readonly (readonly [id: string, name: string])[] =>
  Object.entries(CHANNEL_PROGRAMS).flatMap(([id, { name, derive }]) => {
    const { [`${id.toUpperCase()}_STATE`]: state = 'off' } = derive(variables);
    return state === 'off' ? [] : [[id, name] as const];
  });

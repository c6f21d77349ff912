/** Parts of features in programs of this machine: of channels, by their names, and of models. */
import type { Variables } from '../lib/core/store/settings.ts';
import { readOffers } from '../lib/features/providers/offered-models.ts';
import type { ChannelProgram } from './channel-program.ts';
import { mailProgram } from './features/mail/program.ts';
import { signalProgram } from './features/signal/program.ts';
import { slackProgram } from './features/slack/program.ts';
import { telegramProgram } from './features/telegram/program.ts';
import type { ShownOffer } from './inspection.ts';

export const CHANNEL_PROGRAMS: Readonly<Record<string, ChannelProgram>> = {
  telegram: telegramProgram,
  signal: signalProgram,
  slack: slackProgram,
  mail: mailProgram,
};

/** Reads the list of models that an endpoint offers. */
export const READ_OFFERS: readonly ((text: string) => readonly ShownOffer[])[] = [readOffers];

/** The channels whose settings are there, with their names for people. */
export const channelsIn = (variables: Variables): readonly (readonly [id: string, name: string])[] =>
  Object.entries(CHANNEL_PROGRAMS).flatMap(([id, { name, derive }]) => {
    const { [`${id.toUpperCase()}_STATE`]: state = 'off' } = derive(variables);
    return state === 'off' ? [] : [[id, name] as const];
  });

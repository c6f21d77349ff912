/** The ways out of the channels that send messages, as far as their settings are there. */
import { FEATURE_SENDERS } from '../../features/senders.ts';
import type { SenderParts, Senders } from './channel.ts';

export const buildSenders = (parts: SenderParts): Senders =>
  new Map(
    Object.entries(FEATURE_SENDERS).flatMap(([id, build]) => {
      const load = build(parts);
      return load === undefined ? [] : [[id, load] as const];
    }),
  );

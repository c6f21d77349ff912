/** Places for texts that a skill brings: their declaration, and the lines of its card. Pure. */
import * as z from 'zod/mini';
import type { Places } from '../../core/ledger/owner-settings.ts';
import { CHANNELS, ChannelId } from '../../core/signal/channels.ts';
import { TargetName } from './skill-targets.ts';

/** A chat of a channel, or a session of the console, which texts may go to by this name. */
export const SkillPlace = z
  .strictObject({ name: TargetName, channel: ChannelId, place: z.string().check(z.maxLength(128)) })
  .check(z.refine(({ channel, place }) => CHANNELS[channel].to.test(place), 'must name a place of its channel'));
export type SkillPlace = z.infer<typeof SkillPlace>;

export const describePlaces = (places: readonly SkillPlace[] = []): readonly string[] =>
  places.map(({ name, channel, place }) => `It brings the name ${name} for texts: they go to ${channel} ${place}`);

/** @param known places by name, those of the skill itself among them */
export const takenPlaces = (places: readonly SkillPlace[] = [], known: Places = new Map()): readonly string[] =>
  places.flatMap(({ name, channel, place }) => {
    const [one, ...others] = known.get(name) ?? [];
    const isOther = one !== undefined && (others.length > 0 || one.target !== channel || one.to !== place);
    return isOther ? [`there is a place ${name} already: the skill must give its own another name`] : [];
  });

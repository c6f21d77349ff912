/** A place that gets results of work that nobody waits for in a conversation. Pure. */
import * as z from 'zod/mini';
import { CHANNELS, type Channel, ChannelId } from './channels.ts';

const isPlaceOf = ({ to: form, hasTopics }: Channel, to: string, topic: number | undefined): boolean =>
  form.test(to) && (topic === undefined || hasTopics === true);

/** A chat, a console session, or a configured webhook. */
export const Destination = z.discriminatedUnion('target', [
  z
    .strictObject({ target: ChannelId, to: z.string(), topic: z.optional(z.int()) })
    .check(
      z.refine(({ target, to, topic }) => isPlaceOf(CHANNELS[target], to, topic), 'must name a place of its channel'),
    ),
  z.strictObject({ target: z.literal('webhook'), to: z.string().check(z.maxLength(64)) }),
]);
export type Destination = z.infer<typeof Destination>;

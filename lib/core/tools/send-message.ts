/**
 * Sends a text to a chat that the owner named (`/chats name`), to a webhook that takes a text, or
 * to the console. The call becomes a text to that chat, or a call of that webhook
 * (`../judge/build-actions.ts`), so it is judged, shown on a card and sent as one. A call that
 * names no such place stays a call, and its problem says which places there are.
 */
import * as z from 'zod/mini';
import { type NamedPlace, type Places, placeWord } from '../ledger/owner-settings.ts';
import { normaliseName } from '../signal/action.ts';
import { MAIN_CONSOLE } from '../signal/channels.ts';
import { named, quoted } from '../text/quoted.ts';
import { defineTextTool, loadParts } from './tool.ts';

/** Telegram cuts longer texts into several messages. */
const MESSAGE_CHARS_MAX = 4_000;

const Args = z.strictObject({
  to: z.string().check(z.regex(/\S/), z.maxLength(256)),
  text: z.string().check(z.regex(/\S/), z.maxLength(MESSAGE_CHARS_MAX)),
});

/** Places that one call may send its text to. */
export const PLACES_MAX = 10;

/**
 * The text of a call for each place that it names; empty if it has no such form, or if one of its
 * names is of no place. Each becomes an action of its own, so a lost answer repeats no other.
 */
export const messagesOf = (args: unknown, places: Places): readonly { place: NamedPlace; text: string }[] => {
  const { data } = Args.safeParse(args);
  if (data === undefined) return [];
  const found = placesNamed(data.to, places);
  const isKnown = namesIn(data.to).every((name) => places.has(name));
  if (!isKnown || found.length > PLACES_MAX || found.some(takesNoText)) return [];
  return found.map((place) => ({ place, text: data.text }));
};

const namesIn = (to: string): readonly string[] => [...new Set(to.split(',').map(normaliseName))];

/** Each place of these names once. */
export const placesNamed = (to: string, places: Places): readonly NamedPlace[] => {
  const found = namesIn(to).flatMap((name) => places.get(name) ?? []);
  return [...new Map(found.map((place) => [placeWord(place), place])).values()];
};

export const takesNoText = (place: NamedPlace): boolean => place.target === 'webhook' && !place.takesText;

export const sendMessage = defineTextTool({
  name: 'send-message',
  description: `Send a text by name to another chat, a webhook that takes a text, or ${MAIN_CONSOLE.target} (several: a,b); the owner is asked. To answer here, just write.`,
  sentence: ({ to, text }) => `Send this text to ${named(to)}: ${quoted(text)}`,
  args: Args,
  tier: 'ask',
  kind: 'once',
  outputOrigin: 'clean',
  loadForm: async () => (await loadParts()).SEND_MESSAGE_FORM,
});

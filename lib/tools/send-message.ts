/**
 * Sends a text to a chat that the owner named (`/chats name`), or to the console. The call becomes
 * a text to that place (`../judge/build-actions.ts`), so it is judged, shown on a card and sent as
 * one. A call that names no such place stays a call, and its problem says which places there are.
 */
import * as z from 'zod/mini';
import type { Places } from '../ledger/owner-settings.ts';
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
export const messagesOf = (args: unknown, places: Places) => {
  const { data } = Args.safeParse(args);
  const names = [...new Set(data?.to.split(',').map(normaliseName))];
  const found = new Map(names.flatMap((name) => places.get(name) ?? []).map((place) => [place.to, place]));
  const isKnown = names.every((name) => places.has(name));
  if (data === undefined || !isKnown || found.size > PLACES_MAX) return [];
  return [...found.values()].map((place) => ({ place, text: data.text }));
};

export const sendMessage = defineTextTool({
  name: 'send-message',
  description: `Send a text to another chat by its name (several: a,b), or to ${MAIN_CONSOLE.target}; the owner is asked. To answer here, just write.`,
  sentence: ({ to, text }) => `Send this text to ${named(to)}: ${quoted(text)}`,
  args: Args,
  tier: 'ask',
  kind: 'once',
  outputOrigin: 'clean',
  loadForm: async () => (await loadParts()).SEND_MESSAGE_FORM,
});

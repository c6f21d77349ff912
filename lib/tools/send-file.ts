/**
 * Sends a text file that the model wrote, or a picture or document that came, to whoever is
 * answered or to a named place. The call becomes a text that names the file
 * (`../text/file-text.ts`), so it is judged, shown on a card and sent as a text is. A call that
 * names no such place stays a call, and its problem says why.
 */
import * as z from 'zod/mini';
import type { Place, Places } from '../ledger/owner-settings.ts';
import { normaliseName } from '../signal/action.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import { buildFileText, FILE_NAME, fileIn } from '../text/file-text.ts';
import { quoted } from '../text/quoted.ts';
import { defineTextTool, loadParts } from './tool.ts';

/** An action has 48 KB at most. */
const FILE_CHARS_MAX = 12_000;

const Args = z.strictObject({
  name: z.string().check(z.regex(FILE_NAME)),
  content: z.string().check(z.regex(/\S/), z.maxLength(FILE_CHARS_MAX)),
  to: z.optional(z.string().check(z.maxLength(64))),
});

/** The text of a call for each place that it names; empty if it has no such form or place. */
export const filesOf = (
  args: unknown,
  places: Places,
  reply: ReplyRoute | undefined,
): readonly { place: Place; text: string }[] => {
  const { data } = Args.safeParse(args);
  if (data === undefined || fileIn(buildFileText(data.name, data.content)) === undefined) return [];
  const found: readonly Place[] =
    data.to === undefined ? [reply ?? []].flat() : (places.get(normaliseName(data.to)) ?? []);
  if (found.some(({ target }) => target === 'webhook')) return [];
  return found.map((place) => ({ place, text: buildFileText(data.name, data.content) }));
};

export const sendFile = defineTextTool({
  name: 'send-file',
  description:
    'Send a file, here or to a chat by name: a text (.md, .txt, .csv), or a picture or document that came (.png, .pdf, .docx …), whose content is its name: [a picture, …] or [a document, …].',
  sentence: ({ name, content }) => `Send the file ${quoted(name)}: ${quoted(content)}`,
  args: Args,
  tier: 'ask',
  kind: 'once',
  outputOrigin: 'clean',
  loadForm: async () => (await loadParts()).SEND_FILE_FORM,
});

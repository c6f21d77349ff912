/**
 * Sends a text file that the model wrote, the output of another tool, or a picture or document that
 * came, to whoever is answered or to a named place. The call becomes a text that names the file
 * (`../text/file-text.ts`), so it is judged, shown on a card and sent as a text is. A call that
 * names no such place or output stays a call, and its problem says why.
 */
import * as z from 'zod/mini';
import type { NamedPlace, Places } from '../ledger/owner-settings.ts';
import { normaliseName, ToolName } from '../signal/action.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import { buildFileText, FILE_NAME, fileIn } from '../text/file-text.ts';
import { quoted } from '../text/quoted.ts';
import { defineTextTool, loadParts } from './tool.ts';

/** An action has 48 KB at most. */
const FILE_CHARS_MAX = 12_000;

export const SendFileArgs = z.strictObject({
  name: z.string().check(z.regex(FILE_NAME)),
  content: z.optional(z.string().check(z.regex(/\S/), z.maxLength(FILE_CHARS_MAX))),
  output: z.optional(ToolName),
  to: z.optional(z.string().check(z.maxLength(64))),
});

/** The outputs that calls send, by tool; one that no file can hold is left out. */
export type Outputs = ReadonlyMap<string, string>;

/** Undefined if it has no such form, or names no such output. */
export const fileTextOf = (args: unknown, outputs: Outputs): string | undefined => {
  const { name = '', content, output } = SendFileArgs.safeParse(args).data ?? {};
  const text = buildFileText(name, content ?? outputs.get(output ?? '') ?? '');
  return fileIn(text) && text;
};

/** The text of a call for each place that it names; empty if it has no such form or place. */
export const filesOf = (
  args: unknown,
  places: Places,
  reply: ReplyRoute | undefined,
  outputs: Outputs = new Map(),
): readonly { place: NamedPlace; text: string }[] => {
  const text = fileTextOf(args, outputs);
  if (text === undefined) return [];
  const { to } = SendFileArgs.parse(args);
  const found: readonly NamedPlace[] = to === undefined ? [reply ?? []].flat() : (places.get(normaliseName(to)) ?? []);
  if (found.some(({ target }) => target === 'webhook')) return [];
  return found.map((place) => ({ place, text }));
};

export const sendFile = defineTextTool({
  name: 'send-file',
  description:
    'Send a file, here or to a chat: a text (.md, .txt, .csv, .svg), the output of a tool of this turn (run-code), or a picture or document that came (.png, .pdf …), whose content is its name: [a picture, …].',
  sentence: ({ name, content, output = '' }) => `Send the file ${quoted(name)}: ${quoted(content ?? output)}`,
  args: SendFileArgs,
  tier: 'ask',
  kind: 'once',
  outputOrigin: 'clean',
  loadForm: async () => (await loadParts()).SEND_FILE_FORM,
});

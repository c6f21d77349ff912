/**
 * Sends a text file that the model wrote, the output of another tool, or a picture or document that
 * came, to whoever is answered or to a named place. The call becomes a text that names the file
 * (`../text/file-text.ts`), so it is judged, shown on a card and sent as a text is. A call that
 * names no such place or output stays a call, and its problem says why.
 */
import * as z from 'zod/mini';
import { KIB } from '../base/limits.ts';
import type { Place, Places } from '../ledger/owner-settings.ts';
import { normaliseName, ToolName } from '../signal/action.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import { buildFileText, FILE_NAME, fileIn } from '../text/file-text.ts';
import { quoted } from '../text/quoted.ts';
import { defineTextTool, loadParts } from './tool.ts';

/** An action has 48 KB at most. */
const FILE_CHARS_MAX = 12_000;
/** As many as a file that is written on a machine has: with its escapes it still fits an action. */
export const OUTPUT_FILE_CHARS_MAX = 32 * KIB;

const Args = z.strictObject({
  name: z.string().check(z.regex(FILE_NAME)),
  content: z.optional(z.string().check(z.regex(/\S/), z.maxLength(FILE_CHARS_MAX))),
  output: z.optional(ToolName),
  to: z.optional(z.string().check(z.maxLength(64))),
});

/** Gives the newest output of a tool in this turn. */
export type LoadOutput = (tool: string) => Promise<string | undefined>;

/** The outputs that calls send, by tool. */
export type Outputs = ReadonlyMap<string, string>;

/** @param calls arguments of calls of this tool */
export const loadOutputs = async (calls: readonly unknown[], load?: LoadOutput): Promise<Outputs> => {
  const tools = new Set(calls.flatMap((args) => Args.safeParse(args).data?.output ?? []));
  const found = await Promise.all([...tools].map(async (tool) => [tool, (await load?.(tool)) ?? ''] as const));
  return new Map(found);
};

/** The text that names the file and has its content, or why there is none. */
export const fileTextOf = (args: unknown, outputs: Outputs): { readonly text: string } | { readonly why: string } => {
  const { name = '', content, output = '' } = Args.safeParse(args).data ?? {};
  if ((content === undefined) === (output === '')) return { why: 'it needs either content or output' };
  const words = content ?? outputs.get(output) ?? '';
  if (words.trim() === '') return { why: `the tool ${output} gave no text in this turn` };
  if (words.length > OUTPUT_FILE_CHARS_MAX)
    return { why: `the output has more than ${OUTPUT_FILE_CHARS_MAX} characters: print less` };
  const text = buildFileText(name, words);
  if (fileIn(text) !== undefined) return { text };
  if (name.endsWith('.svg')) return { why: 'an .svg is one drawing of shapes and text, without scripts and links' };
  return {
    why: 'a picture or document is sent by its name alone, with the ending of its type: [a picture, image/png, …] as a .png',
  };
};

/** The text of a call for each place that it names; empty if it has no such form or place. */
export const filesOf = (
  args: unknown,
  places: Places,
  reply: ReplyRoute | undefined,
  outputs: Outputs = new Map(),
): readonly { place: Place; text: string }[] => {
  const { data } = Args.safeParse(args);
  const file = fileTextOf(data, outputs);
  if (data === undefined || 'why' in file) return [];
  const found: readonly Place[] =
    data.to === undefined ? [reply ?? []].flat() : (places.get(normaliseName(data.to)) ?? []);
  if (found.some(({ target }) => target === 'webhook')) return [];
  return found.map((place) => ({ place, text: file.text }));
};

export const sendFile = defineTextTool({
  name: 'send-file',
  description:
    'Send a file, here or to a chat by name: a text (.md, .txt, .csv, .svg) as content, the output of a tool of this turn (output: its name, such as run-code), or a picture or document that came (.png, .pdf, .docx …), whose content is its name: [a picture, …] or [a document, …].',
  sentence: ({ name, content, output = '' }) =>
    `Send the file ${quoted(name)}: ${content === undefined ? `what ${output} gave` : quoted(content)}`,
  args: Args,
  tier: 'ask',
  kind: 'once',
  outputOrigin: 'clean',
  loadForm: async () => (await loadParts()).SEND_FILE_FORM,
});

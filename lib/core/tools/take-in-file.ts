/** Performs `ingest-file`. */
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_CONTENT_CHARS_MAX, MEMORY_ID_SHOWN_CHARS } from '../base/limits.ts';
import { textHash } from '../base/text-hash.ts';
import type { TreeNode } from '../memory/ingest.ts';
import { READ_ATTACHMENT } from '../signal/attachment.ts';
import { chainOf } from '../signal/ids.ts';
import { storedIn } from '../signal/picture.ts';
import { joinOrigins } from '../signal/signal.ts';
import type { IngestFileArgs } from './ingest-file.ts';
import { longOutputId } from './long-output.ts';
import type { ToolContext, ToolOutput } from './tool.ts';

/** A note that a person can still read in one go. */
const PIECE_CHARS_MAX = 8_000;

/** Pieces that end with a line where one ends. */
const splitText = (text: string): readonly string[] => {
  const pieces: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const at = rest.length <= PIECE_CHARS_MAX ? rest.length : rest.lastIndexOf('\n', PIECE_CHARS_MAX) + 1;
    const end = at > 0 ? at : PIECE_CHARS_MAX;
    pieces.push(rest.slice(0, end).toWellFormed());
    rest = rest.slice(end);
  }
  return pieces;
};

const ROOT = 'file';

const loadText = async ({ n, hash }: IngestFileArgs, { records, signalId }: ToolContext) => {
  const payload = await records.loadPayload(signalId);
  const results = payload !== undefined && 'results' in payload ? payload.results : [];
  const result = results.find((one) => one.n === n && one.tool === READ_ATTACHMENT && one.state === 'done');
  if (result === undefined || textHash(result.output) !== hash)
    throw new ProtocolError('the text is not the one that was decided');
  // Any text may look like the beginning of a long one.
  const id = `${chainOf(signalId).at(-2)}#${n}`;
  const whole = longOutputId(result.output) === id ? await records.loadOutput(id) : undefined;
  const text = whole?.text ?? result.output;
  // The name of a document's bytes is no part of its text.
  const { words = '' } = storedIn(text) ?? {};
  return { text: words === '' ? text : text.slice(`${words}\n\n`.length), origin: result.origin };
};

/** @throws ProtocolError if the signal holds another text */
export const takeInFile = async (args: IngestFileArgs, context: ToolContext): Promise<ToolOutput> => {
  const { memory, origin: asked, effectId, signalId, actor, now } = context;
  const { text, origin } = await loadText(args, context);
  const node = (key: string, content: string, children: readonly TreeNode[]): TreeNode => ({
    key,
    type: key === ROOT ? 'document' : 'note',
    attributes: { ...(key === ROOT ? { title: args.name } : {}), tags: [] },
    content,
    children,
  });
  const isShort = text.length <= MEMORY_CONTENT_CHARS_MAX;
  const pieces = isShort ? [] : splitText(text).map((piece, n) => node(String(n + 1), piece, []));
  const tree = { ...node(ROOT, isShort ? text.toWellFormed() : '', pieces), key: `file ${textHash(text)}` };
  const { rootId } = await memory.ingestTree({
    by: { effectId, signalId, actor, now },
    tree,
    origin: joinOrigins([asked, origin]),
  });
  return { output: `Kept as ${rootId.slice(0, MEMORY_ID_SHOWN_CHARS)}.`, origin: 'agent' };
};

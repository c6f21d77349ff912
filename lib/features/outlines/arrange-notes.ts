/**
 * Shows a subtree to the model, checks what it proposes, and performs it as one commit. The
 * proposal names the hash of the note, which covers all below it: if anything changed since, it is
 * refused. Private notes are neither shown nor moved from their place.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { parseWith } from '../../core/base/json.ts';
import { TOOL_OUTPUT_CHARS_MAX } from '../../core/base/limits.ts';
import { type LiveObject, type MemoryObject, SESSION_PROPERTY } from '../../core/memory/object.ts';
import { visibleOf } from '../../core/memory/outline.ts';
import { editableNote } from '../../core/memory/plan-edit.ts';
import type { Objects } from '../../core/memory/read.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { loadIsHidden } from '../../core/tools/hidden-notes.ts';
import { UNMARKED } from '../../core/tools/marks.ts';
import type { FormContext, ToolContext, ToolForm, ToolOutput } from '../../core/tools/tool.ts';
import { ARRANGE_FIELDS, ArrangeArgs, OUTLINE_NOTES_MAX } from './arrange-args.ts';
import { arrangeEdits, arrangeProblems, describeArrange, type Line, linesBelow } from './subtree.ts';

/** Characters of a line of output beside the text of its note. */
const LINE_CHARS = 220;

const tooMany = (count: number): string =>
  `it has ${count} notes below it, and ${OUTLINE_NOTES_MAX} can be looked at together: name a note further below`;

/** The part that the model may see. @throws ProtocolError if there is none, or it is too large */
const loadShown = async (id: string, context: ToolContext) => {
  const { objects } = await context.memory.view();
  const isHidden = await loadIsHidden(context);
  const visible = new Set(visibleOf(objects, isHidden).map((one) => one.id));
  const root = editableNote(visible.has(id) ? objects.get(id) : undefined, id);
  const lines = linesBelow(objects, root, isHidden);
  if (lines.length > OUTLINE_NOTES_MAX) throw new ProtocolError(tooMany(lines.length));
  return { objects, root, lines, visible };
};

const showLine = ({ object, level }: Pick<Line, 'object' | 'level'>, charsMax: number): string => {
  const { id, version, origin, content, attributes } = object;
  const isCut = content.length > charsMax;
  const text = isCut ? content.slice(0, charsMax).toWellFormed() : content;
  const { title, todo: state } = attributes;
  return JSON.stringify({ id, version, level, title, state, origin, text, ...(isCut ? { cut: true } : {}) });
};

export const readNotes = async (id: string, context: ToolContext): Promise<ToolOutput> => {
  const { root, lines } = await loadShown(id, context);
  const all = [{ object: root, level: 0 }, ...lines];
  const titles = all.reduce((sum, { object }) => sum + (object.attributes.title?.length ?? 0), 0);
  const room = Math.max(0, TOOL_OUTPUT_CHARS_MAX - titles - all.length * LINE_CHARS);
  const output = all.map((one) => showLine(one, Math.floor(room / all.length))).join('\n');
  return { output, origin: joinOrigins(all.map(({ object }) => object.origin)) };
};

/** Reads a subtree level by level, and further notes; far more than the bound are not read. */
const loadBelow = async (root: string, further: readonly string[], { loadNotes }: FormContext): Promise<Objects> => {
  const found = new Map<string, MemoryObject>();
  let ids: readonly string[] = [root];
  while (ids.length > 0 && found.size <= 2 * OUTLINE_NOTES_MAX) {
    const next = await loadNotes(ids);
    for (const [id, object] of next) found.set(id, object);
    ids = [...next.values()].flatMap((one) => (one.state === 'live' ? one.children.map(({ id }) => id) : []));
  }
  return new Map([...(await loadNotes([...new Set(further)])), ...found]);
};

const linkedTo = ({ links = [] }: ArrangeArgs): readonly string[] => links.map(({ to }) => to);

/** Notes of another conversation, or of a project, are shown at some times only. */
const isSummary = (object: LiveObject): boolean => object.type === 'summary';
const isAlwaysShown = ({ scope, attributes }: LiveObject, session: string | undefined): boolean =>
  scope === 'memex' || (scope === 'session' && attributes.properties?.[SESSION_PROPERTY] === session);

const completeArrange: ToolForm['complete'] = async (args, { loadNotes }) => {
  const parsed = ArrangeArgs.safeParse(args);
  const root = parsed.success ? (await loadNotes([parsed.data.note])).get(parsed.data.note) : undefined;
  return root?.state !== 'live' || 'base' in args ? args : { ...args, base: root.hash };
};

const findArrangeProblems: ToolForm['findProblems'] = async (args, context) => {
  const problems = argumentProblems({ args: ArrangeArgs, fields: ARRANGE_FIELDS }, args);
  const { data } = ArrangeArgs.safeParse(args);
  if (problems.length > 0 || data === undefined) return problems;
  const all = await loadBelow(data.note, linkedTo(data), context);
  const root = all.get(data.note);
  // At the last mile no note is read: the hash was filled in, and Act looks again.
  if (root?.state !== 'live') return data.base === undefined ? ['note must be the id of a note that there is'] : [];
  const lines = linesBelow(all, root, isSummary);
  if (lines.length > OUTLINE_NOTES_MAX) return [tooMany(lines.length)];
  const mustHave = lines.filter(({ object }) => isAlwaysShown(object, context.session));
  return arrangeProblems(data, root, lines, all, mustHave);
};

export const ARRANGE_FORM: ToolForm = {
  complete: completeArrange,
  findProblems: findArrangeProblems,
  describe: async (args, context, mark = UNMARKED) => {
    const given = parseWith('the notes', args, ArrangeArgs);
    const all = await loadBelow(given.note, linkedTo(given), context);
    const root = all.get(given.note);
    if (root?.state !== 'live') return [mark('The note is not there any more: this will be refused.')];
    if (root.hash !== given.base) return [mark('The notes have changed since: this will be refused.')];
    return describeArrange(given, root, linesBelow(all, root, isSummary), all);
  },
};

export const arrangeNotes = async (given: unknown, context: ToolContext): Promise<ToolOutput> => {
  const args = parseWith('the notes', given, ArrangeArgs);
  const { memory, signalId, effectId, actor, now, origin } = context;
  const by = { signalId, effectId, actor, now };
  const { objects, root, lines, visible } = await loadShown(args.note, context);
  const hidden = linkedTo(args).find((id) => !visible.has(id));
  const problems =
    hidden === undefined ? arrangeProblems(args, root, lines, objects) : [`memory has no note ${hidden}`];
  const isOther = args.base !== root.hash;
  // A repeat finds its own change.
  const isRepeat =
    (isOther || problems.length > 0) && (await memory.edit({ by, edits: () => [] })).state === 'repeated';
  if (!isRepeat && isOther)
    throw new ProtocolError('the notes have changed since they were read: read them and propose it again');
  if (!isRepeat && problems.length > 0) throw new ProtocolError(problems.join('; '));
  const result = await memory.edit({
    by,
    edits: (maker) => (isRepeat ? [] : arrangeEdits(args, root, lines, { maker, origin })),
  });
  if (result.state === 'unchanged') return { output: 'Nothing changed: the notes stand so already.', origin: 'agent' };
  const { number, changes } = result.record;
  return { output: `Done, as commit ${number} of ${changes.length} notes. To take it back: /undo`, origin: 'agent' };
};

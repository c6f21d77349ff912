/** Performs `remember` and `edit-memory`. */
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_TAGS_MAX } from '../base/limits.ts';
import { makeVisible } from '../base/make-visible.ts';
import { describeEdit, editedNoteLine } from '../memory/describe-edit.ts';
import type { LiveObject } from '../memory/object.ts';
import { visibleOf } from '../memory/outline.ts';
import { editableNote, NO_PARENT, planEdit } from '../memory/plan-edit.ts';
import type { Objects } from '../memory/read.ts';
import { projectsAbove } from '../memory/scope.ts';
import { joinOrigins } from '../signal/signal.ts';
import { defang } from '../text/tappable.ts';
import type { EditArgs } from './edit-memory.ts';
import { loadIsHidden } from './hidden-notes.ts';
import type { RememberArgs } from './remember.ts';
import type { ToolContext, ToolOutput } from './tool.ts';

/** Tag of a note for somebody without the owner's rights. */
const FROM_MEMBER = 'from-a-member';

type NotePlace = Pick<RememberArgs, 'scope' | 'project'>;

/** @throws ProtocolError if there is no such project */
const placeOf = async ({ scope, project }: NotePlace, { memory, origin }: ToolContext): Promise<NotePlace> => {
  if (scope !== 'project') return { scope };
  if (origin === 'outside') return {};
  const { objects } = await memory.view();
  if (project === undefined || projectsAbove(objects, project).length === 0)
    throw new ProtocolError('no project is chosen to keep it in: /focus a project, then /scope project');
  return { scope, project };
};

const FOUND = {
  memex: '',
  session: ' It is found in this conversation only.',
  project: ' It is found in its project only.',
};

export const storeNote = async (
  { text, tags = [], ...wanted }: RememberArgs,
  context: ToolContext,
): Promise<ToolOutput> => {
  const { memory, origin, effectId, signalId, actor, now, newNonce, askedBy, session } = context;
  const marked = askedBy === 'member' ? [...new Set([FROM_MEMBER, ...tags])].slice(0, MEMORY_TAGS_MAX) : tags;
  const by = { origin, effectId, signalId, actor, now };
  const { scope = 'memex', project } = await placeOf(wanted, context);
  const place = { scope, session, parentId: project };
  const object = await memory.remember({ text, tags: marked, ...place, ...by, nonce: newNonce() });
  const output =
    object.state === 'live'
      ? `Remembered as ${object.id}.${FOUND[object.scope]}`
      : `Remembered as ${object.id}, and ${object.state} since.`;
  return { output, origin: joinOrigins(['agent', origin]) };
};

/** An answer is one message: lines of a difference, and characters of each. */
const ANSWER_LINES_MAX = 40;
const ANSWER_LINE_CHARS_MAX = 200;

const answerLine = (text: string): string => {
  const shown = makeVisible(defang(text));
  return shown.length <= ANSWER_LINE_CHARS_MAX ? shown : `${shown.slice(0, ANSWER_LINE_CHARS_MAX).toWellFormed()}…`;
};

const answerOf = (lines: readonly string[]): string => {
  const left = lines.length - ANSWER_LINES_MAX;
  return [...lines.slice(0, ANSWER_LINES_MAX).map(answerLine), ...(left > 0 ? [`… ${left} more lines`] : [])].join(
    '\n',
  );
};

const liveOf = (objects: Objects, id: string | undefined): LiveObject | undefined => {
  const object = id === undefined || id === NO_PARENT ? undefined : objects.get(id);
  return object?.state === 'live' ? object : undefined;
};

/** The model changes only notes that it may be shown, and hangs them below such notes. */
const checkVisible = async (named: readonly (LiveObject | undefined)[], context: ToolContext): Promise<void> => {
  if (context.actor !== 'agent') return;
  const isHidden = await loadIsHidden(context);
  const { objects } = await context.memory.view();
  const visible = new Set(visibleOf(objects, isHidden).map(({ id }) => id));
  const hidden = named.find((object) => object !== undefined && !visible.has(object.id));
  if (hidden !== undefined)
    throw new ProtocolError(`memory has no object ${hidden.id}; recall shows the ids there are`);
};

/** @throws ProtocolError that says why it cannot be done, and what to do */
export const changeNote = async ({ id, version, ...change }: EditArgs, context: ToolContext): Promise<ToolOutput> => {
  const { memory, origin, effectId, signalId, actor, now, session = '', privacyTags = [] } = context;
  const { objects } = await memory.view();
  const object = editableNote(objects.get(id), id);
  const parent = liveOf(objects, change.parent);
  await checkVisible([object, parent], context);
  const by = { effectId, signalId, actor, now };
  const isOther = version !== undefined && version !== object.version;
  // A repeat finds its own change, and perhaps later ones.
  if (isOther && (await memory.edit({ by, edits: () => [] })).state !== 'repeated')
    throw new ProtocolError('the note has changed since it was read: look at it again, and change it again');
  const edits = isOther ? [] : planEdit(object, change, { objects, session, origin, privacyTags });
  const result = await memory.edit({ by, edits: () => edits });
  const shownOrigin = joinOrigins([origin, object.origin, ...(parent === undefined ? [] : [parent.origin])]);
  if (result.state === 'repeated')
    return { output: `Changed: ${answerLine(editedNoteLine(object))}`, origin: shownOrigin };
  if (result.state === 'unchanged') return { output: 'Nothing changed: the note says so already.', origin: 'agent' };
  const lines = [`Changed: ${editedNoteLine(object)}`, ...describeEdit(object, change, parent)];
  return { output: answerOf(lines), origin: shownOrigin };
};

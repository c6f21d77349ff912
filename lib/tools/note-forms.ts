/**
 * The forms of `remember`, `edit-memory` and `forget`. They fill in the scope that the conversation
 * chose and the version of the note that is changed, and say on the card in plain lines what would
 * be written, what would differ or what would be lost.
 */
import { ProtocolError } from '../base/errors.ts';
import { JsonObject } from '../base/json.ts';
import { describeEdit, editedNoteLine } from '../memory/describe-edit.ts';
import type { LiveObject, MemoryObject } from '../memory/object.ts';
import { editableNote, NO_PARENT } from '../memory/plan-edit.ts';
import { isGroup } from '../signal/channels.ts';
import { argumentProblems } from './argument-problems.ts';
import { EditArgs, editMemory } from './edit-memory.ts';
import { ForgetArgs, forget } from './forget.ts';
import { UNMARKED } from './marks.ts';
import { RememberArgs, remember } from './remember.ts';
import type { ErasedTraces, FormContext, ToolForm } from './tool.ts';

const load = async (id: string | undefined, { loadNotes }: FormContext): Promise<MemoryObject | undefined> =>
  id === undefined || id === NO_PARENT ? undefined : (await loadNotes([id])).get(id);

const liveOf = (object: MemoryObject | undefined): LiveObject | undefined =>
  object?.state === 'live' ? object : undefined;

const completeEdit: ToolForm['complete'] = async (args, context) => {
  const parsed = EditArgs.safeParse(args);
  const object = parsed.success ? liveOf(await load(parsed.data.id, context)) : undefined;
  return object === undefined || 'version' in args ? args : { ...args, version: object.version };
};

/** @returns the fault of a note that cannot be changed, in one sentence */
const noteProblem = (object: MemoryObject | undefined, id: string): readonly string[] => {
  try {
    editableNote(object, id);
    return [];
  } catch (error) {
    if (error instanceof ProtocolError) return [error.message];
    throw error;
  }
};

const findEditProblems: ToolForm['findProblems'] = async (args, context) => {
  const problems = argumentProblems(editMemory, args);
  const parsed = EditArgs.safeParse(args);
  if (problems.length > 0 || !parsed.success) return problems;
  const { id, version, ...change } = parsed.data;
  if (Object.keys(change).length === 0) return ['it names nothing to change'];
  // With its version the note was found, and Act looks at it again when it changes it.
  return version === undefined ? noteProblem(await load(id, context), id) : [];
};

const describeNoteEdit: ToolForm['describe'] = async (args, context, mark = UNMARKED) => {
  const { id, version, ...change } = EditArgs.parse(args);
  const object = liveOf(await load(id, context));
  if (object === undefined) return [mark(`Note: ${id}, which is not there any more`)];
  const isOther = version !== undefined && version !== object.version;
  return [
    isOther
      ? mark(`Note: ${editedNoteLine(object)} (it was changed since: this will be refused)`)
      : `Note: ${editedNoteLine(object)}`,
    ...describeEdit(object, change, liveOf(await load(change.parent, context))),
  ];
};

export const EDIT_FORM: ToolForm = {
  complete: completeEdit,
  findProblems: findEditProblems,
  describe: describeNoteEdit,
};

/** The scope the conversation chose, unless the call names one. */
const completeNote: ToolForm['complete'] = async (args, { chosenScope }) =>
  chosenScope === undefined || 'scope' in args ? args : JsonObject.parse({ ...args, ...chosenScope });

const WHERE = {
  memex: 'everywhere',
  session: 'in this conversation only',
  project: 'while its project is in focus',
} as const;

const describeNote: ToolForm['describe'] = async (args, context) => {
  const { text, tags = [], scope = 'memex', project } = RememberArgs.parse(args);
  const parent = liveOf(await load(project, context));
  return [
    `Text: ${text}`,
    ...(tags.length === 0 ? [] : [`Tags: ${tags.map((tag) => `#${tag}`).join(' ')}`]),
    `Scope: ${scope} (found ${WHERE[scope]})`,
    ...(project === undefined ? [] : [`Below: ${parent === undefined ? project : editedNoteLine(parent)}`]),
  ];
};

export const REMEMBER_FORM: ToolForm = {
  complete: completeNote,
  findProblems: async (args) => argumentProblems(remember, args),
  describe: describeNote,
};

/** The card names the note, but not to a group: others read along there. */
const describeForget: ToolForm['describe'] = async (args, context, mark = UNMARKED) => {
  const { id, signals = [] } = ForgetArgs.parse(args);
  const object = isGroup(context.reply) ? undefined : liveOf(await load(id, context));
  return [
    mark(`You would lose: ${object === undefined ? `the note ${id}` : editedNoteLine(object)}, and the notes below it`),
    ...signals.map((signal) => `And the message ${signal}`),
  ];
};

export const FORGET_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => argumentProblems(forget, args),
  describe: describeForget,
};

const NAMED_MAX = 10;

const named = (ids: readonly string[]): string =>
  `${ids.slice(0, NAMED_MAX).join(', ')}${ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} more` : ''}`;

/** The lines of the answer. @param erased signals that lost words */
export const describeErased = (
  erased: number,
  { literalSignals, literalObjects, approvals, grants, jobs, skills, isWhole }: ErasedTraces,
  summaries: number,
): readonly string[] => [
  ...(erased === 0 ? [] : [`It is also erased from ${erased} signals.`]),
  ...(summaries === 0 ? [] : [`Summaries and notes made from it are forgotten too: ${summaries}.`]),
  ...(literalObjects.length === 0
    ? []
    : [`Other objects hold the same words: ${named(literalObjects)} (/memory <id> shows one).`]),
  ...(literalSignals.length === 0
    ? []
    : [
        `It was made of these signals, or they hold the same words, and they were left as they are: ${named(literalSignals)}.`,
        'To look at one: /why <signal>. To erase the words there too: /forget <id> <signal> …',
      ]),
  ...(approvals.length === 0
    ? []
    : [`These waiting actions hold the same words: ${named(approvals)}. Deny those that should not happen.`]),
  ...(grants.length === 0
    ? []
    : [`These grants hold the same words: ${named(grants)}. To take one back: /revoke <id>; then forget again.`]),
  ...(jobs.length === 0
    ? []
    : [`These jobs hold the same words: ${named(jobs)}. To change one: /jobs edit; its earlier versions stay.`]),
  ...(skills.length === 0
    ? []
    : [`These skills hold the same words: ${named(skills)}. To take one out: /skill remove <name>; its files stay.`]),
  ...(isWhole ? [] : ['There are more signals than were searched.']),
];

/**
 * The forms of `remember` and `edit-memory`. They fill in the scope that the conversation chose and
 * the version of the note that is changed, and say on the card in plain lines what would be written
 * or what would differ.
 */
import { ProtocolError } from '../base/errors.ts';
import { JsonObject } from '../base/json.ts';
import { describeEdit, editedNoteLine } from '../memory/describe-edit.ts';
import type { LiveObject, MemoryObject } from '../memory/object.ts';
import { editableNote, NO_PARENT } from '../memory/plan-edit.ts';
import { argumentProblems } from './argument-problems.ts';
import { EditArgs, editMemory } from './edit-memory.ts';
import { UNMARKED } from './marks.ts';
import { RememberArgs, remember } from './remember.ts';
import type { FormContext, ToolForm } from './tool.ts';

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

/** The verbs of memory: single notes, projects, and what all of memory was. */
import * as z from 'zod/mini';
import { SNAPSHOT_NAME_CHARS_MAX } from '../../core/base/limits.ts';
import { oneOf } from '../../core/operations/one-of.ts';
import type { Change, Look } from '../../core/operations/operation.ts';

/** A name of a file or a title, in a line of a chat. */
const QUESTION_CHARS_MAX = 200;

const named = { needs: 'owner', where: 'named' } as const;
const id = z.string().check(z.toLowerCase(), z.describe('id of a note, or its first 6 characters or more'));
/** An object as a script gets it, without nonce and hashes of the content. */
const ShownObject = z.looseObject({ id: z.string(), type: z.string(), version: z.int(), state: z.string() });
const commit = z.int();

export const remember = {
  kind: 'change',
  name: 'remember',
  summary: 'keep something',
  args: z.strictObject({ text: z.string().check(z.describe('the words to keep, with #tags')) }),
  words: ['text…'],
  form: '<what to keep> [#tag …]',
  needs: 'anyone',
} as const satisfies Change;

export const edit = {
  kind: 'change',
  name: 'edit',
  summary: 'change what is kept',
  args: z.strictObject({ id, changes: z.string().check(z.describe('what changes, as in a chat')) }),
  words: ['id', 'changes…'],
  form: '<id> title <words> | tags #a #b, or +#a -#b | state <word> | property <name> <value> | parent <id or none> | order <number> | scope memex, session or project | text <all that follows>. Several go one a line; - takes a field away',
  ...named,
} as const satisfies Change;

export const projectList = {
  kind: 'look',
  name: 'project list',
  summary: 'the active projects',
  args: z.strictObject({}),
  data: z.looseObject({ projects: z.array(ShownObject) }),
  ...named,
  isDefault: true,
} as const satisfies Look;

export const projectNew = {
  kind: 'change',
  name: 'project new',
  summary: 'begin a project',
  args: z.strictObject({ title: z.string().check(z.describe('its title, with #tags')) }),
  words: ['title…'],
  ...named,
} as const satisfies Change;

export const projectDone = {
  kind: 'change',
  name: 'project done',
  summary: 'end a project',
  args: z.strictObject({ project: z.string().check(z.describe('its title or id')) }),
  words: ['project…'],
  ...named,
} as const satisfies Change;

const scope = { name: 'scope', ...named } as const;

export const scopeShow = {
  ...scope,
  kind: 'look',
  summary: 'where what you keep here is found',
  args: z.strictObject({}),
  data: z.looseObject({ scope: z.string(), project: z.optional(z.string()) }),
} as const satisfies Look;

export const scopeSet = {
  ...scope,
  kind: 'change',
  summary: 'choose where what you keep here is found: memex, session, or project (of the focus)',
  args: z.strictObject({
    scope: oneOf(['memex', 'session', 'project']),
  }),
  words: ['scope'],
} as const satisfies Change;

const focus = { name: 'focus', ...named } as const;

export const focusShow = {
  ...focus,
  kind: 'look',
  summary: 'what this conversation is about',
  args: z.strictObject({}),
  data: z.looseObject({ focus: z.optional(z.string()) }),
} as const satisfies Look;

export const focusSet = {
  ...focus,
  kind: 'change',
  summary: 'say what this conversation is about; off ends it',
  args: z.strictObject({ object: z.string().check(z.describe('id of a note, title of a project, or off')) }),
  words: ['object…'],
} as const satisfies Change;

export const recall = {
  kind: 'look',
  name: 'recall',
  summary: 'find notes by their words',
  args: z.strictObject({ words: z.string().check(z.minLength(1)) }),
  words: ['words…'],
  data: z.looseObject({ objects: z.array(ShownObject) }),
  ...named,
} as const satisfies Look;

export const memory = {
  kind: 'look',
  name: 'memory',
  summary: 'all that is remembered as an outline, or one note',
  args: z.strictObject({ id: z.optional(id) }),
  words: ['id'],
  data: z.looseObject({
    commit: z.optional(commit),
    objects: z.optional(z.array(ShownObject)),
    /** If one was named: it, and those below it. */
    object: z.optional(ShownObject),
    below: z.optional(z.array(ShownObject)),
  }),
  ...named,
} as const satisfies Look;

/** Whether a group hears of memory is a right: it is changed anywhere, by an approver. */
const naming = { kind: 'change', args: z.strictObject({}), needs: 'approver' } as const;

export const memoryOpen = {
  ...naming,
  name: 'memory open',
  summary: 'in a group: memory is read there, and answered from',
  doors: ['chat'],
} as const satisfies Change;

export const memoryAsk = {
  ...naming,
  name: 'memory ask',
  summary: 'in a group: memory is read there, and an answer from it asks first',
  doors: ['chat'],
} as const satisfies Change;

export const memoryClose = {
  ...naming,
  name: 'memory close',
  summary: 'memory is read in a group no more',
  args: z.strictObject({ chat: z.optional(z.string().check(z.describe('id of the group, if not this one'))) }),
  words: ['chat'],
} as const satisfies Change;

export const memoryChats = {
  kind: 'look',
  name: 'memory chats',
  summary: 'the groups that were named for memory',
  args: z.strictObject({}),
  data: z.looseObject({
    chats: z.array(z.object({ chat: z.string(), as: z.string(), by: z.string(), at: z.int() })),
  }),
  needs: 'approver',
} as const satisfies Look;

export const audit = {
  kind: 'look',
  name: 'audit',
  summary: 'who wrote a note when; “audit verify” checks the log of evidence',
  args: z.strictObject({ id }),
  words: ['id'],
  data: z.looseObject({ id: z.optional(z.string()), versions: z.optional(z.array(z.looseObject({}))) }),
  ...named,
} as const satisfies Look;

export const snapshots = {
  kind: 'look',
  name: 'snapshots',
  summary: 'the named states of memory',
  args: z.strictObject({}),
  data: z.looseObject({
    commit,
    snapshots: z.array(z.looseObject({ name: z.string(), commit, hash: z.string(), at: z.int() })),
  }),
  ...named,
} as const satisfies Look;

export const snapshot = {
  kind: 'change',
  name: 'snapshot',
  summary: 'give the state of memory a name',
  args: z.strictObject({
    name: z.optional(z.string().check(z.maxLength(SNAPSHOT_NAME_CHARS_MAX), z.describe('its name'))),
  }),
  words: ['name…'],
  form: `[name], at most ${SNAPSHOT_NAME_CHARS_MAX} letters, digits, spaces, dots and dashes`,
  needs: 'owner',
} as const satisfies Change;

export const diff = {
  kind: 'look',
  name: 'diff',
  summary: 'what changed between two snapshots or commits',
  args: z.strictObject({ from: z.string(), to: z.optional(z.string()) }),
  words: ['from', 'to…'],
  form: '<a> <b>, or <a> .. <b>, each a snapshot or the number of a commit',
  data: z.looseObject({
    from: commit,
    to: commit,
    differences: z.array(
      z.looseObject({ id: z.string(), before: z.nullable(ShownObject), after: z.nullable(ShownObject) }),
    ),
  }),
  ...named,
} as const satisfies Look;

const goingBack = { kind: 'change', needs: 'approver', where: 'named' } as const;

export const rollback = {
  ...goingBack,
  name: 'rollback',
  summary: 'all of memory back to a snapshot or a commit, after a yes',
  args: z.strictObject({ to: z.string().check(z.describe('name of a snapshot, or number of a commit')) }),
  words: ['to…'],
  form: '<snapshot or commit>',
} as const satisfies Change;

export const revert = {
  ...goingBack,
  name: 'revert',
  summary: 'take back one change alone',
  args: z.strictObject({ commit: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(9_999_999_999)) }),
  words: ['commit'],
} as const satisfies Change;

/** A folder that is kept in step with memory asks about one note. The folder gives the answer. */
export const notesAsk = {
  kind: 'change',
  name: 'notes ask',
  summary: 'say in the home chat that a note differs from its file, and which two answers there are',
  args: z.strictObject({
    why: oneOf(['differs', 'gone-from-memory', 'gone-from-file', 'forgotten']),
    file: z.string().check(z.maxLength(QUESTION_CHARS_MAX)),
    title: z.string().check(z.maxLength(QUESTION_CHARS_MAX)),
    code: z.string().check(z.regex(/^[0-9a-f]{6}$/)),
    note: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
  }),
  needs: 'owner',
  doors: ['http'],
} as const satisfies Change;

export const NOTE_OPERATIONS = [
  ...[remember, edit, projectList, projectNew, projectDone, scopeShow, scopeSet, focusShow, focusSet],
  ...[recall, memory, memoryOpen, memoryAsk, memoryClose, memoryChats, audit],
  ...[snapshots, snapshot, diff, rollback, revert, notesAsk],
] as const;

/**
 * Commands about memory, and updates from editors. Answers are read from memory at zero tokens; a
 * change of memory is one call of a tool, because only Act writes memory (I2). In a group nobody is
 * shown objects that are marked private.
 */

import { defined } from '../../../base/defined.ts';
import { ProtocolError } from '../../../base/errors.ts';
import { MEMORY_PLAN_LINES_MAX } from '../../../base/limits.ts';
import { commandNotices } from '../../../judge/command-notices.ts';
import { isNaming } from '../../../ledger/command-rights.ts';
import { loadHead } from '../../../ledger/session-controls.ts';
import { findCommitLeaves } from '../../../log/find-commit-leaves.ts';
import { quickCheck } from '../../../log/quick-check.ts';
import type { MemoryObject } from '../../../memory/object.ts';
import { projectsAbove } from '../../../memory/scope.ts';
import { countNodes, TreeUpdate, treeHash } from '../../../memory/tree-update.ts';
import {
  type CodeAnswer,
  type CodeContext,
  type Command,
  commandOrigin,
  type PayloadOf,
  say,
} from '../../../operations/code-context.ts';
import { isGroup } from '../../../signal/channels.ts';
import { absent, anyOf, below, type Condition } from '../../../store/condition.ts';
import { sessionKey } from '../../../store/keys.ts';
import { updateIf } from '../../../store/update-if.ts';
import { isMarkedPrivate } from '../../../text/privacy.ts';
import { answerMemory, findObject, type MemoryQuestion } from '../../answer-memory.ts';
import { findProject } from '../../find-project.ts';
import { rollbackLine, shortId, titleLine } from '../../memory-lines.ts';
import { nameChat } from './owner-commands.ts';

/** Turns a fault that is meant for the person into a notice. */
export const inWords = async (answer: () => Promise<CodeAnswer>): Promise<CodeAnswer> => {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return say(commandNotices.memoryProblem(error.message));
  }
};

export const buildQuestion = ({ table, memory, privacyTags, signal }: CodeContext, rest: string): MemoryQuestion => ({
  memory,
  findLeaves: (commits) => findCommitLeaves(table, signal.space, commits),
  rest,
  isHidden: isGroup(signal.reply) ? (object) => isMarkedPrivate(object, privacyTags) : () => false,
});

/** `/recall`, `/memory`, `/snapshots`, `/diff`, `/audit`. */
export const answerFromMemory: Command = (context, rest, name) =>
  inWords(async () => {
    const { table, signal } = context;
    const focused = name === 'recall' ? (await loadHead(table, signal))?.focus : undefined;
    const viewpoint = { session: signal.session, focus: focused };
    const { lines, seen } = await answerMemory(name, { ...buildQuestion(context, rest), viewpoint });
    return { notices: [commandNotices.memory(lines)], seen };
  });

export const memory: Command = (context, rest, name) =>
  isNaming(name, rest) ? nameChat(context, rest, name) : answerFromMemory(context, rest, name);

export const audit: Command = (context, rest, name) =>
  rest.toLowerCase() === 'verify'
    ? inWords(async () => say(commandNotices.memory(await quickCheck(context.table, context.signal.space))))
    : answerFromMemory(context, rest, name);

export const focus: Command = (context, rest) => inWords(() => changeFocus(context, rest));

const changeFocus = async (context: CodeContext, rest: string): Promise<CodeAnswer> => {
  const { table, signal } = context;
  if (rest === '') {
    const head = await loadHead(table, signal);
    const text = head?.focus === undefined ? 'Nothing is in focus here.' : `In focus: ${shortId(head.focus)}`;
    return say(commandNotices.memory([text]));
  }
  if (rest.toLowerCase() === 'off') {
    await saveFocus(context, undefined);
    return say(commandNotices.memory(['Nothing is in focus here any more.']));
  }
  const object = await findFocus(context, rest);
  if (object.state !== 'live') throw new ProtocolError(`the object ${shortId(object.id)} was forgotten`);
  await saveFocus(context, object.id);
  const { id, version } = object;
  return { notices: [commandNotices.memory([`In focus here: ${titleLine(object)}`])], seen: [{ id, version }] };
};

/** An object by its id, or an active project by its title. */
const findFocus = async (context: CodeContext, rest: string): Promise<MemoryObject> => {
  const question = buildQuestion(context, rest);
  if (/^[0-9a-f]{1,32}$/i.test(rest)) return findObject(question);
  const { objects } = await context.memory.view();
  return findProject(objects, question.isHidden, rest, 'name an object by its id, or an active project by its title');
};

/** Whether notes of the conversation would go to a project that is not in focus any more. */
const leavesProject = async ({ table, signal, memory: reads }: CodeContext, focused: string | undefined) => {
  const project = (await loadHead(table, signal))?.scopeProject;
  if (project === undefined) return false;
  return focused === undefined || !projectsAbove((await reads.view()).objects, focused).includes(project);
};

/** Stored on the conversation's head. The latest wins, and a repeated message changes nothing. */
const saveFocus = async (context: CodeContext, focused: string | undefined): Promise<void> => {
  const { table, signal } = context;
  const { space, session, receivedAt: at } = signal;
  const isLater: Condition = { name: 'no later focus is set', holds: anyOf(absent('focusAt'), below('focusAt', at)) };
  const set = { schemaVersion: 1, focusAt: at, ...defined({ focus: focused }) };
  // The scope `project` ends with the focus on it: what is kept next could not be found here.
  const remove = [
    ...(focused === undefined ? ['focus'] : []),
    ...((await leavesProject(context, focused)) ? ['scope', 'scopeProject'] : []),
  ];
  const change = remove.length === 0 ? { set } : { set, remove };
  await updateIf(table, sessionKey(space, session), { ...change, setOnce: { startedAt: at } }, isLater);
};

const OBJECT_ID = /^[0-9a-f]{32}$/;
const ID_START = /^[0-9a-f]{6,31}$/i;
const FORGET_USAGE = '/forget <id> [signals], the id as /memory or /recall show it';

/** The words after the id name further signals whose turns are to be erased. */
export const forget: Command = (context, rest) =>
  inWords(async () => {
    const [start = '', ...signals] = rest.split(/\s+/);
    const isStart = ID_START.test(start);
    const id = isStart ? (await findObject(buildQuestion(context, start))).id : start.toLowerCase();
    if (!OBJECT_ID.test(id)) return say(commandNotices.usage(FORGET_USAGE));
    return { call: { tool: 'forget', args: { id, ...(signals.length === 0 ? {} : { signals }) } } };
  });

/**
 * Works out what would change before anybody is asked, so that the approval's card shows it. Act
 * refuses the plan if memory has moved on from the commit it names.
 */
export const rollback: Command = ({ memory: reads }, rest) =>
  inWords(async () => {
    if (rest === '') throw new ProtocolError('/rollback needs a snapshot or a commit number; /snapshots lists them');
    const { target, head, lines } = await reads.planRollback(rest);
    if (lines.every(({ what }) => what === 'stays-forgotten'))
      throw new ProtocolError(`nothing has changed since commit ${target}`);
    const shown = lines.slice(0, MEMORY_PLAN_LINES_MAX);
    const left = lines.length - shown.length;
    const changes = [...shown.map(rollbackLine), ...(left > 0 ? [`… ${left} more`] : [])];
    const { objects } = await reads.view();
    const seen = shown.map(({ id }) => ({ id, version: objects.get(id)?.version ?? 0 }));
    return { call: { tool: 'rollback', args: { to: target, head, changes }, seen } };
  });

/** Takes back one commit alone; changes of others since stay. */
export const revert: Command = ({ memory: reads }, rest) =>
  inWords(async () => {
    if (!/^\d{1,10}$/.test(rest))
      return say(commandNotices.usage('/revert <commit>; the text about a change names its commit'));
    const [record] = await reads.commitsAfter(Number(rest) - 1, 1);
    if (record === undefined) throw new ProtocolError(`memory has no commit ${Number(rest)}`);
    if (record.kind === 'forget') throw new ProtocolError('what was forgotten cannot be brought back');
    return { call: { tool: 'revert', args: { signal: record.signalId, commit: Number(rest) } } };
  });

/** An editor's tree, or the object its cursor is at. */
export const answerMemoryUpdate = async (
  context: CodeContext,
  payload: PayloadOf<'buffer-update' | 'point-update'>,
): Promise<CodeAnswer> => {
  if (commandOrigin(context.signal) !== 'owner') return say(commandNotices.mayNotChangeMemory());
  if (payload.sensor === 'point-update') return inWords(() => changeFocus(context, payload.objectId));
  const update = TreeUpdate.safeParse(payload.tree);
  if (!update.success) return say(commandNotices.memory(['That tree has no form I know; nothing was changed.']));
  if (update.data.isPart === true) return { ending: 'a part of a tree: it waits for the signal that names it' };
  // The action stands for exactly this tree: it names its hash.
  const args = { tree: treeHash(update.data), nodes: countNodes(update.data) };
  return { call: { tool: 'ingest', args, explanation: 'sent by an editor or an import' } };
};

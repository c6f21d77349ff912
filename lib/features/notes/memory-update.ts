/**
 * Updates from editors: a tree that one sends, and the object its cursor is at, which comes into
 * the focus of a conversation. A change of memory is one call of a tool, because only Act writes
 * memory (I2). In a group nobody is shown objects that are marked private.
 */
import { defined } from '../../core/base/defined.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { commandNotices } from '../../core/judge/command-notices.ts';
import { loadHead } from '../../core/ledger/session-controls.ts';
import type { MemoryObject } from '../../core/memory/object.ts';
import { projectsAbove } from '../../core/memory/scope.ts';
import { countNodes, TreeUpdate, treeHash } from '../../core/memory/tree-update.ts';
import {
  say as answer,
  type CodeAnswer,
  type CodeContext,
  commandOrigin,
  hiderOf,
} from '../../core/operations/code-context.ts';
import { payloadOf } from '../../core/operations/hooks.ts';
import { absent, anyOf, below, type Condition } from '../../core/store/condition.ts';
import { sessionKey } from '../../core/store/keys.ts';
import { updateIf } from '../../core/store/update-if.ts';
import { findObject } from './find-object.ts';
import { findProject } from './find-project.ts';
import { shortId, titleLine } from './memory-lines.ts';
import { type NoteTexts, noteTexts } from './texts.ts';

/** @param rest `off`, the id of an object, or the title of a project. @throws ProtocolError */
export const changeFocus = async (context: CodeContext, rest: string): Promise<CodeAnswer> => {
  const say = await noteTexts.in(context.language);
  if (rest.toLowerCase() === 'off') {
    await saveFocus(context, undefined);
    return answer(commandNotices.memory([say.focusEnded]));
  }
  const object = await findFocus(context, rest, say);
  if (object.state !== 'live') throw new ProtocolError(say.focusForgotten(shortId(object.id)));
  await saveFocus(context, object.id);
  const { id, version } = object;
  return { notices: [commandNotices.memory([say.focusSet(titleLine(object, say))])], seen: [{ id, version }] };
};

/** An object by its id, or an active project by its title. */
const findFocus = async (context: CodeContext, rest: string, say: NoteTexts): Promise<MemoryObject> => {
  const { objects } = await context.memory.view();
  if (/^[0-9a-f]{1,32}$/i.test(rest)) return findObject(objects, hiderOf(context), rest, say);
  return findProject(objects, hiderOf(context), rest, say, say.noneToFocus);
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

/** An editor's tree, or the object its cursor is at. */
export const answerMemoryUpdate = async (context: CodeContext): Promise<CodeAnswer> => {
  const { payload } = context.signal;
  if (commandOrigin(context.signal) !== 'owner') return answer(commandNotices.mayNotChangeMemory());
  if (payload.sensor === 'point-update')
    return changeFocus(context, payload.objectId).catch((error: unknown) => {
      if (!(error instanceof ProtocolError)) throw error;
      return answer(commandNotices.notSet(error.message));
    });
  const update = TreeUpdate.safeParse(payloadOf(context, 'buffer-update').tree);
  if (!update.success) return answer(commandNotices.memory([(await noteTexts.in(context.language)).unknownTree]));
  if (update.data.isPart === true) return { ending: 'a part of a tree: it waits for the signal that names it' };
  // The action stands for exactly this tree: it names its hash.
  const { isGone } = update.data;
  const args = { tree: treeHash(update.data), nodes: countNodes(update.data), ...defined({ isGone }) };
  return { call: { tool: 'ingest', args, explanation: 'sent by an editor or an import' } };
};

/**
 * What Perceive makes of commands about memory and of an editor's updates: an answer read from memory at zero tokens, a change
 * of the focus, or the one action that a change of memory is (only Act writes memory, I2). Who may
 * use which command where is asked before (`command-access.ts`); in a group nobody is shown what is
 * marked private.
 */

import { ProtocolError } from '../../base/errors.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { isNaming } from '../../ledger/command-rights.ts';
import { loadHead } from '../../ledger/session-controls.ts';
import { findCommitLeaves } from '../../log/find-commit-leaves.ts';
import { quickCheck } from '../../log/quick-check.ts';
import { countNodes, TreeUpdate, treeHash } from '../../memory/tree-update.ts';
import { isGroup } from '../../signal/asker.ts';
import type { SeenObject } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Table } from '../../store/table.ts';
import { isMarkedPrivate } from '../../text/privacy.ts';
import { answerMemory, findObject, isMemoryQuestion, type MemoryQuestion, type MemoryReads } from '../answer-memory.ts';
import { shortId, titleLine } from '../memory-lines.ts';
import { planRollbackCall } from '../plan-rollback.ts';
import { type CommandCall, commandOrigin } from './command-action.ts';
import { forgetCall } from './command-calls.ts';
import { saveFocus } from './focus.ts';

export interface MemoryCommandDeps {
  readonly table: Pick<Table, 'load' | 'update' | 'query' | 'queryIndex'>;
  readonly memory: MemoryReads;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags: readonly string[];
}

/** What is to be said, and which objects it shows; or the action to be judged; or why there is nothing to do. */
export type MemoryReflex =
  | { readonly notices: readonly Notice[]; readonly seen: readonly SeenObject[] }
  | { readonly call: CommandCall }
  | { readonly ending: string };

const say = (notice: Notice, seen: readonly SeenObject[] = []): MemoryReflex => ({ notices: [notice], seen });

const questionOf = (
  { table, memory, privacyTags }: MemoryCommandDeps,
  signal: Signal,
  rest: string,
): MemoryQuestion => ({
  memory,
  findLeaves: (commits) => findCommitLeaves(table, signal.space, commits),
  rest,
  isHidden: isGroup(signal.reply) ? (object) => isMarkedPrivate(object, privacyTags) : () => false,
});

const ID_START = /^[0-9a-f]{6,31}(?=\s|$)/i;

/** Commands of this file; `forget` only where its id is a start, which has to be looked up. */
const isOurs = (name: string, rest: string): boolean =>
  isMemoryQuestion(name) || name === 'focus' || name === 'rollback' || (name === 'forget' && ID_START.test(rest));

const focusOn = async (deps: MemoryCommandDeps, signal: Signal, question: MemoryQuestion): Promise<MemoryReflex> => {
  const { rest } = question;
  if (rest === '') {
    const { focus } = (await loadHead(deps.table, signal)) ?? {};
    return say(notices.memory([focus === undefined ? 'Nothing is in focus here.' : `In focus: ${shortId(focus)}`]));
  }
  if (rest.toLowerCase() === 'off') {
    await saveFocus(deps.table, signal, undefined, signal.receivedAt);
    return say(notices.memory(['Nothing is in focus here any more.']));
  }
  const object = await findObject(question);
  if (object.state !== 'live') throw new ProtocolError(`the object ${shortId(object.id)} was forgotten`);
  await saveFocus(deps.table, signal, object.id, signal.receivedAt);
  return say(notices.memory([`In focus here: ${titleLine(object)}`]), [{ id: object.id, version: object.version }]);
};

const answer = async (deps: MemoryCommandDeps, signal: Signal, name: string, rest: string): Promise<MemoryReflex> => {
  const question = questionOf(deps, signal, rest);
  if (name === 'audit' && rest.toLowerCase() === 'verify')
    return say(notices.memory(await quickCheck(deps.table, signal.space)));
  if (name === 'focus') return focusOn(deps, signal, question);
  if (name === 'rollback') return { call: await planRollbackCall(deps.memory, rest) };
  if (name === 'forget') {
    const [start = '', ...signals] = rest.split(/\s+/);
    return { call: forgetCall((await findObject({ ...question, rest: start })).id, signals) };
  }
  const { lines, seen } = await answerMemory(name, question);
  return say(notices.memory(lines), seen);
};

/** The action stands for exactly this tree: it names its hash. */
const ingest = (tree: unknown): MemoryReflex => {
  const update = TreeUpdate.safeParse(tree);
  if (!update.success) return say(notices.memory(['That tree has no form I know; nothing was changed.']));
  if (update.data.isPart === true) return { ending: 'a part of a tree: it waits for the signal that names it' };
  const args = { tree: treeHash(update.data), nodes: countNodes(update.data) };
  return { call: { tool: 'ingest', args, explanation: 'sent by an editor or an import' } };
};

/** @returns undefined for everything that is not about memory. @throws UnavailableError (retryable). */
export const answerMemoryReflex = async (
  deps: MemoryCommandDeps,
  signal: Signal,
): Promise<MemoryReflex | undefined> => {
  const { payload } = signal;
  const isCommand =
    payload.sensor === 'command' && isOurs(payload.name, payload.rest.trim()) && !isNaming(payload.name, payload.rest);
  if (!isCommand && payload.sensor !== 'buffer-update' && payload.sensor !== 'point-update') return undefined;
  if (!isCommand && commandOrigin(signal) !== 'owner') return say(notices.mayNotChangeMemory());
  try {
    switch (payload.sensor) {
      case 'buffer-update':
        return ingest(payload.tree);
      case 'point-update':
        return await focusOn(deps, signal, questionOf(deps, signal, payload.objectId));
      default:
        return await answer(deps, signal, payload.name, payload.rest.trim());
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return say(notices.memoryProblem(error.message));
  }
};

/**
 * Begins a helper: its signal, its row and the counts that bound it are one transaction, so that it
 * exists once and never beyond its bounds. Its words are the model's, or outside text if the asking
 * turn was shown any; only the list of its tools is code's.
 */
import { ConditionError, ProtocolError } from '../../core/base/errors.ts';
import { MINUTE_MS, SWEEP_BACKOFF_MS } from '../../core/base/limits.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { parseRecord } from '../../core/ledger/ledger.ts';
import { buildRecordItem } from '../../core/ledger/record.ts';
import type { PerceiveMessage } from '../../core/signal/messages.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../core/signal/signal.ts';
import { withTools } from '../../core/signal/task-tools.ts';
import { absent, anyOf, atMost, IS_NEW } from '../../core/store/condition.ts';
import { indexPartitions, jobKeys, type Key, signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Publish } from '../../core/store/queue.ts';
import type { Item, Table, Write } from '../../core/store/table.ts';
import { ROLE } from './role.ts';
import {
  parseTask,
  TASK_MS_MAX,
  TASKS_AT_ONCE_MAX,
  TASKS_OF_TURN_MAX,
  type Task,
  taskCounts,
  taskIdOf,
  taskOfSession,
  taskSession,
  whyNoHelper,
} from './task.ts';
import type { TaskArgs } from './task-args.ts';
import type { DelegationPowers } from './tools.ts';

type Asked = Parameters<DelegationPowers['begin']>[1];

const buildTaskSignal = (space: string, id: string, args: TaskArgs, { origin, now }: Asked): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id,
  type: 'EVENT',
  source: 'job',
  space,
  session: taskSession(id),
  root: id,
  depth: 0,
  receivedAt: now,
  sender: { id: `job:${id}`, isApprover: false },
  reply: { target: 'system', to: '' },
  payload: {
    sensor: 'job-due',
    job: id,
    slot: now,
    text: [
      { text: args.words, origin: origin === 'outside' ? 'outside' : 'agent', label: 'task' },
      { text: withTools(ROLE, args.tools), origin: 'owner', label: 'role' },
    ],
  },
});

const buildRow = (space: string, id: string, args: TaskArgs, asked: Asked, asking: Signal): Item =>
  ({
    schemaVersion: 1,
    job: id,
    kind: 'run',
    instant: asked.now,
    state: 'fired',
    capUsd: args.capUsd,
    askedBy: asking.id,
    n: Number(asked.effectId.split('#').at(-1)),
    session: asking.session,
    root: asking.root,
    origin: asked.origin === 'outside' ? 'outside' : 'agent',
    depthLeft: args.depth - 1,
    at: asked.now,
    endsAt: asked.now + TASK_MS_MAX,
    looks: 0,
    unfinishedSpace: indexPartitions.jobs(space),
    unfinishedAt: asked.now + MINUTE_MS,
  }) satisfies Task & Item;

const counted = (key: Key, attribute: string, most: number, name: string): Write => ({
  kind: 'update',
  key,
  change: { set: { schemaVersion: 1 }, add: { [attribute]: 1 } },
  condition: { name, holds: anyOf(absent(attribute), atMost(attribute, most - 1)) },
});

const FULL_TURN = 'turn-tasks';
const FULL = 'open-tasks';

const PROBLEMS: Readonly<Record<string, string>> = {
  [FULL_TURN]: `a turn has ${TASKS_OF_TURN_MAX} helpers at most`,
  [FULL]: `${TASKS_AT_ONCE_MAX} helpers work already: /tasks lists them`,
};

type TaskTable = Pick<Table, 'load' | 'transact'>;

/** @returns false if it had begun before. @throws ProtocolError if there is no room */
const store = async (table: TaskTable, signal: Signal, row: Item, root: string): Promise<boolean> => {
  const { space, id, receivedAt } = signal;
  const item = buildRecordItem(signal, 'received', receivedAt + SWEEP_BACKOFF_MS[0]);
  try {
    await table.transact([
      { kind: 'put', key: signalKeys.record(space, id), item, condition: IS_NEW },
      { kind: 'put', key: jobKeys.occurrence(space, id), item: row, condition: IS_NEW },
      counted(taskCounts.ofTurn(space, root), 'count', TASKS_OF_TURN_MAX, FULL_TURN),
      counted(taskCounts.open(space), 'open', TASKS_AT_ONCE_MAX, FULL),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if ((await loadItem(table, jobKeys.occurrence(space, id))) !== undefined) return false;
    throw new ProtocolError(PROBLEMS[error.condition] ?? error.message);
  }
};

export const buildDelegationPowers = (
  table: TaskTable,
  space: string,
  publish: Publish<PerceiveMessage>,
): DelegationPowers => ({
  begin: async (args, asked) => {
    const item = await loadItem(table, signalKeys.record(space, asked.signalId));
    if (item === undefined) throw new ProtocolError('the message that asked for it is gone');
    const { signal: asking } = parseRecord(asked.signalId, item);
    const above = taskOfSession(asking.session);
    const row = above === undefined ? undefined : await loadItem(table, jobKeys.occurrence(space, above));
    const why = whyNoHelper(asking.session, row && parseTask(row), args.depth);
    if (why !== undefined) throw new ProtocolError(why);
    const id = taskIdOf(asked.effectId);
    const signal = buildTaskSignal(space, id, args, asked);
    await store(table, signal, buildRow(space, id, args, asked, asking), asking.root);
    await publish(perceiveMessage(signal), 'perceive:0');
    return id;
  },
});

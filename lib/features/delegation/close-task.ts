/**
 * Ends a helper when its turn has ended, its time is over or everything was stopped, and reports it
 * to the turn that asked. The report is a signal that follows the asking one, with the answers of
 * all helpers of that decision as results of their calls: it comes once, when the last has ended.
 * The rest of its cap goes back to whoever paid it. Each step may be repeated.
 */
import { defined } from '../../core/base/defined.ts';
import { ConditionError, ContendedError } from '../../core/base/errors.ts';
import { CONFLICT_TRIES_MAX, MINUTE_MS } from '../../core/base/limits.ts';
import { acceptSignal } from '../../core/ledger/accept.ts';
import { isStoppedFor, killSwitchKey, readKillSwitch } from '../../core/ledger/kill-switch.ts';
import { buildActionResult, noteChildren, parseDecision, parseEffect, parseRecord } from '../../core/ledger/ledger.ts';
import { parseHead } from '../../core/ledger/session.ts';
import {
  entryName,
  parseDaySpend,
  sessionEntry,
  shortName,
  spendKey,
  storedEntry,
  storedText,
} from '../../core/money/day-spend.ts';
import { isText } from '../../core/signal/action.ts';
import type { Decision } from '../../core/signal/decision.ts';
import { childId } from '../../core/signal/ids.ts';
import type { OccurrenceState } from '../../core/signal/job-run.ts';
import { DELEGATE } from '../../core/signal/job-run.ts';
import type { PerceiveMessage } from '../../core/signal/messages.ts';
import { type ActionResult, buildChild, joinOrigins, type Signal } from '../../core/signal/signal.ts';
import { absent, allOf, type Condition, equals } from '../../core/store/condition.ts';
import { jobKeys, sessionKey, signalKeys } from '../../core/store/keys.ts';
import { loadItem, loadNamed } from '../../core/store/load-named.ts';
import type { Publish } from '../../core/store/queue.ts';
import type { Table, Write } from '../../core/store/table.ts';
import { updateIf, wasWritten } from '../../core/store/update-if.ts';
import { nameShown } from '../../core/tools/show-objects.ts';
import { type EndedTurn, loadEndedTurn, loadTasksOf, type NumberedTask } from './read-turn.ts';
import { NOTE } from './role.ts';
import { parseTask, TASK_ANSWER_CHARS_MAX, TASK_MS_MAX, type Task, taskCounts, taskSession } from './task.ts';

export interface CloseDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update' | 'transact'>;
  readonly space: string;
  readonly now: number;
  readonly publishPerceive: Publish<PerceiveMessage>;
  /** This role may write what was spent. Without it the whole cap stays paid. */
  readonly mayPay: boolean;
}

interface Outcome {
  readonly state: OccurrenceState;
  readonly why?: string;
}

const NO_ANSWER = 'it ended without an answer';
const TOO_LONG = `it had not ended after ${TASK_MS_MAX / (60 * MINUTE_MS)} hours`;

/** Undefined while it works. */
const outcomeOf = async ({ table, space, now }: CloseDeps, id: string, task: Task): Promise<Outcome | undefined> => {
  const killSwitch = readKillSwitch(await loadItem(table, killSwitchKey(space)));
  if (isStoppedFor(killSwitch, task.at)) return { state: 'stopped', why: 'everything was stopped' };
  const turn = await loadEndedTurn(table, space, id);
  if (turn !== undefined)
    return turn.answer === '' ? { state: 'did-nothing', why: turn.why ?? NO_ANSWER } : { state: 'fired' };
  return now < task.endsAt ? undefined : { state: 'failed', why: TOO_LONG };
};

/** Gives back what the asking turn paid and the helper did not spend; nothing on another day. */
const planReturn = async ({ table, space, now }: CloseDeps, id: string, task: Task): Promise<readonly Write[]> => {
  const counter = spendKey(space, now);
  if (counter.pk !== spendKey(space, task.at).pk) return [];
  const items = await loadNamed(table, {
    spend: counter,
    own: sessionKey(space, taskSession(id)),
    asking: sessionKey(space, task.session),
  });
  const seen = parseDaySpend(items.spend);
  const headOf = (session: string, item = items.own) =>
    item === undefined ? undefined : parseHead(session, item).spend;
  const spent = sessionEntry(seen, taskSession(id), headOf(taskSession(id)))?.usd ?? 0;
  const entry = sessionEntry(seen, task.session, headOf(task.session, items.asking));
  const change = Math.min(spent, task.capUsd) - task.capUsd;
  if (entry === undefined || entry.usd + change < 0) return [];
  const turnUsd = entry.turn === shortName(task.root) ? Math.max(0, entry.turnUsd + change) : entry.turnUsd;
  const name = entryName(task.session);
  const stored = storedEntry(seen, task.session);
  const isAsRead =
    stored === undefined
      ? allOf(absent(name), seen.releases === 0 ? absent('releases') : equals('releases', seen.releases))
      : equals(name, stored.stored);
  return [
    {
      kind: 'update',
      key: counter,
      // Its own spending is in the day's sum already.
      change: {
        set: { [name]: storedText(task.session, { ...entry, turnUsd, usd: entry.usd + change }) },
        add: { usd: -task.capUsd },
      },
      condition: { name: 'the conversation is as read', holds: isAsRead },
    },
  ];
};

const IS_OPEN: Condition = { name: 'the helper works', holds: allOf(equals('sk', 'task'), absent('closedAt')) };

const closeWrites = ({ space, now }: CloseDeps, id: string, outcome: Outcome): readonly Write[] => [
  {
    kind: 'update',
    key: jobKeys.occurrence(space, id),
    change: { set: { closedAt: now, unfinishedAt: now, ...defined({ state: outcome.state, why: outcome.why }) } },
    condition: IS_OPEN,
  },
  {
    kind: 'update',
    key: taskCounts.open(space),
    change: { add: { open: -1 } },
    condition: { name: 'helpers are counted', holds: equals('sk', taskCounts.open(space).sk) },
  },
];

/** If others keep changing the day's counter, the price stays. */
const close = async (deps: CloseDeps, id: string, task: Task, outcome: Outcome): Promise<void> => {
  const writes = closeWrites(deps, id, outcome);
  for (let left = deps.mayPay ? CONFLICT_TRIES_MAX : 0; left >= 0; left -= 1) {
    const returned = left === 0 ? [] : await planReturn(deps, id, task);
    try {
      await deps.table.transact([...writes, ...returned]);
      return;
    } catch (error) {
      if (error instanceof ConditionError && error.condition === IS_OPEN.name) return;
      if (!(error instanceof ConditionError || error instanceof ContendedError) || left === 0) throw error;
    }
  }
};

const leaveIndex = (table: CloseDeps['table'], space: string, id: string): Promise<boolean> =>
  updateIf(
    table,
    jobKeys.occurrence(space, id),
    { remove: ['unfinishedSpace', 'unfinishedAt'] },
    { name: 'the helper is there', holds: equals('sk', 'task') },
  );

const cut = (text: string): string =>
  text.length <= TASK_ANSWER_CHARS_MAX ? text : `${text.slice(0, TASK_ANSWER_CHARS_MAX).toWellFormed()}\n[cut]`;

/** Names that one report holds beside the answer. */
const SHOWN_MAX = 100;

/** JSON, by which a forgetting finds what it was made of (`core/tools/show-objects.ts`). */
const outputOf = (id: string, turn: EndedTurn): string =>
  JSON.stringify({
    answer: cut(turn.answer),
    note: NOTE,
    turns: [id],
    shown: turn.shown.slice(0, SHOWN_MAX).map(nameShown),
  });

const resultOf = async ({ table, space }: CloseDeps, { n, id, task }: NumberedTask): Promise<ActionResult> => {
  const turn = task.state === 'fired' ? await loadEndedTurn(table, space, id) : undefined;
  if (turn === undefined)
    return {
      n,
      tool: DELEGATE,
      state: 'failed',
      output: `the helper gave no answer: ${task.why ?? NO_ANSWER}`,
      origin: task.origin,
    };
  return {
    n,
    tool: DELEGATE,
    state: 'done',
    output: outputOf(id, turn),
    origin: joinOrigins([task.origin, turn.origin]),
  };
};

/** Results of the other calls of the same answer: without them it would look as if nobody knew. */
const otherResults = async (
  { table, space }: CloseDeps,
  { signalId, actions }: Decision,
): Promise<readonly ActionResult[]> => {
  const others = actions.flatMap(({ action }, n) =>
    action.author === 'model' && !isText(action) && action.tool !== DELEGATE ? [n] : [],
  );
  const items = await table.load(
    others.map((n) => signalKeys.effect(space, signalId, n)),
    { isConsistent: true },
  );
  return items.flatMap((item, index) => {
    if (item === undefined) return [];
    return [buildActionResult(parseEffect(signalId, item), actions[others[index] ?? 0]?.action)];
  });
};

const buildReport = async (
  deps: CloseDeps,
  asking: Signal,
  decision: Decision,
  told: string,
  tasks: readonly NumberedTask[],
): Promise<Signal> => {
  const own = await Promise.all(tasks.map((one) => resultOf(deps, one)));
  const results = [...own, ...(await otherResults(deps, decision))].sort((a, b) => a.n - b.n);
  const sensor = own.some(({ state }) => state === 'done') ? 'tool-output' : 'tool-error';
  return buildChild(asking, told.slice(asking.id.length + 1), { sensor, results }, deps.now);
};

/** The report of all helpers of a decision that have ended; undefined while one of them works. */
const claimReport = async (
  { table, space }: CloseDeps,
  signalId: string,
  task: Task,
  siblings: readonly NumberedTask[],
): Promise<string | undefined> => {
  if (task.told !== undefined) return task.told;
  if (siblings.some((one) => one.task.closedAt === undefined)) return undefined;
  const untold = siblings.filter((one) => one.task.told === undefined);
  const told = childId(signalId, `t${untold[0]?.n ?? task.n}`);
  const writes = untold.map(
    ({ id }): Write => ({
      kind: 'update',
      key: jobKeys.occurrence(space, id),
      change: { set: { told } },
      condition: { name: 'nobody was told', holds: allOf(equals('sk', 'task'), absent('told')) },
    }),
  );
  return (await wasWritten(table.transact(writes))) ? told : undefined;
};

const report = async (deps: CloseDeps, id: string, task: Task): Promise<void> => {
  const { table, space } = deps;
  const items = await loadNamed(table, {
    asking: signalKeys.record(space, task.askedBy),
    decision: signalKeys.decision(space, task.askedBy),
    killSwitch: killSwitchKey(space),
  });
  const record = items.asking && parseRecord(task.askedBy, items.asking);
  // Nobody goes on with what was stopped, or forgotten.
  const isOver = isStoppedFor(readKillSwitch(items.killSwitch), task.at) || record?.forgottenAt !== undefined;
  if (record === undefined || items.decision === undefined || isOver) return void (await leaveIndex(table, space, id));
  const decision = parseDecision(task.askedBy, items.decision);
  const told = await claimReport(deps, task.askedBy, task, await loadTasksOf(table, space, decision));
  if (told === undefined) return;
  const tasks = (await loadTasksOf(table, space, decision)).filter((one) => one.task.told === told);
  const signal = await buildReport(deps, record.signal, decision, told, tasks);
  await noteChildren(table, record.signal, [signal.id]);
  await acceptSignal({ table, publish: deps.publishPerceive }, signal);
  for (const one of tasks) await leaveIndex(table, space, one.id);
};

/** Longest wait between two looks of the heartbeat: a person may take an hour to decide. */
const LOOK_MS_MAX = 16 * MINUTE_MS;

const lookLater = async (
  { table, space, now }: CloseDeps,
  id: string,
  { looks, endsAt, closedAt }: Task,
): Promise<void> => {
  const waitMs = Math.min(LOOK_MS_MAX, MINUTE_MS * 2 ** Math.min(looks, 10));
  const unfinishedAt =
    closedAt === undefined ? Math.max(now + MINUTE_MS, Math.min(now + waitMs, endsAt)) : now + waitMs;
  const isInIndex = { name: 'it is in the index', holds: equals('unfinishedSpace', `unfinished#${space}#jobs`) };
  await updateIf(table, jobKeys.occurrence(space, id), { set: { unfinishedAt }, add: { looks: 1 } }, isInIndex);
};

/** Ends the helper if it has ended, or may not go on, and reports it. */
export const lookAtTask = async (deps: CloseDeps, id: string): Promise<void> => {
  const key = jobKeys.occurrence(deps.space, id);
  const load = async (): Promise<Task | undefined> => {
    const item = await loadItem(deps.table, key);
    return item === undefined ? undefined : parseTask(item);
  };
  const found = await load();
  if (found?.unfinishedAt === undefined) return;
  if (found.closedAt === undefined) {
    const outcome = await outcomeOf(deps, id, found);
    if (outcome !== undefined) await close(deps, id, found, outcome);
  }
  const task = await load();
  if (task?.closedAt !== undefined) await report(deps, id, task);
  const left = await load();
  if (left?.unfinishedAt !== undefined) await lookLater(deps, id, left);
};

/**
 * Puts a text that is over its source's share into the digest of its source and hour: its effect
 * is settled as done in the very transaction that adds the line, so each line is told or in the
 * digest, once (I15). What a person waits for is never put off. It is known by stored facts: who
 * started the work, and whether a yes was spent in it.
 */
import { defined } from '../../../base/defined.ts';
import { addLine, digestKey, parseDigest, sourceOf } from '../../../ledger/digests.ts';
import { hourlyShare, newsKind, takeHomeChatSlot } from '../../../ledger/home-chat.ts';
import { parseEffect, parseRecord } from '../../../ledger/ledger.ts';
import { jobOf } from '../../../money/day-spend.ts';
import type { JudgedAction } from '../../../signal/decision.ts';
import { chainOf, stepSuffix } from '../../../signal/ids.ts';
import { ReplyRoute, type Signal } from '../../../signal/signal.ts';
import { jobKeys, signalKeys } from '../../../store/keys.ts';
import { loadItem } from '../../../store/load-named.ts';
import type { Item } from '../../../store/table.ts';
import type { ActDeps, ActTurn, LoadedTask } from '../act-context.ts';
import type { Addition, Claiming, Problem } from '../guard.ts';
import { loadStanding, whyUnserved } from '../served.ts';
import { mutedFor } from './muted.ts';

/** Steps of a run that are looked through for a yes, the newest. */
const STEPS_READ_MAX = 100;

const wasApproved = (id: string, item: Item): boolean => {
  const { approvalId, state } = parseEffect(id, item);
  return approvalId !== undefined && state !== 'refused' && state !== 'suspended';
};

/** A yes was spent above it in its turn, or in an earlier step of its run. */
const followsAYes = async ({ table }: ActDeps, { stepRun }: ActTurn, { signal }: LoadedTask): Promise<boolean> => {
  const { space } = signal;
  const above = await Promise.all(
    chainOf(signal.id)
      .slice(0, -1)
      .map(async (id) => {
        const page = await table.query({ pk: signalKeys.partition(space, id), skPrefix: 'effect#' });
        return page.items.some((item) => wasApproved(id, item));
      }),
  );
  if (above.includes(true) || stepRun === undefined) return above.includes(true);
  const steps = stepRun.ended.slice(-STEPS_READ_MAX).map(({ n }) => `${stepRun.id}/${stepSuffix(n)}`);
  const items = await table.load(steps.map((id) => signalKeys.effect(space, id, 0)));
  return items.some((item, n) => item !== undefined && wasApproved(steps[n] ?? '', item));
};

/** A person waits for it: they started the work, or said yes to it. */
const isWaitedFor = async (deps: ActDeps, turn: ActTurn, task: LoadedTask): Promise<boolean> => {
  const { run, stepRun } = turn;
  if (task.approvalId !== undefined || run?.kind === 'run') return true;
  if (stepRun?.approved !== undefined && stepRun.approved.job === undefined) return true;
  return followsAYes(deps, turn, task);
};

/** The run of the job before it failed too. The job counts a run once that is closed. */
const isFailingAgain = async ({ table }: ActDeps, { run }: ActTurn, space: string, job: string): Promise<boolean> => {
  const item = await loadItem(table, jobKeys.record(space, job));
  return Number(item?.failures ?? 0) > (run?.closedAt === undefined ? 0 : 1);
};

/**
 * Of the failures of a job in a row, the first is told at once.
 * @param at when the text reaches its chat
 * @returns whether the text is over its source's share; if not, it has taken a part of it
 */
const isOverShare = async (
  deps: ActDeps,
  turn: ActTurn,
  task: LoadedTask,
  { action }: JudgedAction,
  at: number,
): Promise<boolean> => {
  const { signal, effect } = task;
  const kind = newsKind(signal, action);
  // A text that was tried before has its part already.
  if (effect !== undefined || kind === undefined) return false;
  if (await isWaitedFor(deps, turn, task)) return false;
  const job = jobOf(signal.session);
  if (kind === 'failure' && job !== undefined) return isFailingAgain(deps, turn, signal.space, job);
  return !(await takeHomeChatSlot(deps.table, signal, at, hourlyShare(turn.stepRun?.inputs)));
};

/** The event that the text tells of; undefined if it tells of none. */
const eventOf = async ({ table }: ActDeps, { run }: ActTurn, { space, root }: Signal): Promise<string | undefined> => {
  const id = run?.eventId ?? root;
  const item = await loadItem(table, signalKeys.record(space, id));
  const payload = item && parseRecord(id, item).signal.payload;
  return payload?.sensor === 'webhook' ? payload.event : undefined;
};

/** @param until when the chat is muted no more; undefined if it is not muted */
export const planDigest = async (
  deps: ActDeps,
  turn: ActTurn,
  { signal, n }: Pick<LoadedTask, 'signal' | 'n'>,
  { action }: JudgedAction,
  now: number,
  until: number | undefined,
): Promise<Addition> => {
  const { id, space, session } = signal;
  const { target, to, topic } = action;
  const key = digestKey(signal, action, now, until);
  const item = await loadItem(deps.table, key);
  const place = ReplyRoute.parse({ target, to, topic });
  const kind = newsKind(signal, action) === 'failure' ? 'failure' : await eventOf(deps, turn, signal);
  const added = { space, session, place, line: { id, n, at: now, ...defined({ kind }) }, until };
  const source = sourceOf(session);
  return {
    settled: {
      state: 'done',
      output: `In the digest of ${source}: /news ${source} shows it whole.`,
      outputOrigin: 'agent',
      because: { code: 'in-digest' },
    },
    writes: [addLine(key, added, item === undefined ? undefined : parseDigest(item))],
  };
};

/** Over its source's share a text becomes a line of a digest. */
export const digestOverShare = async (
  deps: ActDeps,
  turn: ActTurn,
  task: LoadedTask,
  { judged, now }: Claiming,
): Promise<Addition | Problem | undefined> => {
  const until = mutedFor(deps, turn, judged.action, now);
  if (!(await isOverShare(deps, turn, task, judged, Math.max(now, until ?? 0)))) return undefined;
  const { chat } = await loadStanding(deps, task);
  const problem = whyUnserved(deps, task, chat);
  return problem === undefined ? planDigest(deps, turn, task, judged, now, until) : { problem };
};

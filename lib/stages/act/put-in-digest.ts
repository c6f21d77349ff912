/**
 * Puts a routine text that is over its source's share into the digest of its source and hour: its
 * effect is settled as done in the very transaction that adds the line, so each line is told or in
 * the digest, once (I15). What a person waits for is never put off. It is known by stored facts:
 * who started the work, and whether a yes was spent in it.
 */
import { addLine, digestKey, parseDigest, sourceOf } from '../../ledger/digests.ts';
import { isRoutine, takeHomeChatSlot } from '../../ledger/home-chat.ts';
import { parseEffect } from '../../ledger/ledger.ts';
import type { JudgedAction } from '../../signal/decision.ts';
import { chainOf, stepSuffix } from '../../signal/ids.ts';
import { ReplyRoute } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Item, Write } from '../../store/table.ts';
import type { ActDeps, ActTurn, Task } from './act-context.ts';
import type { Settlement } from './claim.ts';

const DIGEST_WORDS = 'In the digest of ';
export const isInDigest = (output: string): boolean => output.startsWith(DIGEST_WORDS);

/** Steps of a run that are looked through for a yes, the newest. */
const STEPS_READ_MAX = 100;

const wasApproved = (id: string, item: Item): boolean => {
  const { approvalId, state } = parseEffect(id, item);
  return approvalId !== undefined && state !== 'refused' && state !== 'suspended';
};

/** A yes was spent above it in its turn, or in an earlier step of its run. */
const followsAYes = async ({ table }: ActDeps, { stepRun }: ActTurn, { signal }: Task): Promise<boolean> => {
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
const isWaitedFor = async (deps: ActDeps, turn: ActTurn, task: Task): Promise<boolean> => {
  const { run, stepRun } = turn;
  if (task.approvalId !== undefined || run?.kind === 'run') return true;
  if (stepRun?.approved !== undefined && stepRun.approved.job === undefined) return true;
  return followsAYes(deps, turn, task);
};

/** @returns whether the text is over its source's share; if not, it has taken a part of it */
export const isOverShare = async (
  deps: ActDeps,
  turn: ActTurn,
  task: Task,
  { action }: JudgedAction,
  now: number,
): Promise<boolean> => {
  // A text that was tried before has its part already.
  if (task.effect !== undefined || !isRoutine(task.signal, action)) return false;
  if (await isWaitedFor(deps, turn, task)) return false;
  return !(await takeHomeChatSlot(deps.table, task.signal, now));
};

/** How a text is put off: its effect is done in the transaction that stores what comes of it. */
export interface PutOff {
  readonly settled: Settlement;
  readonly writes: readonly Write[];
  /** It is a line of a digest, and sent no other way. */
  readonly isLine?: true;
}

/** @param until when the chat is muted no more; undefined if it is not muted */
export const planDigest = async (
  { table }: Pick<ActDeps, 'table'>,
  { signal, n }: Pick<Task, 'signal' | 'n'>,
  { action }: JudgedAction,
  now: number,
  until: number | undefined,
): Promise<PutOff> => {
  const { id, space, session } = signal;
  const { target, to, topic } = action;
  const key = digestKey(signal, action, now, until);
  const item = await loadItem(table, key);
  const place = ReplyRoute.parse({ target, to, topic });
  const added = { space, session, place, line: { id, n, at: now }, until };
  const source = sourceOf(session);
  return {
    settled: {
      state: 'done',
      output: `${DIGEST_WORDS}${source}: /news ${source} shows it whole.`,
      outputOrigin: 'agent',
    },
    writes: [addLine(key, added, item === undefined ? undefined : parseDigest(item))],
    isLine: true,
  };
};

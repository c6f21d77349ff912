/**
 * Makes a restored copy believe nothing that its log does not prove. Words of an unproven signal
 * count as text from outside, and its sender has no rights; if it was under way, it ends. Runs
 * end too, because nothing proves their steps. The day's spending is the larger of counter and
 * records. Repeating it changes nothing. @returns lines for people
 */
import { endedAs, parseRecord } from '../../../lib/core/ledger/ledger.ts';
import type { SignalRecord } from '../../../lib/core/ledger/record.ts';
import {
  entryName,
  jobOf,
  parseDaySpend,
  parseEntry,
  spendKey,
  storedText,
} from '../../../lib/core/money/day-spend.ts';
import { isFinal, type Payload, type Signal } from '../../../lib/core/signal/signal.ts';
import { loadUnfinished } from '../../../lib/core/stages/upkeep/sweep.ts';
import { indexPartitions, runKeys, signalKeys } from '../../../lib/core/store/keys.ts';
import { loadItem } from '../../../lib/core/store/load-named.ts';
import { readOrSkip } from '../../../lib/core/store/parse-stored.ts';
import type { Item, Table } from '../../../lib/core/store/table.ts';
import { type ProvenSignals, UNPROVEN_SOURCE } from './prove-signals.ts';

/** Of those under way that are named; more are counted. */
const UNDER_WAY_NAMED_MAX = 20;

/** The reason of a signal that ended with the restore. */
export const LEFT_OUT = 'it came out of a backup, and nothing proves who said it: say it again';
/** Before the id of a run, in its sort key. */
const RUN = 'run#';
const RUN_STOPPED = 'the table is an older copy: nothing proves its steps';

const asOutside = <T extends object>(all: readonly T[]) => all.map((one) => ({ ...one, origin: 'outside' as const }));

const distrustPayload = (payload: Payload): Payload => {
  if ('text' in payload) return { ...payload, text: asOutside(payload.text) };
  return 'results' in payload ? { ...payload, results: asOutside(payload.results) } : payload;
};

const distrustSignal = (signal: Signal): Signal => ({
  ...signal,
  source: UNPROVEN_SOURCE,
  sender: { ...signal.sender, isApprover: false },
  payload: distrustPayload(signal.payload),
});

interface Copy {
  readonly table: Table;
  readonly space: string;
  /** The moment of the restore, epoch milliseconds. */
  readonly now: number;
}

const isUnderWay = ({ state }: SignalRecord): boolean => !isFinal(state) && state !== 'suspended';

/** One that cannot be read, in a copy that is restored despite its problems, is left as it is. */
const loadRecord = async ({ table, space }: Copy, id: string): Promise<SignalRecord | undefined> =>
  readOrSkip(await loadItem(table, signalKeys.record(space, id)), (item) => parseRecord(id, item));

/** @returns a line if it was under way */
const distrust = async (copy: Copy, id: string): Promise<readonly string[]> => {
  const { table, space, now } = copy;
  const record = await loadRecord(copy, id);
  if (record === undefined) return [];
  const { signal } = record;
  const set = { signal: JSON.stringify(distrustSignal(signal)) };
  const ending = isUnderWay(record) ? endedAs(space, 'dropped', now, LEFT_OUT) : { set: {} };
  await table.update(signalKeys.record(space, id), { ...ending, set: { ...ending.set, ...set } });
  if (!isUnderWay(record)) return [];
  return [`${signal.payload.sensor} of ${signal.sender.id} was under way, and is left out: nothing proves who said it`];
};

/** Answers that no decision holds count as outside, and no calls of that turn are shown. */
const distrustAnswers = async (copy: Copy, id: string): Promise<void> => {
  const replies = (await loadRecord(copy, id))?.replies;
  const set = replies === undefined ? {} : { replies: asOutside(replies) };
  await copy.table.update(signalKeys.record(copy.space, id), { set, remove: ['toolCalls'] });
};

const stopRuns = async ({ table, space, now }: Copy): Promise<readonly string[]> => {
  const listed = await loadUnfinished(table, indexPartitions.jobs(space));
  const runs = listed.filter(
    ({ sk, state }) => String(sk).startsWith(RUN) && /^(?:running|waiting)$/.test(String(state)),
  );
  for (const { sk } of runs) {
    const change = {
      set: { state: 'stopped', why: RUN_STOPPED, changedAt: now },
      remove: ['unfinishedSpace', 'unfinishedAt', 'dueAt'],
    };
    await table.update(runKeys.record(space, String(sk).slice(RUN.length)), change);
  }
  return runs.map(
    ({ runbook, by }) =>
      `a run of the runbook ${String(runbook)}, begun by ${String(by)}, was under way, and is stopped`,
  );
};

/** The counter as the records of the day prove it, where it says less. */
const raiseSpending = (item: Item | undefined, spent: ProvenSignals['spent']): Item => {
  const day = parseDaySpend(item);
  const sums = [...spent.values()];
  const sumOf = (name: 'usd' | 'tokens') => sums.reduce((sum, one) => sum + one[name], 0);
  const ofJobs = [...spent].reduce((sum, [session, { usd }]) => sum + (jobOf(session) === undefined ? 0 : usd), 0);
  const entries = [...spent].flatMap(([session, { usd }]) => {
    const name = entryName(session);
    const text = day.entries.get(name)?.text;
    const entry = text === undefined ? { turn: '', turnUsd: 0, usd: 0 } : parseEntry(text);
    return entry.usd >= usd ? [] : [[name, storedText(session, { ...entry, usd })] as const];
  });
  return {
    schemaVersion: 1,
    ...item,
    usd: Math.max(day.usd, sumOf('usd')),
    tokens: Math.max(day.tokens, sumOf('tokens')),
    jobsUsd: Math.max(day.jobsUsd, ofJobs),
    ...Object.fromEntries(entries),
  };
};

const settleSpending = async ({ table, space, now }: Copy, spent: ProvenSignals['spent']): Promise<void> => {
  if (spent.size === 0) return;
  const { pk, sk } = spendKey(space, now);
  const { pk: _pk, sk: _sk, ...raised } = raiseSpending(await loadItem(table, { pk, sk }), spent);
  await table.put({ pk, sk }, raised);
};

/** @param proven of the same copy, as it was checked */
export const settleUnproven = async (
  copy: Copy,
  { unproven, unheld, spent }: ProvenSignals,
): Promise<readonly string[]> => {
  const under: string[] = [...(await stopRuns(copy))];
  for (const id of unproven) under.push(...(await distrust(copy, id)));
  for (const id of unheld) await distrustAnswers(copy, id);
  await settleSpending(copy, spent);
  const more = under.length - UNDER_WAY_NAMED_MAX;
  return [
    ...under.slice(0, UNDER_WAY_NAMED_MAX),
    ...(more > 0 ? [`${more} more were under way, and ended`] : []),
    ...(unproven.length > 0 ? [`not proven: ${unproven.length} messages, which count as text from outside`] : []),
    ...(unheld.length > 0 ? [`not proven: answers in ${unheld.length} turns, which count as text from outside`] : []),
  ];
};

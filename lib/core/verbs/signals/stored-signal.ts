/**
 * Everything stored about one signal, read in one query of its partition: record, attempts,
 * decision, effects. Unknown attributes are dropped; a wrong version or shape is refused.
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../../base/errors.ts';
import { asText } from '../../base/json.ts';
import { EVIDENCE_REQUESTS_MAX } from '../../base/limits.ts';
import { loadPartition } from '../../ledger/ledger.ts';
import { SignalRecord } from '../../ledger/record.ts';
import { Attempt, Decision, Effect } from '../../signal/decision.ts';
import { type Key, signalKeys } from '../../store/keys.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Item, Table } from '../../store/table.ts';
import { changeLines } from './change-lines.ts';

const StoredAttempt = z.object(Attempt.shape);
const StoredDecision = z.object(Decision.shape);
const StoredEffect = z.object(Effect.shape);

export interface StoredSignal {
  readonly record: SignalRecord;
  /** All attempts in order; the decision's own attempt is included once. */
  readonly attempts: readonly Attempt[];
  readonly decision: Decision | undefined;
  /** The key is the index of the action. */
  readonly effects: readonly Effect[];
  /** Lines about the moment of a job that it stands for, and about versions that it made. */
  readonly changes: readonly string[];
  /** Other items that this release cannot read, with the reason: the rest is shown. */
  readonly unreadable: readonly string[];
}

/** The accepted attempt's judgements are stored once, as the decision's actions. */
const withJudgements = (attempt: Attempt, decision: Decision): Attempt =>
  attempt.judged.length === 0 && decision.outcome === 'act' ? { ...attempt, judged: decision.actions } : attempt;

/** Attempts stored alone and the one inside the decision, each once. */
const mergeAttempts = (stored: readonly Attempt[], decision: Decision | undefined): readonly Attempt[] => {
  const byNumber = new Map(stored.map((attempt) => [attempt.n, attempt]));
  if (decision?.attempt !== undefined) byNumber.set(decision.attempt.n, withJudgements(decision.attempt, decision));
  return [...byNumber.values()].sort((left, right) => left.n - right.n);
};

/** Pure. @returns undefined if the items hold no record. @throws StoredItemError */
export const parsePartition = (id: string, items: readonly Item[]): StoredSignal | undefined => {
  const startingWith = (prefix: string) => items.filter((item) => String(item.sk).startsWith(prefix));
  const [record] = startingWith('record');
  if (record === undefined) return undefined;
  const unreadable: string[] = [];
  const readable = <T>(schema: z.ZodMiniType<T>, found: readonly Item[]): T[] =>
    found.flatMap((item) => {
      try {
        return [parseStored(item, schema, `${String(item.sk)} of ${id}`)];
      } catch (error) {
        if (!(error instanceof StoredItemError)) throw error;
        unreadable.push(error.message);
        return [];
      }
    });
  const [decision] = readable(
    StoredDecision,
    items.filter((item) => item.sk === 'decision'),
  );
  const attempts = readable(StoredAttempt, startingWith('attempt#'));
  const effects = readable(StoredEffect, startingWith('effect#'));
  return {
    record: parseStored(record, SignalRecord, `signal ${id}`),
    attempts: mergeAttempts(attempts, decision),
    decision,
    effects: effects.sort((left, right) => left.n - right.n),
    changes: changeLines(items),
    unreadable,
  };
};

export const loadStoredSignal = async (
  table: Pick<Table, 'query'>,
  space: string,
  id: string,
): Promise<StoredSignal | undefined> => parsePartition(id, await loadPartition(table, space, id));

/** Accepted at once, without further providers: the keys of its items are known. */
const PlainDecision = z.object({
  attempt: z.union([z.string(), z.looseObject({})]),
  attemptCount: z.literal(1),
  consensus: z.optional(z.never()),
  actions: asText(z.array(z.unknown())),
});

/** Reads many signals: those with a plain decision by their keys, others by a query each. */
export const loadStoredSignals = async (
  table: Pick<Table, 'load' | 'query'>,
  space: string,
  ids: readonly string[],
): Promise<readonly StoredSignal[]> => {
  const load = (keys: readonly Key[]) => table.load(keys, { isConsistent: true });
  const [records, decisions] = await Promise.all([
    load(ids.map((id) => signalKeys.record(space, id))),
    load(ids.map((id) => signalKeys.decision(space, id))),
  ]);
  const plain = new Map(
    ids.flatMap((id, n) => {
      const { data } = PlainDecision.safeParse(decisions[n]);
      return data === undefined ? [] : [[id, data.actions.map((_, action) => signalKeys.effect(space, id, action))]];
    }),
  );
  const effects = await load([...plain.values()].flat());
  const items = [...records, ...decisions, ...effects].flatMap((item) => item ?? []);
  const partitions = Map.groupBy(items, ({ pk }) => String(pk));
  const found = new Map<string, StoredSignal | undefined>();
  for (const id of plain.keys())
    found.set(id, parsePartition(id, partitions.get(signalKeys.partition(space, id)) ?? []));
  const others = ids.filter((id) => !plain.has(id));
  for (let first = 0; first < others.length; first += EVIDENCE_REQUESTS_MAX) {
    const some = others.slice(first, first + EVIDENCE_REQUESTS_MAX);
    await Promise.all(some.map(async (id) => found.set(id, await loadStoredSignal(table, space, id))));
  }
  return ids.flatMap((id) => found.get(id) ?? []);
};

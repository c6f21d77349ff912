/**
 * What the adversity tests share: a fresh space over a real table, the stored evidence of a signal,
 * a table whose chosen writes fail, and a delivery that goes on after a failure as a queue would.
 */
import { randomBytes } from 'node:crypto';
import { UnavailableError } from '../../lib/core/base/errors.ts';
import { parseDecision, parseEffect, parseRecord } from '../../lib/core/ledger/ledger.ts';
import type { SignalRecord } from '../../lib/core/ledger/record.ts';
import { Attempt, type Decision, type Effect } from '../../lib/core/signal/decision.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import type { Item, Table } from '../../lib/core/store/table.ts';
import type { Answer, Simulation } from '../support/simulation.ts';

export const newSpace = (): string => `s${randomBytes(6).toString('hex')}`;

/** An explanation every gate takes. */
export const BECAUSE = 'because the owner asked for exactly this';

export const callTool = (name: unknown, args: object, explanation: unknown = BECAUSE): Answer => ({
  toolCalls: [{ id: 'c1', name, argumentsText: JSON.stringify({ ...args, explanation }) }],
});

/** Everything stored about one signal. */
export interface Evidence {
  readonly record: SignalRecord | undefined;
  readonly attempts: readonly Attempt[];
  readonly decision: Decision | undefined;
  readonly effects: readonly Effect[];
}

const withoutKey = ({ pk: _pk, sk: _sk, ...rest }: Item): Item => rest;

export const evidenceOf = async (table: Table, space: string, id: string): Promise<Evidence> => {
  const { items } = await table.query({ pk: signalKeys.partition(space, id), isConsistent: true });
  const startingWith = (prefix: string) => items.filter((item) => String(item.sk).startsWith(prefix));
  const [record] = startingWith('record');
  const [decision] = startingWith('decision');
  return {
    record: record === undefined ? undefined : parseRecord(id, record),
    attempts: startingWith('attempt#').map((item) => Attempt.parse(withoutKey(item))),
    decision: decision === undefined ? undefined : parseDecision(id, decision),
    effects: startingWith('effect#').map((item) => parseEffect(id, item)),
  };
};

/** Says whether a write fails, by its kind, its sort key and the stored item. */
export type FailingWrite = (kind: 'put' | 'update' | 'transact', sk: string, stored: Item) => boolean;

/** A table whose chosen writes do not happen, for as long as `isBroken` says so. */
export const breakTable = (table: Table, isFailing: FailingWrite) => {
  const state = { isBroken: true, failures: 0 };
  const check = (kind: Parameters<FailingWrite>[0], sk: string, stored: Item): void => {
    if (!state.isBroken || !isFailing(kind, sk, stored)) return;
    state.failures += 1;
    throw new UnavailableError('the table');
  };
  const broken: Table = {
    ...table,
    put: async (key, item, condition) => {
      check('put', key.sk, item);
      return table.put(key, item, condition);
    },
    update: async (key, change, condition) => {
      check('update', key.sk, change.set ?? {});
      return table.update(key, change, condition);
    },
    transact: async (writes) => {
      for (const write of writes) check('transact', write.key.sk, write.kind === 'put' ? write.item : {});
      return table.transact(writes);
    },
  };
  return { table: broken, state };
};

/**
 * One delivery; a failure stays first of its queue, as with SQS. @returns what failed, if something
 * did.
 */
export const tryDeliver = async (simulation: Simulation): Promise<unknown> => {
  try {
    await simulation.deliverNext();
    return undefined;
  } catch (error) {
    return error;
  }
};

/** Delivers until the next message on the queue is one for Act. */
export const deliverUntilAct = async (simulation: Simulation): Promise<void> => {
  for (let count = 0; simulation.queue[0]?.stage !== 'act'; count += 1) {
    if (count === 20 || simulation.queue.length === 0) throw new Error('no message reached Act');
    await simulation.deliverNext();
  }
};

/**
 * Fills a space with as many records as a year would, by the functions that write them: signals
 * with a decision of eight actions and their effects, made after one that the stages themselves
 * worked on. Quick, because no model is asked and no gate is run again.
 */

import {
  advance,
  endedAs,
  parseDecision,
  parseEffect,
  parseRecord,
  saveDecision,
} from '../../../lib/core/ledger/ledger.ts';
import { buildRecordItem } from '../../../lib/core/ledger/record.ts';
import { recordEffect } from '../../../lib/core/stages/act/claim.ts';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import type { TestDynamo } from '../../support/dynamo.ts';
import type { LogWorld } from './log-world.ts';

const ACTIONS = 8;
const AT_ONCE = 16;

/** Each gives nine leaves. @param like id of a signal that has ended */
export const fillSpace = async (
  { table }: TestDynamo,
  { space, simulation }: LogWorld,
  like: string,
  first: number,
  count: number,
): Promise<void> => {
  const keys = [signalKeys.record(space, like), signalKeys.decision(space, like), signalKeys.effect(space, like, 0)];
  const [record = {}, decision = {}, effect = {}] = await table.load(keys, { isConsistent: true });
  const model = {
    record: parseRecord(like, record),
    decision: parseDecision(like, decision),
    effect: parseEffect(like, effect),
  };
  const [judged] = model.decision.actions;
  if (judged === undefined) throw new Error(`${like} has no action`);
  const fillOne = async (n: number): Promise<void> => {
    const ref = { space, id: `tg-9-${n}` };
    const now = simulation.now();
    const signal = { ...model.record.signal, id: ref.id, root: ref.id, receivedAt: now };
    await table.put(signalKeys.record(space, ref.id), buildRecordItem(signal, 'perceived', now));
    const actions = Array.from({ length: ACTIONS }, () => judged);
    await saveDecision(table, ref, { ...model.decision, signalId: ref.id, at: now, actions });
    for (let at = 0; at < ACTIONS; at += 1)
      await recordEffect(table, ref, { ...model.effect, n: at, claimedAt: now + at, settledAt: now + at });
    await advance(table, ref, ['perceived'], endedAs(space, 'acted', now));
  };
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, at) => fillOne(first + done + at)));
};

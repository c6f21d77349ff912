/**
 * What forgetting leaves of each item of a signal's partition: the writes that put it there. Records, decisions, attempts, effects and
 * kept outputs; whatever else lies there says nothing. Pure. @throws StoredItemError for an item of a form nobody knows.
 */

import { defined } from '../../base/defined.ts';
import { parseEffect } from '../../ledger/effects.ts';
import { parseDecision, parseRecord } from '../../ledger/ledger.ts';
import { packAttempt, packDecision, packEffect } from '../../ledger/pack.ts';
import { parseStored } from '../../ledger/record.ts';
import { Attempt } from '../../signal/decision.ts';
import type { Item } from '../../store/table.ts';
import {
  type EraseMode,
  eraseAttempt,
  eraseDecision,
  eraseEffect,
  eraseReplies,
  eraseSignal,
  FORGOTTEN,
} from './erase-signal.ts';

const stripKey = (item: Item): Item => {
  const { pk: _pk, sk: _sk, ...rest } = item;
  return rest;
};

/** The members of a packed record that are kept as text. */
const packedOf = (packed: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(packed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** A changed item of a partition: what is set and what is taken away. */
export interface Erasure {
  readonly sk: string;
  readonly set: Item;
  readonly remove?: readonly string[];
  /** The record of evidence that loses its content with it. */
  readonly covers?: string;
}

export const eraseItem = (id: string, item: Item, mode: EraseMode, at: number): Erasure | undefined => {
  const sk = String(item.sk);
  if (sk === 'record') {
    const record = parseRecord(id, item);
    const replies = eraseReplies(record.replies);
    return {
      sk,
      set: {
        signal: JSON.stringify(eraseSignal(record.signal, mode)),
        // Tells a delivery that is still under way not to leave its words behind.
        forgottenAt: at,
        ...defined({ replies }),
      },
    };
  }
  if (sk === 'decision') {
    const erased = eraseDecision(parseDecision(id, item), at);
    const { actions = '', attempt = '' } = packedOf(packDecision(erased));
    const set = { actions, forgottenAt: erased.forgottenAt, ...(attempt === '' ? {} : { attempt }) };
    return { sk, set, covers: `decision ${id}` };
  }
  if (sk.startsWith('attempt#')) {
    const erased = eraseAttempt(parseStored(`attempt of ${id}`, stripKey(item), Attempt));
    const { judged = '' } = packedOf(packAttempt(erased));
    const { proposalHash } = erased;
    return { sk, set: { judged, ...defined({ proposalHash }) }, remove: ['proposal'] };
  }
  if (sk.startsWith('effect#')) {
    const effect = eraseEffect(parseEffect(id, item), at);
    const { facts = '' } = packedOf(packEffect(effect));
    const { factsHash, outputHash, forgottenAt, n } = effect;
    const set = { facts, factsHash, forgottenAt, ...defined({ outputHash }) };
    return { sk, set, remove: ['output'], covers: `effect ${id}#${n}` };
  }
  if (sk.startsWith('output#')) return { sk, set: { text: FORGOTTEN, chars: FORGOTTEN.length } };
  // Its hash fits no more, so that it is not shown either.
  if (sk.startsWith('stream#')) return { sk, set: { text: FORGOTTEN } };
  return undefined;
};

/**
 * Reads evidence of habits from what is stored anyway: results and messages, and exactly the pieces
 * that an offer names. Bounded and read only. A piece whose records are missing, forgotten or
 * unreadable is left out, or counts as not clean.
 */

import { parseApproval } from '../../core/approvals/approval.ts';
import { parseDecision, parseEffect, parseRecord } from '../../core/ledger/ledger.ts';
import type { SignalRecord } from '../../core/ledger/record.ts';
import { type WalkedSignal, walkFeed } from '../../core/ledger/walk-feed.ts';
import { type Asker, askerOf } from '../../core/signal/asker.ts';
import { rootOf } from '../../core/signal/ids.ts';
import type { Origin } from '../../core/signal/signal.ts';
import { approvalKey, signalKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import { readOrSkip } from '../../core/store/parse-stored.ts';
import { type Evidence, type FailedCall, isCleanTurn, type SaidSentence } from './habit-evidence.ts';
import { askedOf, type LearningTable, originsOf } from './load-decided.ts';
import type { Proof } from './offer.ts';

/** The owner's own words that began a turn; undefined for anything else. */
const sentenceOf = ({ signal, forgottenAt }: SignalRecord): SaidSentence | undefined => {
  const { payload, id, receivedAt: at } = signal;
  if (payload.sensor !== 'chat-message' || signal.root !== id || forgottenAt !== undefined) return undefined;
  const text = payload.text.map((piece) => piece.text).join(' ');
  const isClean = isCleanTurn(
    askerOf(signal),
    payload.text.map(({ origin }) => (origin === 'owner' ? origin : undefined)),
  );
  return { id, at, isClean, text };
};

interface Result {
  readonly call: Omit<FailedCall, 'isClean'>;
  readonly root: string;
  readonly parent: string;
  readonly n: number;
  readonly origin: Origin;
}

/** All that is kept of a signal while the walk goes on: thousands of them fit a small function. */
interface Heard {
  readonly id: string;
  readonly asker: Asker;
  readonly said: SaidSentence | undefined;
  readonly results: readonly Result[];
  /** Origins of all that each of its actions was judged by. */
  readonly origins: readonly (readonly (Origin | undefined)[])[];
}

const resultsOf = ({ signal: { id, payload, parent = '', receivedAt: at, root } }: SignalRecord): readonly Result[] =>
  payload.sensor === 'tool-error' || payload.sensor === 'tool-output'
    ? payload.results.flatMap(({ n, tool, state, output: reason, origin }) =>
        state === 'failed' && tool !== undefined
          ? [{ call: { id: `${id}#${n}`, at, tool, reason }, root, parent, n, origin }]
          : [],
      )
    : [];

const hear = ({ id, record, decision }: WalkedSignal): Heard => ({
  id,
  asker: askerOf(record.signal),
  said: sentenceOf(record),
  results: resultsOf(record),
  origins: (decision?.actions ?? []).map((_, n) => originsOf(decision, n)),
});

const judgeHeard = (heard: readonly Heard[]): Pick<Evidence, 'failed' | 'said'> => {
  const known = new Map(heard.map((one) => [one.id, one]));
  // A turn that tries again and again counts once.
  const calls = new Map(
    heard.flatMap(({ results }) => results.map((one) => [`${one.root} ${one.call.tool} ${one.call.reason}`, one])),
  );
  const failed = [...calls.values()].map(({ call, root, parent, n, origin }) => {
    const origins = [origin, ...(known.get(parent)?.origins[n] ?? [undefined])];
    return { ...call, isClean: isCleanTurn(known.get(root)?.asker, origins) };
  });
  return { said: heard.flatMap(({ said }) => said ?? []), failed };
};

/** The contents of the signals since a time: calls that failed, and the owner's sentences. */
export const loadHeard = async (
  table: LearningTable,
  space: string,
  since: number,
): Promise<Pick<Evidence, 'failed' | 'said'>> => {
  const heard: Heard[] = [];
  await walkFeed(table, space, since, (signals) => void heard.push(...signals.map(hear)));
  return judgeHeard(heard);
};

/** Exactly the pieces that an offer names. */
export const loadNamedEvidence = async (
  table: LearningTable,
  space: string,
  proofs: readonly Proof[],
): Promise<Evidence> => {
  const named = proofs.map(({ id }) => {
    const [signalId = '', n] = id.split('#');
    return { signalId, n: n === undefined ? undefined : Number(n) };
  });
  const ids = [...new Set(named.flatMap(({ signalId }) => [rootOf(signalId), parentOf(signalId), signalId]))];
  const { records, decisions, effects } = await loadNamed(table, {
    records: ids.map((id) => signalKeys.record(space, id)),
    decisions: ids.map((id) => signalKeys.decision(space, id)),
    effects: named.map(({ signalId, n = 0 }) => signalKeys.effect(space, signalId, n)),
  });
  const approvalIds = named.flatMap(({ signalId, n }, index) => {
    const effect = readOrSkip(effects[index], (item) => parseEffect(signalId, item));
    return n === undefined || effect?.approvalId === undefined ? [] : [effect.approvalId];
  });
  const items = await table.load(approvalIds.map((id) => approvalKey(space, id)));
  const approvals = items.flatMap((item) => readOrSkip(item, (known) => parseApproval(String(known.id), known)) ?? []);
  const walked = ids.flatMap((id, index): readonly WalkedSignal[] => {
    const record = readOrSkip(records[index], (item) => parseRecord(id, item));
    const decision = readOrSkip(decisions[index], (item) => parseDecision(id, item));
    return record === undefined ? [] : [{ id, record, decision }];
  });
  const wanted = new Set(proofs.map(({ id }) => id));
  const isWanted = ({ id }: { readonly id: string }): boolean => wanted.has(id);
  const { failed, said } = judgeHeard(walked.map(hear));
  const asked = await askedOf(table, space, approvals);
  return { asked: asked.filter(isWanted), failed: failed.filter(isWanted), said: said.filter(isWanted) };
};

const parentOf = (id: string): string => id.slice(0, Math.max(id.lastIndexOf('/'), 0)) || id;

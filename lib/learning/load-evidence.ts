/**
 * Reads evidence of habits from what is stored anyway: approvals, decisions, results, messages.
 * Bounded and read only. A piece whose records are missing, forgotten or unreadable is left out, or
 * counts as not clean.
 */
import { type Approval, parseApproval } from '../approvals/approval.ts';
import { parseDecision, parseEffect, parseRecord } from '../ledger/ledger.ts';
import type { SignalRecord } from '../ledger/record.ts';
import { type WalkedSignal, walkFeed } from '../ledger/walk-feed.ts';
import { type Asker, askerOf } from '../signal/asker.ts';
import type { Decision } from '../signal/decision.ts';
import { rootOf } from '../signal/ids.ts';
import type { Origin } from '../signal/signal.ts';
import { approvalKey, indexPartitions, signalKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import { acceptOffer } from '../tools/learning.ts';
import { Offer, type Proof } from '../tools/offer.ts';
import {
  type AskedAction,
  type EarlierOffer,
  type Evidence,
  type FailedCall,
  isCleanTurn,
  type SaidSentence,
} from './evidence.ts';

export type LearningTable = Pick<Table, 'load' | 'queryIndex'>;

/** Approvals looked through for earlier offers: twenty a day for almost three years. */
const APPROVALS_WALKED_MAX = 20_000;
const APPROVALS_AT_ONCE = 100;

/** An item of another release, or a forgotten one, says nothing. */
const readOrSkip = <T>(item: Item | undefined, parse: (item: Item) => T): T | undefined => {
  try {
    return item === undefined ? undefined : parse(item);
  } catch {
    return undefined;
  }
};

const endingOf = ({ state }: Approval): AskedAction['ending'] | undefined =>
  state === 'approved' || state === 'spent' ? 'approved' : state === 'denied' ? 'denied' : undefined;

const offerEnding = ({ state, endedBecause, expiresAtMs }: Approval, now: number): EarlierOffer['ending'] => {
  if (state === 'approved' || state === 'spent') return 'accepted';
  if (state === 'denied') return 'denied';
  if (state === 'pending') return now < expiresAtMs ? 'open' : 'expired';
  return endedBecause === 'refused' ? 'accepted' : 'expired';
};

const earlierOf = (approval: Approval, now: number): readonly EarlierOffer[] => {
  const offer = Offer.safeParse(approval.action.args?.offer).data;
  const isOffer = approval.action.tool === acceptOffer.name && offer !== undefined;
  return isOffer ? [{ shape: offer.shape, at: approval.createdAt, ending: offerEnding(approval, now) }] : [];
};

/** Turns approvals into evidence, with the turns that asked for them. */
const askedOf = async (
  table: LearningTable,
  space: string,
  approvals: readonly Approval[],
): Promise<readonly AskedAction[]> => {
  const { roots, decisions } = await loadNamed(table, {
    roots: approvals.map(({ signalId }) => signalKeys.record(space, rootOf(signalId))),
    decisions: approvals.map(({ signalId }) => signalKeys.decision(space, signalId)),
  });
  return approvals.flatMap((approval, index): readonly AskedAction[] => {
    const { signalId, n, action, session, createdAt: at, policyVersion, asks = [], origin, taintSource } = approval;
    const root = readOrSkip(roots[index], (item) => parseRecord(rootOf(signalId), item))?.signal;
    const decision = readOrSkip(decisions[index], (item) => parseDecision(signalId, item));
    const ending = endingOf(approval);
    if (ending === undefined || root === undefined) return [];
    const origins: readonly (Origin | undefined)[] = [origin, ...originsOf(decision, n)];
    const isClean = taintSource === undefined && isCleanTurn(askerOf(root), origins);
    const gates = asks.map(({ gate }) => gate);
    const { sensor } = root.payload;
    return [{ id: `${signalId}#${n}`, at, isClean, action, session, sensor, ending, gates, policyVersion }];
  });
};

/** Origins of all that an action was judged by; undefined if that is not known any more. */
const originsOf = (decision: Decision | undefined, n: number): readonly (Origin | undefined)[] => {
  const facts = decision?.forgottenAt === undefined ? decision?.actions[n]?.facts : undefined;
  return facts === undefined || facts.length === 0 ? [undefined] : facts.map(({ origin }) => origin);
};

/** What the approvals say: decided actions since a time, and every earlier offer, newest first. */
export const loadDecided = async (
  table: LearningTable,
  space: string,
  since: number,
  now: number,
): Promise<{ readonly asked: readonly AskedAction[]; readonly earlier: readonly EarlierOffer[] }> => {
  const asked: AskedAction[] = [];
  const earlier: EarlierOffer[] = [];
  let cursor: string | undefined;
  for (let walked = 0; walked < APPROVALS_WALKED_MAX; ) {
    const page = await table.queryIndex({
      index: 'feed',
      partition: indexPartitions.approvalFeed(space),
      limit: APPROVALS_AT_ONCE,
      isDescending: true,
      cursor,
    });
    const items = await table.load(page.items.map((item) => ({ pk: String(item.pk), sk: String(item.sk) })));
    const approvals = items.flatMap(
      (item) => readOrSkip(item, (known) => parseApproval(String(known.id), known)) ?? [],
    );
    earlier.push(...approvals.flatMap((approval) => earlierOf(approval, now)));
    const recent = approvals.filter(({ createdAt }) => createdAt >= since);
    if (recent.length > 0) asked.push(...(await askedOf(table, space, recent)));
    walked += page.items.length;
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  return { asked, earlier };
};

/** The owner's own words that began a turn; undefined for anything else. */
const sentenceOf = ({ signal, forgottenAt }: SignalRecord): SaidSentence | undefined => {
  const { payload, id, receivedAt: at } = signal;
  const isMessage = payload.sensor === 'user-input' || payload.sensor === 'chat-message';
  if (!isMessage || signal.root !== id || forgottenAt !== undefined) return undefined;
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

/** What the signals since a time say: calls that failed, and the owner's sentences. */
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

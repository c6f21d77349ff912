/**
 * Loads the decisions of people, with the turns that asked for them, from approvals. Bounded, read
 * only.
 */

import { type Approval, parseApproval } from '../../core/approvals/approval.ts';
import { parseDecision, parseRecord } from '../../core/ledger/ledger.ts';
import { askerOf } from '../../core/signal/asker.ts';
import type { Decision } from '../../core/signal/decision.ts';
import { rootOf } from '../../core/signal/ids.ts';
import type { Origin } from '../../core/signal/signal.ts';
import { indexPartitions, signalKeys } from '../../core/store/keys.ts';
import { loadIndexed, loadNamed } from '../../core/store/load-named.ts';
import { readOrSkip } from '../../core/store/parse-stored.ts';
import type { Table } from '../../core/store/table.ts';
import { type AskedAction, type EarlierOffer, isCleanTurn } from './habit-evidence.ts';
import { Offer } from './offer.ts';
import { acceptOffer } from './tools.ts';

export type LearningTable = Pick<Table, 'load' | 'queryIndex'>;

/** Approvals looked through for earlier offers: twenty a day for almost three years. */
const APPROVALS_WALKED_MAX = 20_000;
const APPROVALS_AT_ONCE = 100;

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
export const askedOf = async (
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
export const originsOf = (decision: Decision | undefined, n: number): readonly (Origin | undefined)[] => {
  const facts = decision?.forgottenAt === undefined ? decision?.actions[n]?.facts : undefined;
  return facts === undefined || facts.length === 0 ? [undefined] : facts.map(({ origin }) => origin);
};

/**
 * The contents of the approvals: decided actions since a time, and every earlier offer, newest
 * first.
 */
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
    const page = await loadIndexed(table, {
      index: 'feed',
      partition: indexPartitions.approvalFeed(space),
      limit: APPROVALS_AT_ONCE,
      isDescending: true,
      cursor,
    });
    const approvals = page.items.flatMap(
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

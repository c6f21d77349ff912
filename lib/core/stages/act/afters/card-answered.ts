/**
 * Takes the buttons of a card that was answered before Act had noted which message shows it. Who
 * took the answer could not change the card then.
 */
import { parseApproval } from '../../../approvals/approval.ts';
import { saveCardUpdate } from '../../../judge/approval-notices.ts';
import { parseEffect } from '../../../ledger/ledger.ts';
import type { Signal } from '../../../signal/signal.ts';
import { approvalKey, signalKeys } from '../../../store/keys.ts';
import { loadItem } from '../../../store/load-named.ts';
import type { ActDeps, ActTurn } from '../act-context.ts';
import type { Done } from '../after.ts';

/** The end of the action, on the card of one that is approved and under way. */
const endingOf = async ({ table }: ActDeps, space: string, signalId: string, n: number) => {
  const item = await loadItem(table, signalKeys.effect(space, signalId, n));
  const state = item === undefined ? undefined : parseEffect(signalId, item).state;
  // Act itself writes it on the card as soon as it ends.
  return state === 'claimed' || state === 'suspended' ? undefined : state;
};

/** @returns the notices that change the cards */
export const changeAnswered = async (
  deps: ActDeps,
  { record: { signal }, decision, settings }: ActTurn,
  { effects }: Done,
): Promise<readonly Signal[]> => {
  const changed: Signal[] = [];
  for (const { n, state } of effects) {
    const { card, edits } = decision.actions[n]?.action ?? {};
    if (state !== 'done' || card === undefined || edits !== undefined) continue;
    const item = await loadItem(deps.table, approvalKey(signal.space, card));
    const approval = item === undefined ? undefined : parseApproval(card, item);
    if (approval === undefined || approval.state === 'pending') continue;
    const isUnderWay = approval.state === 'spent';
    const ending = isUnderWay ? await endingOf(deps, signal.space, approval.signalId, approval.n) : undefined;
    if (isUnderWay && ending === undefined) continue;
    const context = { gateSet: deps.gateSet, now: deps.now(), settings };
    const update = await saveCardUpdate(deps.table, context, approval, ending);
    if (update !== undefined) changed.push(update.signal);
  }
  return changed;
};

/**
 * Paying for a model call: its worst case is reserved under every cap before anybody is asked, and what it cost is booked with
 * the attempt. The next call of the conversation settles it in its own reservation; a call that failed is settled at once.
 * Whatever dies in between stays spent at its worst case.
 */

import { LlmError } from '../../base/errors.ts';
import { capsOf, returnSpending, takeSpending } from '../../ledger/quota.ts';
import type { CascadeAnswer } from '../../llm/cascade.ts';
import type { TierChoice } from '../../llm/choose-model.ts';
import { answeredCost, failedCost, worstCharge } from '../../llm/prices.ts';
import type { CapCheck } from '../../money/plan-reservation.ts';
import { reserveCall, settleCall } from '../../money/reserve.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import type { BookedCost } from '../../signal/decision.ts';
import { childId } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Item, Table } from '../../store/table.ts';
import type { Budget, Spending } from '../spending.ts';

export interface PaidAnswer extends CascadeAnswer {
  readonly cost: BookedCost;
  readonly choice?: TierChoice;
}

export type Paid =
  | { readonly kind: 'over'; readonly over: CapCheck }
  | {
      readonly kind: 'reserved';
      readonly item: Item;
      /** Asks the cascade and says what that cost. @throws LlmError, after settling what the failures may cost */
      readonly ask: (ask: () => Promise<CascadeAnswer>) => Promise<PaidAnswer>;
    };

/** Reserves attempt `n` of a signal. */
export const payFor = async (
  deps: {
    readonly table: Pick<Table, 'load' | 'update' | 'transact'>;
    readonly budget: Budget;
    readonly now: () => number;
  },
  signal: Pick<Signal, 'id' | 'space'>,
  spending: Spending,
  n: number,
  prompt: Pick<Prompt, 'tokens'>,
): Promise<Paid> => {
  const { providers } = deps.budget;
  const caps = capsOf(spending, deps.budget.caps);
  const { account, quotas } = spending;
  const id = childId(signal.id, `a${n}`);
  const now = deps.now();
  const worst = worstCharge(id, providers, prompt.tokens);
  const request = { account, worst, caps, known: spending.known };
  const full = await takeSpending(deps.table, signal.space, quotas, worst, deps.budget.caps, now);
  if (full !== undefined)
    return { kind: 'over', over: { ...full, cap: full.what === 'usd' ? 'quota' : 'quota-tokens' } };
  const giveBack = ({ usd, tokens }: { readonly usd: number; readonly tokens: number }) =>
    returnSpending(deps.table, signal.space, quotas, { usd: worst.usd - usd, tokens: worst.tokens - tokens }, now);
  const reserved = await reserveCall(deps.table, signal.space, now, spending.item, request);
  if (reserved.kind === 'over') {
    await giveBack({ usd: 0, tokens: 0 });
    return { kind: 'over', over: reserved };
  }
  const ask = async (send: () => Promise<CascadeAnswer>): Promise<PaidAnswer> => {
    try {
      const answered = await send();
      const cost = answeredCost(providers, answered, prompt.tokens);
      await giveBack(cost);
      return { ...answered, cost: { id, ...cost, turnUsd: reserved.turnUsd - worst.usd + cost.usd } };
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      const { usd, tokens } = failedCost(providers, error.billed, prompt.tokens);
      await settleCall(deps.table, signal.space, now, reserved.item, account, { id, usd, tokens });
      await giveBack({ usd, tokens });
      throw error;
    }
  };
  return { kind: 'reserved', item: reserved.item, ask };
};

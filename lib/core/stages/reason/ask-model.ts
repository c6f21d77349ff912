/**
 * Asks the model for one attempt. The worst case of the call is reserved under every cap before;
 * its real cost replaces it right after the call, and is booked with the attempt. If the process
 * dies between, the worst case stays spent. The health of the providers is written down after each
 * call, for all functions.
 */

import { LlmError, PassepartoutError, type ProviderTrouble } from '../../base/errors.ts';
import type { FactSources } from '../../judge/fact-sources.ts';
import { judgeAction } from '../../judge/judge.ts';
import { accountIn, capsOf, returnSpending, takeSpending } from '../../ledger/quota.ts';
import type { CascadeAnswer } from '../../llm/cascade.ts';
import type { ModelAnswer } from '../../llm/chat.ts';
import type { TierChoice } from '../../llm/choose-model.ts';
import { type Oddity, oddityMark } from '../../llm/oddities.ts';
import type { CallCost, Priced } from '../../llm/prices.ts';
import { answeredCost, failedCost, worstCharge } from '../../llm/prices.ts';
import { awayMarks, healthChange, isEverybodyAway, marksToSet, orderByHealth } from '../../llm/provider-health.ts';
import { takesPictures } from '../../llm/provider-table.ts';
import { type Charge, spendKey } from '../../money/day-spend.ts';
import type { CapCheck } from '../../money/plan-reservation.ts';
import { reserveCall, settleCall } from '../../money/reserve.ts';
import { hasPictures } from '../../prompt/build-prompt.ts';
import type { BookedCost } from '../../signal/decision.ts';
import { childId } from '../../signal/ids.ts';
import type { Item } from '../../store/table.ts';
import type { TurnPrompt } from './build-turn-prompt.ts';
import { type ChosenModels, chooseModels, chooseSmallModels } from './choose-model.ts';
import { loadLazy, type TurnContext } from './reason-deps.ts';

/** An answer with its cost, and why a model of its size was asked. */
export interface PaidAnswer extends CascadeAnswer {
  readonly cost: BookedCost;
  readonly choice?: TierChoice;
}

export interface Reserved {
  readonly kind: 'reserved';
  readonly at: number;
  readonly worst: Charge;
  /** Micro-dollars of the turn, the worst case included. */
  readonly turnUsd: number;
  /** The day's counter with the reservation in it. */
  readonly item: Item;
  /** In the order they are asked. */
  readonly models: ChosenModels;
}

type Reservation = Reserved | { readonly kind: 'over'; readonly over: CapCheck };

/** Takes the worst case of the call; the small models' if there is no room for the large ones. */
export const reserveBudget = async (context: TurnContext, n: number, prompt: TurnPrompt): Promise<Reservation> => {
  const wanted = chooseModels(context, prompt);
  const reserved = await reserveFor(context, n, prompt, wanted);
  const smaller = reserved.kind === 'over' ? chooseSmallModels(context.deps.budget.providers, wanted) : undefined;
  return smaller === undefined ? reserved : reserveFor(context, n, prompt, smaller);
};

/** A model that takes no pictures would answer without having seen them. */
const ableTo = (providers: readonly Priced[], prompt: TurnPrompt['prompt']): readonly Priced[] => {
  const able = hasPictures(prompt) ? providers.filter(takesPictures) : [];
  return able.length === 0 ? providers : able;
};

const reserveFor = async (
  context: TurnContext,
  n: number,
  { prompt }: TurnPrompt,
  chosen: ChosenModels,
): Promise<Reservation> => {
  const { deps, turn, spending } = context;
  const { space, id } = turn.record.signal;
  const { caps } = deps.budget;
  const at = deps.now();
  const providers = orderByHealth(ableTo(chosen.providers, prompt), spending.item, at);
  const worst = worstCharge(childId(id, `a${n}`), providers, prompt.tokens);
  const account = accountIn(spending, caps);
  const full = await takeSpending(deps.table, space, spending.quotas, worst, caps, at);
  if (full !== undefined)
    return { kind: 'over', over: { ...full, cap: full.what === 'usd' ? 'quota' : 'quota-tokens' } };
  const request = { account, worst, caps: capsOf(spending, caps) };
  const reserved = await reserveCall(deps.table, space, at, spending.item, request);
  if (reserved.kind === 'over') {
    await returnSpending(deps.table, space, spending.quotas, { usd: worst.usd, tokens: worst.tokens }, at);
    return { kind: 'over', over: reserved };
  }
  const { item, turnUsd } = reserved;
  context.spending = { ...spending, item };
  return { kind: 'reserved', at, worst, turnUsd, item, models: { ...chosen, providers } };
};

/** @throws LlmError if no provider answered, after settling what the failures may cost */
export const askModel = async (
  context: TurnContext,
  n: number,
  turnPrompt: TurnPrompt,
  reserved: Reserved,
  sources: FactSources,
): Promise<PaidAnswer> => {
  const { deps, remainingMs } = context;
  const { prompt, shrink } = turnPrompt;
  const { choice, providers } = reserved.models;
  const draft = await openDraftFor(context, n, turnPrompt, sources);
  try {
    const answer = await deps.ask(prompt, remainingMs, { providers, shrink, hear: draft?.hear });
    const cost = answeredCost(providers, answer, prompt.tokens);
    await settle(context, reserved, cost);
    await noteHealth(context, providers, reserved.item, answer);
    const turnUsd = reserved.turnUsd - reserved.worst.usd + cost.usd;
    return { ...answer, cost: { id: reserved.worst.id, ...cost, turnUsd }, choice };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    const cost = failedCost(providers, error.billed, prompt.tokens);
    await settle(context, reserved, cost);
    await noteHealth(context, providers, reserved.item, error);
    throw error;
  } finally {
    // When the answer is judged, no part of its draft is still being stored.
    await draft?.end();
  }
};

const openDraftFor = async (
  { deps, turn }: TurnContext,
  attempt: number,
  { prompt: { origin } }: TurnPrompt,
  sources: FactSources,
) =>
  deps.drafts &&
  (await import('./draft.ts')).openDraft(deps.drafts, {
    signal: turn.record.signal,
    rootSensor: turn.root.payload.sensor,
    attempt,
    origin,
    policyText: turn.owner.policyText,
    secrets: deps.setup.secrets,
    privacyTags: deps.setup.privacyTags,
    gateSetVersion: deps.gateSet.version,
    judge: (action) => judgeAction(deps.gateSet, action, sources),
  });

/** Gives the unspent part of the worst case back to the caps and to the person's quotas. */
const settle = async (context: TurnContext, { worst, at, item }: Reserved, cost: CallCost): Promise<void> => {
  const { deps, turn, spending } = context;
  const { space } = turn.record.signal;
  const charge = { id: worst.id, ...cost };
  const account = accountIn(spending, deps.budget.caps);
  const settled = await settleCall(deps.table, space, at, item, account, charge).catch((error: unknown) => {
    // An answer that was paid for is not lost because of this: the worst case stays charged.
    if (error instanceof PassepartoutError) return item;
    throw error;
  });
  context.spending = { ...spending, item: settled };
  const unspent = { usd: worst.usd - cost.usd, tokens: worst.tokens - cost.tokens };
  await returnSpending(deps.table, space, spending.quotas, unspent, at);
};

interface ModelOutcome {
  readonly troubles?: readonly ProviderTrouble[];
  readonly index?: number;
  readonly answer?: ModelAnswer;
}

/** A model without tools is asked to write its calls. */
const oddOf = ({ features }: Priced, answer: ModelOutcome['answer']): readonly Oddity[] =>
  (answer?.oddities ?? []).filter((code) => code !== 'written-calls' || features?.hasTools !== false);

/** Writes down how the providers are after a call; nothing if that is as before. */
export const noteHealth = async (
  context: TurnContext,
  order: readonly Priced[],
  item: Item,
  { troubles = [], index, answer }: ModelOutcome,
): Promise<void> => {
  const answered = index === undefined ? undefined : order[index];
  const odd = answered === undefined ? {} : oddityMark(item, answered, oddOf(answered, answer));
  await saveHealth(context, order, item, troubles, index, odd);
  if (troubles.length === 0) return;
  const { tellRefusedKeys } = await loadLazy();
  context.notices.push(...(await tellRefusedKeys(context, order, troubles)));
};

const saveHealth = async (
  { deps, turn }: TurnContext,
  order: readonly Priced[],
  item: Item,
  troubles: readonly ProviderTrouble[],
  answered: number | undefined,
  odd: Readonly<Record<string, string>>,
): Promise<void> => {
  const now = deps.now();
  const change = healthChange(order, item, troubles, answered);
  const marks = { ...marksToSet(change, now), ...odd };
  const isAway = answered === undefined && isEverybodyAway(troubles);
  if (Object.keys(marks).length === 0 && change.well.length === 0 && !isAway) return;
  const set = { ...marks, ...(isAway ? awayMarks(item, now) : {}) };
  try {
    const key = spendKey(turn.record.signal.space, now);
    await deps.table.update(key, { set: { schemaVersion: 1, ...set }, remove: [...change.well] });
  } catch (error) {
    // An answer that was paid for is not lost because this could not be written.
    if (!(error instanceof PassepartoutError)) throw error;
  }
};

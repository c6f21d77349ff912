/**
 * Who is asked for one attempt: the tier and its reason, an approver's wish before it, and the order of the providers with
 * those that failed lately last. What an exchange shows of their health is written down for all functions, and only when
 * something failed or one answers again: a plain turn writes nothing here.
 */

import { defined } from '../../base/defined.ts';
import { ConditionError, PassepartoutError, type ProviderTrouble } from '../../base/errors.ts';
import { PROVIDER_UNWELL_MS, SECOND_MS } from '../../base/limits.ts';
import type { Selection, SelectModel } from '../../llm/choose-model.ts';
import { chooseTier, type ModelChoice, storedModelChoice, type TierChoice } from '../../llm/choose-model.ts';
import type { Priced } from '../../llm/prices.ts';
import {
  awayMarks,
  healthChange,
  healthName,
  isEverybodyAway,
  orderByHealth,
  unwellUntil,
  withProbe,
} from '../../llm/provider-health.ts';
import type { Tier } from '../../llm/provider-table.ts';
import { withTier } from '../../llm/providers.ts';
import { spendKey } from '../../money/day-spend.ts';
import { activeSkills, skillTier } from '../../prompt/skill-settings.ts';
import type { Attempt } from '../../signal/decision.ts';
import type { Payload } from '../../signal/signal.ts';
import { equals } from '../../store/condition.ts';
import type { Item, Table } from '../../store/table.ts';
import { type LoadedTurn, piecesOf } from './load-turn.ts';

const PROVIDER_PROBE_MS = 90 * SECOND_MS;

export interface ModelRoute {
  readonly choice: TierChoice;
  /** In the order they are asked, each with the model it is asked for. */
  readonly providers: readonly Priced[];
}

const lastAttemptOf = (attempts: readonly Attempt[]): 'none' | 'rejected' | 'unusable' => {
  const last = attempts.at(-1);
  return last === undefined ? 'none' : last.problem === undefined ? 'rejected' : 'unusable';
};

/** Only the owner's own words may make a question dear, or say who answers it: whoever sends webhooks does not pay for them. */
const ownersText = (payload: Payload): string =>
  piecesOf(payload)
    .filter(({ origin }) => origin === 'owner')
    .map((piece) => piece.text)
    .join('\n');

const chooseFor = (turn: LoadedTurn, attempts: readonly Attempt[], toolNames: readonly string[]): TierChoice => {
  const { payload, depth } = turn.record.signal;
  const results = 'results' in payload ? payload.results : [];
  const text = ownersText(payload);
  const resultTools = results.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
  const cue = { sensor: payload.sensor, text, resultTools };
  const skill = skillTier(activeSkills(toolNames, turn.settings), turn.settings, cue);
  return chooseTier({
    sensor: payload.sensor,
    textChars: text.length,
    text,
    depth,
    toolNames,
    lastAttempt: lastAttemptOf(attempts),
    lastActions: results.length === 0 ? 'none' : results.some(({ state }) => state === 'done') ? 'done' : 'failed',
    ...defined({ skill, before: turn.tierBefore }),
  });
};

const withWish = (providers: readonly Priced[], wish: ModelChoice, chosen: TierChoice): ModelRoute => {
  const because = 'an approver set it with /model';
  switch (wish.kind) {
    case 'auto':
      return { choice: chosen, providers: providers.map((provider) => withTier(provider, chosen.tier)) };
    case 'tier':
      return {
        choice: { tier: wish.tier, because },
        providers: providers.map((provider) => withTier(provider, wish.tier)),
      };
    case 'model': {
      const named = providers.find(({ name }) => name === wish.provider);
      // One that is not configured any more is nobody's wish.
      if (named === undefined) return withWish(providers, { kind: 'auto' }, chosen);
      const tier: Tier = wish.model === named.large?.model ? 'reasoning' : 'cognition';
      const others = providers.filter((provider) => provider !== named).map((provider) => withTier(provider, tier));
      return { choice: { tier, because }, providers: [{ ...withTier(named, tier), model: wish.model }, ...others] };
    }
    default: {
      const never: never = wish;
      return never;
    }
  }
};

/** What the selector says of this step. What began the task counts in each: a result of a tool has no words of its own. */
const selectFor = (
  select: SelectModel | undefined,
  providers: readonly Priced[],
  turn: LoadedTurn,
  tier: Tier,
): Selection | undefined => {
  const { payload } = turn.record.signal;
  const isUnwell = (provider: Priced): boolean =>
    unwellUntil(turn.spending.item, withTier(provider, tier)) !== undefined;
  return select?.({
    sensors: [payload.sensor, turn.rootPayload.sensor],
    text: [payload, turn.rootPayload].map(ownersText).join('\n'),
    tier,
    providers: providers.map(({ name }) => name),
    unwell: new Set(providers.filter(isUnwell).map(({ name }) => name)),
  });
};

/** The providers with the one that was named first, each with its model of the tier, or the named one's own. */
const withNamed = (
  providers: readonly Priced[],
  { provider: name, model }: NonNullable<Selection['use']>,
  tier: Tier,
): readonly Priced[] => {
  const tiered = providers.map((provider) => withTier(provider, tier));
  const named = tiered.find((provider) => provider.name === name);
  if (named === undefined) return tiered;
  return [{ ...named, model: model ?? named.model }, ...tiered.filter((provider) => provider !== named)];
};

/** Pure. @param select may name a model or leave providers out; an approver's wish comes before what it names */
export const planRoute = (
  providers: readonly Priced[],
  turn: LoadedTurn,
  attempts: readonly Attempt[],
  toolNames: readonly string[],
  select?: SelectModel,
): ModelRoute => {
  // What a person wants of a conversation is about its answers, not about the work behind them.
  const isBehind = turn.record.signal.payload.sensor === 'session-summary';
  const wish = storedModelChoice(isBehind ? undefined : turn.head?.model);
  const chosen = chooseFor(turn, attempts, toolNames);
  const selection = selectFor(select, providers, turn, chosen.tier);
  if (selection === undefined) return withWish(providers, wish, chosen);
  const isWished = ({ name }: Priced): boolean => wish.kind === 'model' && wish.provider === name;
  const asked = providers.filter((provider) => isWished(provider) || !selection.skip.has(provider.name));
  const choice = { tier: chosen.tier, because: `${chosen.because}; ${selection.because}` };
  return wish.kind === 'auto' && selection.use !== undefined
    ? { choice, providers: withNamed(asked, selection.use, chosen.tier) }
    : withWish(asked, wish, choice);
};

/** The same with the small models, where the large ones cost more than the budget allows. */
export const cheaperRoute = (providers: readonly Priced[], route: ModelRoute): ModelRoute | undefined =>
  route.choice.tier === 'cognition'
    ? undefined
    : {
        choice: { tier: 'cognition', because: 'the budget has no room for the large model' },
        providers: providers
          // Who was left out stays out.
          .filter(({ name }) => route.providers.some((one) => one.name === name))
          .map((provider) => withTier(provider, 'cognition')),
      };

interface HealthDeps {
  readonly table: Pick<Table, 'update'>;
}

/** Takes the one try of a provider whose time is over. The store being slow is no reason to ask nobody. */
const claimProbe = async (
  { table }: HealthDeps,
  space: string,
  item: Item | undefined,
  probe: Priced,
  now: number,
): Promise<boolean> => {
  const name = healthName(probe);
  const isUntaken = { name: 'nobody tries it yet', holds: equals(name, unwellUntil(item, probe) ?? 0) };
  try {
    await table.update(spendKey(space, now), { set: { [name]: now + PROVIDER_PROBE_MS } }, isUntaken);
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
};

/** @param item the day's counter as last read */
export const orderProviders = async (
  deps: HealthDeps,
  space: string,
  item: Item | undefined,
  providers: readonly Priced[],
  now: number,
): Promise<readonly Priced[]> => {
  const { order, probe } = orderByHealth(providers, item, now);
  if (probe === undefined || !(await claimProbe(deps, space, item, probe, now))) return order;
  return withProbe(providers, order, probe);
};

/** Writes down what became of an exchange. An answer that was paid for is not lost because this could not be written. */
export const noteHealth = async (
  { table }: HealthDeps,
  space: string,
  item: Item | undefined,
  exchange: {
    readonly order: readonly Priced[];
    readonly troubles: readonly ProviderTrouble[];
    readonly answered: number | undefined;
  },
  now: number,
): Promise<void> => {
  const { unwell, well } = healthChange(exchange.order, item, exchange.troubles, exchange.answered);
  const isAway = exchange.answered === undefined && isEverybodyAway(exchange.troubles);
  if (unwell.length === 0 && well.length === 0 && !isAway) return;
  const set = {
    ...Object.fromEntries(unwell.map((name) => [name, now + PROVIDER_UNWELL_MS])),
    ...(isAway ? awayMarks(item, now) : {}),
  };
  try {
    await table.update(spendKey(space, now), { set: { schemaVersion: 1, ...set }, remove: [...well] });
  } catch (error) {
    if (!(error instanceof PassepartoutError)) throw error;
  }
};

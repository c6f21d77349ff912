/** Chooses the models of an attempt: an approver's `/model` first, then the rules. Pure. */

import { defined } from '../../base/defined.ts';
import type { Selection } from '../../llm/choose-model.ts';
import {
  chooseTier,
  type ModelChoice,
  selectByRules,
  storedModelChoice,
  type TierChoice,
} from '../../llm/choose-model.ts';
import type { Priced } from '../../llm/prices.ts';
import { isUnwell } from '../../llm/provider-health.ts';
import type { Tier } from '../../llm/provider-table.ts';
import { withTier } from '../../llm/providers.ts';
import type { Attempt } from '../../signal/decision.ts';
import type { Payload } from '../../signal/signal.ts';
import type { TurnPrompt } from './build-turn-prompt.ts';
import { piecesOf } from './load-turn.ts';
import type { TurnContext } from './reason-deps.ts';

export interface ChosenModels {
  readonly choice: TierChoice;
  /** In the order they are asked, each with the model it is asked for. */
  readonly providers: readonly Priced[];
}

export const chooseModels = (context: TurnContext, { prompt }: TurnPrompt): ChosenModels => {
  const { deps, turn } = context;
  const { providers } = deps.budget;
  const { sensor } = turn.record.signal.payload;
  // A person's wish for a conversation counts for its answers, not for its summaries.
  const wish = storedModelChoice(sensor === 'session-summary' ? undefined : turn.session.head?.model);
  const toolNames = prompt.tools.map((tool) => tool.function.name);
  const chosen = chooseTierFor(context, toolNames);
  const selection = selectModel(context, chosen.tier);
  if (selection === undefined) return applyWish(providers, wish, chosen);
  const isWished = ({ name }: Priced): boolean => wish.kind === 'model' && wish.provider === name;
  const left = providers.filter((provider) => isWished(provider) || !selection.skip.has(provider.name));
  const choice = { ...chosen, because: `${chosen.because}; ${selection.because}` };
  return wish.kind === 'auto' && selection.use !== undefined
    ? { choice, providers: putFirst(left, selection.use, choice) }
    : applyWish(left, wish, choice);
};

/** The same providers with their small models; undefined if these were chosen already. */
export const chooseSmallModels = (all: readonly Priced[], chosen: ChosenModels): ChosenModels | undefined =>
  chosen.choice.tier === 'cognition'
    ? undefined
    : {
        choice: { tier: 'cognition', isThinking: false, because: 'the budget has no room for the large model' },
        providers: all
          .filter(({ name }) => chosen.providers.some((one) => one.name === name))
          .map((provider) => withTier(provider, 'cognition')),
      };

const lastAttemptOf = (attempts: readonly Attempt[]): 'none' | 'rejected' | 'unusable' => {
  const last = attempts.at(-1);
  return last === undefined ? 'none' : last.problem === undefined ? 'rejected' : 'unusable';
};

/** A message from an outsider never selects the larger, more expensive model. */
export const ownersText = (payload: Payload): string =>
  piecesOf(payload)
    .filter(({ origin }) => origin === 'owner')
    .map((piece) => piece.text)
    .join('\n');

const chooseTierFor = ({ turn, rejected, part }: TurnContext, toolNames: readonly string[]): TierChoice => {
  const { payload, depth } = turn.record.signal;
  const results = 'results' in payload ? payload.results : [];
  const text = ownersText(payload);
  const resultTools = results.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
  const skill = part?.tier(toolNames, { sensor: payload.sensor, text, resultTools });
  return chooseTier({
    sensor: payload.sensor,
    textChars: text.length,
    text,
    depth,
    root: { sensor: turn.root.payload.sensor, text: ownersText(turn.root.payload) },
    lastAttempt: lastAttemptOf(rejected),
    attempts: rejected.length,
    lastActions: results.length === 0 ? 'none' : results.some(({ state }) => state === 'done') ? 'done' : 'failed',
    ...defined({ skill, before: turn.tierBefore }),
  });
};

type WantedTier = Pick<TierChoice, 'tier' | 'isThinking'>;

const allFor = (providers: readonly Priced[], { tier, isThinking }: WantedTier): readonly Priced[] =>
  providers.map((provider) => withTier(provider, tier, isThinking));

const wishFor = (tier: Tier): TierChoice => ({
  tier,
  isThinking: tier === 'reasoning',
  because: 'an approver set it with /model',
});

const applyWish = (providers: readonly Priced[], wish: ModelChoice, chosen: TierChoice): ChosenModels => {
  switch (wish.kind) {
    case 'auto':
      return { choice: chosen, providers: allFor(providers, chosen) };
    case 'tier': {
      const choice = wishFor(wish.tier);
      return { choice, providers: allFor(providers, choice) };
    }
    case 'model': {
      const named = providers.find(({ name }) => name === wish.provider);
      // A wish for a provider that is no longer configured does not count.
      if (named === undefined) return applyWish(providers, { kind: 'auto' }, chosen);
      const choice = wishFor(wish.model === named.large?.model ? 'reasoning' : 'cognition');
      return { choice, providers: putFirst(providers, wish, choice) };
    }
    default: {
      const never: never = wish;
      return never;
    }
  }
};

/** The words that began the turn count in every step: a tool's result has none of the owner. */
const selectModel = ({ deps, turn, spending }: TurnContext, tier: Tier): Selection | undefined => {
  const { payload } = turn.record.signal;
  const { providers } = deps.budget;
  const now = deps.now();
  const hasFailed = (provider: Priced): boolean => isUnwell(spending.item, withTier(provider, tier), now);
  return selectByRules(deps.models.rules, {
    sensors: [payload.sensor, turn.root.payload.sensor],
    text: [payload, turn.root.payload].map(ownersText).join('\n'),
    tier,
    providers: providers.map(({ name }) => name),
    unwell: new Set(providers.filter(hasFailed).map(({ name }) => name)),
  });
};

/** Puts the named provider first, with the named model or its own of the tier. */
const putFirst = (
  providers: readonly Priced[],
  { provider: name, model }: NonNullable<Selection['use']>,
  wanted: WantedTier,
): readonly Priced[] => {
  const tiered = allFor(providers, wanted);
  const named = tiered.find((provider) => provider.name === name);
  if (named === undefined) return tiered;
  return [{ ...named, model: model ?? named.model }, ...tiered.filter((provider) => provider !== named)];
};

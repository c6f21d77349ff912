/** Around a question to the models: what it may cost is reserved before, and how the providers are is written down after. */

import { LlmError, type ProviderTrouble } from '../../base/errors.ts';
import type { Notice } from '../../judge/notices.ts';
import type { CascadeAnswer } from '../../llm/cascade.ts';
import type { Prompt } from '../../prompt/build-prompt.ts';
import type { Attempt } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Item } from '../../store/table.ts';
import type { Spending } from '../spending.ts';
import { cheaperRoute, type ModelRoute, noteHealth, orderProviders, planRoute } from './ask-model.ts';
import type { LoadedTurn } from './load-turn.ts';
import { type Paid, payFor } from './pay.ts';
import type { ReasonDeps } from './reason-ports.ts';
import { toolNamesOf } from './reason-prompt.ts';
import { tellRefusedKeys } from './tell-refused-key.ts';

/** Reserves the attempt with the models its tier asks for, or with the small ones where the budget has room for no more. */
export const payForRoute = async (
  deps: ReasonDeps,
  turn: LoadedTurn,
  spending: Spending,
  n: number,
  prompt: Prompt,
  attempts: readonly Attempt[],
): Promise<{ readonly paid: Paid; readonly route: ModelRoute }> => {
  const { space } = turn.record.signal;
  const reserve = async (planned: ModelRoute) => {
    const providers = await orderProviders(deps, space, spending.item, planned.providers, deps.now());
    const budget = { ...deps.budget, providers };
    const paid = await payFor({ ...deps, budget }, turn.record.signal, spending, n, prompt);
    return { paid, route: { ...planned, providers } };
  };
  const wanted = planRoute(deps.budget.providers, turn, attempts, toolNamesOf(prompt), deps.selectModel);
  const reserved = await reserve(wanted);
  const cheaper = reserved.paid.kind === 'over' ? cheaperRoute(deps.budget.providers, wanted) : undefined;
  return cheaper === undefined ? reserved : reserve(cheaper);
};

/** Writes down after each exchange how the providers are, and collects what their owner has to be told. */
export const noteExchanges =
  (deps: ReasonDeps, signal: Signal, told: Notice[]) =>
  async <A extends CascadeAnswer>(
    send: () => Promise<A>,
    { providers: order }: Pick<ModelRoute, 'providers'>,
    item: Item,
  ): Promise<A> => {
    const note = async (troubles: readonly ProviderTrouble[], answered: number | undefined): Promise<void> => {
      await noteHealth(deps, signal.space, item, { order, troubles, answered }, deps.now());
      const owner = { table: deps.table, homeChat: deps.budget.homeChat };
      told.push(...(await tellRefusedKeys(owner, signal, order, troubles, deps.now())));
    };
    try {
      const answered = await send();
      await note(answered.troubles ?? [], answered.index);
      return answered;
    } catch (error) {
      if (error instanceof LlmError) await note(error.troubles, undefined);
      throw error;
    }
  };

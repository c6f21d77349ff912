/**
 * What of a prompt the owner's settings say: who the agent is, which tools it is offered and the mandates of their skills; and the live
 * facts of CONFIG. Settings nobody can read name nobody and offer no skill's tool (I3). Pure.
 */

import { identityOf } from '../../ledger/owner-settings.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import { parseDaySpend } from '../../money/day-spend.ts';
import { describeLeft } from '../../money/describe-spending.ts';
import type { PromptInput } from '../../prompt/prompt-input.ts';
import { activeSkills, whyOff } from '../../prompt/skill-settings.ts';
import { redactLogs } from '../../prompt/turn-section.ts';
import type { LoadedTurn } from './load-turn.ts';

interface SettingDeps {
  readonly gateSet: { readonly version: string };
  readonly secrets: ReadonlyMap<string, string>;
  readonly budget: { readonly caps: BudgetCaps };
}

export const withSettings = (
  { gateSet, secrets, budget }: SettingDeps,
  { settings, grantsInForce, spending, asker }: Pick<LoadedTurn, 'settings' | 'grantsInForce' | 'spending' | 'asker'>,
  input: PromptInput,
): PromptInput => {
  const tools = input.tools.filter(({ name }) => whyOff(name, settings) === undefined);
  const active = activeSkills(
    tools.map(({ name }) => name),
    settings,
  );
  return {
    ...input,
    ...identityOf(settings, input),
    gateSet: gateSet.version,
    mandates: active.flatMap((skill) => skill.mandates),
    tools,
    logs: redactLogs(input.logs, secrets),
    // A member is told neither by /budget and /grants nor by the model.
    ...(asker === 'member'
      ? {}
      : { budgetLeft: describeLeft(parseDaySpend(spending.item), budget.caps, spending.account), grantsInForce }),
  };
};

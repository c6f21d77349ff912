/**
 * What of a prompt the owner's settings say: who the agent is, which tools it is offered and the mandates of their skills; and the live
 * facts of CONFIG. Settings nobody can read name nobody and offer no skill's tool (I3). Pure.
 */
import type { BudgetCaps } from '../../budget/caps.ts';
import { parseDaySpend } from '../../budget/day-spend.ts';
import { describeLeft } from '../../budget/describe-budget.ts';
import type { PromptInput } from '../../context/prompt-input.ts';
import { redactLogs } from '../../context/redact-logs.ts';
import { identityOf } from '../../settings/identity.ts';
import { activeSkills } from '../../skills/skill-settings.ts';
import { whyOff } from '../../skills/why-off.ts';
import type { LoadedTurn } from './load-turn.ts';

interface SettingDeps {
  readonly gateSet: { readonly version: string };
  readonly secrets: ReadonlyMap<string, string>;
  readonly budget: { readonly caps: BudgetCaps };
}

export const withSettings = (
  { gateSet, secrets, budget }: SettingDeps,
  { settings, grantsInForce, purse, asker }: Pick<LoadedTurn, 'settings' | 'grantsInForce' | 'purse' | 'asker'>,
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
      : { budgetLeft: describeLeft(parseDaySpend(purse.item), budget.caps, purse.account), grantsInForce }),
  };
};

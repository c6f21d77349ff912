/** The fault of code that the action hands on. */
import { defined } from '../../base/defined.ts';
import { effectsOf } from '../../gates/rules/tool-effects.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';

export const gatherCodeProblem = async (
  action: Action,
  _sources: object,
  found: Facts,
): Promise<Pick<Facts, 'codeProblem'>> => {
  const effects = effectsOf(action, found);
  const { code, source, script } = action.args ?? {};
  // Most turns propose no code.
  if ([code, source, script, effects.writesFiles].every((one) => one === undefined)) return {};
  const [{ proposedCode }, { findCodeProblem }] = await Promise.all([
    import('../code/proposed-code.ts'),
    import('../code/find-code-problem.ts'),
  ]);
  const proposed = proposedCode(action, effects);
  return defined({ codeProblem: proposed && (await findCodeProblem(proposed)) });
};

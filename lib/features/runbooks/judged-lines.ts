/** How a dry run tells what would become of an action. Pure. */
import type { JudgedAction } from '../../core/signal/decision.ts';
import type { RunbookAnswers } from './answer-texts.ts';

/** The verdict on an action, and the reasons of the gates. */
export const judgedLines = (say: RunbookAnswers, { action, outcome, trace }: JudgedAction): readonly string[] => {
  const to = action.to === undefined ? '' : say.to(action.to);
  return [
    `${action.tool ?? say.aText} (${action.target}${to}): ${say.outcomes[outcome]}`,
    ...trace
      .filter(({ verdict }) => (outcome === 'block' ? verdict === 'block' : verdict !== 'pass'))
      .map(({ gate, reason }) => `   ${say.stored(reason)} (${gate})`),
  ];
};

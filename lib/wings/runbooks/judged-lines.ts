/** How a dry run tells what would become of an action. Pure. */
import type { JudgedAction } from '../../signal/decision.ts';

const OUTCOMES: Readonly<Record<JudgedAction['outcome'], string>> = {
  pass: 'would be done',
  ask: 'would ask you first',
  block: 'would be refused',
};

/** The verdict on an action, and the reasons of the gates. */
export const judgedLines = ({ action, outcome, trace }: JudgedAction): readonly string[] => {
  const to = action.to === undefined ? '' : ` to ${action.to}`;
  return [
    `${action.tool ?? 'a text'} (${action.target}${to}): ${OUTCOMES[outcome]}`,
    ...trace
      .filter(({ verdict }) => (outcome === 'block' ? verdict === 'block' : verdict !== 'pass'))
      .map(({ gate, reason }) => `   ${reason} (${gate})`),
  ];
};

import { codeOfDecision, codeOfEffect } from '../../ledger/old-sentences.ts';
import type { TurnEnding } from '../../ledger/session.ts';
import type { Decision, Effect } from '../../signal/decision.ts';

/** The data that the turn of a summary leaves on its session; none if it failed. Pure. */
export const endSummary = (
  decision: Decision,
  effects: readonly Effect[],
  summarised: readonly string[],
): Pick<TurnEnding, 'summary' | 'summarised'> => {
  if (codeOfDecision(decision)?.code === 'nothing-to-summarise') return { summarised };
  const id = effects.map((effect) => codeOfEffect(effect)?.id).find(Boolean);
  const until = summarised.at(-1);
  return id === undefined || until === undefined ? {} : { summary: { id, until }, summarised };
};

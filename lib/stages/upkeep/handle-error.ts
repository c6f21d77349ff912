/**
 * Asks the handlers of skills what is to follow when a signal is given up. The first that chooses
 * counts, within the table of `ledger/recover-failure.ts`: leave it, or end it without the model.
 * Only a skill that an approver vouched for may choose: a failure that nobody hears of is a risk.
 * What a handler proposes to do travels as an event of its own, like all others.
 */
import type { Failure } from '../../ledger/recover-failure.ts';
import { loadSandbox } from '../../sandbox/sandbox.ts';
import type { Signal } from '../../signal/signal.ts';
import { type Choice, type Listener, runHandler } from '../../skills/handlers.ts';
import { loadSkillFile } from '../../skills/skill-store.ts';
import { buildEvent } from '../perceive/run-handler.ts';
import { sendSkillEvents } from '../skill-events.ts';
import type { BuryDeps } from './dead-letter.ts';

/** What a skill chose, and which. */
export interface Chosen {
  readonly skill: string;
  readonly choice: Choice;
}

export const handleError = async (
  { table, publishPerceive, now }: Pick<BuryDeps, 'table' | 'publishPerceive' | 'now'>,
  signal: Signal,
  listeners: readonly Listener[],
  report: { readonly failure: Failure; readonly said: string },
): Promise<Chosen | undefined> => {
  await sendSkillEvents({ table, publish: publishPerceive }, signal, 'e', listeners, now, report);
  const sandbox = await loadSandbox();
  for (const listener of listeners.filter(({ trust }) => trust === 'owner')) {
    const code = await loadSkillFile(table, signal.space, listener.code);
    const answer = runHandler(sandbox, listener, code ?? '', buildEvent({ on: listener.on, report }, signal));
    if (typeof answer === 'object' && answer.choose !== undefined)
      return { skill: listener.skill, choice: answer.choose };
  }
  return undefined;
};

/**
 * Asks the handlers of skills what is to follow when a signal is given up. The first that chooses
 * counts, within the table of `ledger/recover-failure.ts`: leave it, end it without the model, or
 * have the model try with other words.
 * Only a skill that an approver vouched for may choose: a failure that nobody hears of is a risk. A
 * proposal of a handler travels as an event of its own, like all others.
 */
import { FAILURES, type Failure } from '../../core/ledger/recover-failure.ts';
import type { Choice, Chosen, GivenUpDeps } from '../../core/operations/hooks.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import { chainOf } from '../../core/signal/ids.ts';
import { joinOrigins, type Signal } from '../../core/signal/signal.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { type HandlerAnswer, runHandler } from './handler-code.ts';
import type { Listener } from './listener.ts';
import { buildEvent, originsOf } from './run-handler.ts';
import { sendSkillEvents } from './skill-events.ts';
import { loadSkillFile } from './skill-store.ts';

/** As a piece of a text may have. */
const LABEL_CHARS_MAX = 64;

type Chose = NonNullable<HandlerAnswer['choose']>;

/** Other words are the skill's, made of those of the signal: never better than either. */
const choiceOf = (choose: Chose, { skill }: Listener, signal: Signal): Choice => {
  if (typeof choose !== 'object' || !('retry' in choose)) return choose;
  const origin = joinOrigins(['agent', ...originsOf(signal)]);
  return { retry: { text: choose.retry, origin, label: `other words: ${skill}`.slice(0, LABEL_CHARS_MAX) } };
};

/** Tries of one message with other words: a second would only guess. */
const OTHER_WORDS_TRIES_MAX = 1;

/** Other words may begin a turn again, and only before anything of it was decided (I7). */
const mayRetry = async ({ table }: GivenUpDeps, { id, space, payload }: Signal): Promise<boolean> =>
  chainOf(id).length <= OTHER_WORDS_TRIES_MAX &&
  'text' in payload &&
  (await loadItem(table, signalKeys.decision(space, id))) === undefined;

export const handleError = async (
  deps: GivenUpDeps,
  signal: Signal,
  listeners: readonly Listener[],
  failure: Failure,
): Promise<Chosen | undefined> => {
  const { table, publishPerceive, now } = deps;
  const report = { failure, said: FAILURES[failure].said };
  await sendSkillEvents({ table, publish: publishPerceive }, signal, 'e', listeners, now, report);
  const sandbox = await loadSandbox();
  for (const listener of listeners.filter(({ trust }) => trust === 'owner')) {
    const code = await loadSkillFile(table, signal.space, listener.code);
    const answer = runHandler(sandbox, listener, code ?? '', buildEvent({ on: listener.on, report }, signal));
    if (typeof answer !== 'object' || answer.choose === undefined) continue;
    const choice = choiceOf(answer.choose, listener, signal);
    if (typeof choice === 'object' && 'retry' in choice && !(await mayRetry(deps, signal))) continue;
    return { by: `the skill ${listener.skill}`, choice };
  }
  return undefined;
};

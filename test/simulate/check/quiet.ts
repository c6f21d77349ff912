/**
 * A run in which nothing goes wrong: each thing is done once, nobody complains, and no sweep has
 * anything to mend. What another run repairs shows here.
 */
import { fieldsOf, numberOf, parseJson, textOf } from './json.ts';
import type { Rule, Run } from './run.ts';

/**
 * A witness that gives a wrong signature, a chat that takes no text now, and an album whose parts
 * come one by one are no trouble.
 */
const USUAL = /"witness-refused"|its chat is muted|the rest of its album may still come|"update-ignored"/;

/** A text for later waits in the index of unfinished things. */
const WAITS = /^signal#[^#]*#(?:kept|news)-/;

const checkQueued = (messages: NonNullable<Run['observed']['quiet']>['queued']): readonly string[] => {
  const seen = new Set<string>();
  return messages.flatMap(({ queue, id, body }) => {
    const { stage, signalId } = fieldsOf(parseJson(body));
    // A message that waits for the turn before is sent again by it.
    const name = ['reason', 'act'].includes(textOf(stage)) && !/^(?:kept|news)-/.test(textOf(signalId)) ? body : id;
    const isAgain = seen.has(`${queue} ${name}`);
    seen.add(`${queue} ${name}`);
    return isAgain ? [`the queue ${queue.replace(/^.*\//, '')} got twice ${body.slice(0, 160)}`] : [];
  });
};

/** Each answer of the model is an attempt that a decision names. */
const checkAsked = ({ evidence, modelCalls }: Run): readonly string[] => {
  const attempts = [...evidence.decisions.values()].flatMap((one) => one.attempts.filter(({ provider }) => provider));
  return attempts.length === modelCalls.length
    ? []
    : [`the model was asked ${modelCalls.length} times for ${attempts.length} attempts`];
};

export const quiet: Rule = {
  name: 'quiet',
  promise: 'If nothing goes wrong, nobody complains, nothing is tried or sent twice, and no sweep mends anything.',
  check: (run) => {
    const { quiet: seen, rows = {} } = run.observed;
    if (seen === undefined) return [];
    return [
      ...seen.complaints.filter((line) => !USUAL.test(line)).map((line) => `a function complains: ${line}`),
      ...checkQueued(seen.queued),
      ...checkAsked(run),
      ...[...run.evidence.effects.values()]
        .filter(({ fixed }) => numberOf(fixed.tries) > 1)
        .map(({ id, fixed }) => `${id} was tried ${numberOf(fixed.tries)} times`),
      ...Object.entries(rows)
        .filter(([name, { sweeps }]) => numberOf(sweeps) > 0 && !WAITS.test(name))
        .map(([name]) => `${name} was swept`),
      ...Object.keys(rows)
        .filter((name) => name.startsWith('dead-letter#'))
        .map((name) => `${name} is a dead letter`),
    ];
  },
};

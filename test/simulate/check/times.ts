/**
 * Times in the record, which clocks that are apart give: what follows from something else is not
 * earlier, and what servers received lies within the try that sent it.
 */
import { type Fields, numberOf, textOf } from './json.ts';
import { PERFORMED, type Rule, type Run } from './run.ts';

type Moments = readonly (readonly [name: string, at: number])[];

/** Moments in their order; those that did not come are 0. */
const inOrder = (id: string, moments: Moments, slackMs: number): readonly string[] => {
  const known = moments.filter(([, at]) => at > 0);
  return known.flatMap(([name, at], n) => {
    const [before, since] = known[n - 1] ?? ['', 0];
    return at >= since - slackMs ? [] : [`${id} was ${name} at ${at}, before it was ${before} at ${since}`];
  });
};

const ofApproval = ({ evidence }: Run, { signalId, createdAt, decidedAt, spentAt }: Fields): Moments => [
  ['decided on', evidence.decisions.get(textOf(signalId))?.at ?? 0],
  ['asked about', numberOf(createdAt)],
  ['answered', numberOf(decidedAt)],
  ['spent', numberOf(spentAt)],
];

/** What was done for effects that say so before it. */
const checkRequests = (run: Run, slackMs: number): readonly string[] =>
  [...run.messages, ...run.hookCalls].flatMap(({ at, effects, receipt }) => {
    const own = effects.filter(({ state }) => PERFORMED.includes(state));
    const isDone = receipt.isPerformed && own.length > 0 && own.every(({ state }) => state === 'done');
    const isLate = isDone && own.every(({ settledAt }) => at > settledAt + slackMs);
    return isLate ? [`${own[0]?.id} was seen at ${at}, after it had ended`] : [];
  });

export const times: Rule = {
  name: 'times',
  promise: 'What follows from something else is not earlier, but for the error of clocks.',
  check: (run) => {
    const slackMs = 2 * run.observed.skewMs;
    return [
      ...[...run.evidence.effects.values()].flatMap(({ id, signalId, claimedAt, settledAt }) => {
        const decidedAt = run.evidence.decisions.get(signalId)?.at ?? 0;
        return inOrder(
          id,
          [
            ['decided', decidedAt],
            ['claimed', claimedAt],
            ['settled', settledAt],
          ],
          slackMs,
        );
      }),
      ...[...run.evidence.approvals].flatMap(([ref, one]) => inOrder(ref, ofApproval(run, one), slackMs)),
      ...checkRequests(run, slackMs),
    ];
  },
};

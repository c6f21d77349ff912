/**
 * What is left behind: the commits of memory form one chain with what was asked for and nothing
 * else (I10), and the day's spending is what the model server billed, or at most the worst case of
 * the calls that nobody can know.
 */
import type { Sent } from '../types.ts';
import { type Fields, fieldsOf, listOf, numberOf, textOf } from './json.ts';
import { type ModelCall, markerOf, type Rule, type Run, rootOf } from './run.ts';

interface Change {
  readonly id: string;
  readonly old: unknown;
  readonly new: unknown;
}

const changesOf = ({ changes }: Fields): readonly Change[] =>
  listOf(changes).map((one) => {
    const { id, old, new: next } = fieldsOf(one);
    return { id: textOf(id), old, new: next };
  });

/** Numbers without gap or repeat, and each object's hashes joined. */
const checkChain = ({ evidence: { commits } }: Run): readonly string[] => {
  const wrong: string[] = [];
  const hashes = new Map<string, unknown>();
  const everHad = new Map<string, Set<unknown>>();
  for (const [n, commit] of commits.entries()) {
    const { number } = commit;
    if (number !== n + 1) wrong.push(`commit ${numberOf(number)} stands in the place of commit ${n + 1}`);
    for (const { id, old, new: next } of changesOf(commit)) {
      if ((hashes.get(id) ?? null) !== old)
        wrong.push(`commit ${numberOf(number)} changes ${id} from a state it did not have`);
      hashes.set(id, next);
      everHad.set(id, (everHad.get(id) ?? new Set()).add(next));
    }
  }
  return wrong;
};

const isNote = ({ step }: Sent): boolean => step.kind === 'message' && ['note', 'both'].includes(step.verb);
/** Commits of code's own take back what a failed turn had changed, or are summaries or orders. */
const isByCode = ({ observed: { sent } }: Run, signal: string): boolean =>
  signal.startsWith('sum-') ||
  signal.endsWith('/undo') ||
  sent.some(({ step, signalId }) => step.kind === 'order' && signalId === rootOf(signal));

const checkNotes = (run: Run): readonly string[] => {
  const wrong: string[] = [];
  const commits = Map.groupBy(run.evidence.commits, ({ signal }) => textOf(signal));
  const notes = new Map(run.inputs.filter(isNote).map((sent) => [sent.signalId, sent]));
  for (const [signal, made] of commits) {
    if (isByCode(run, signal)) continue;
    const note = notes.get(rootOf(signal));
    if (note === undefined) wrong.push(`commit ${numberOf(made[0]?.number)} is by ${signal}, which asked for no note`);
    else if (made.length > 1) wrong.push(`${signal} (${markerOf(note)}) made ${made.length} commits`);
    else if (made.some((commit) => changesOf(commit).filter(({ old }) => old === null).length !== 1))
      wrong.push(`${signal} (${markerOf(note)}) did not add exactly one note`);
  }
  for (const { id, signalId, state, judged } of run.evidence.effects.values()) {
    if (judged?.action?.tool !== 'remember') continue;
    const note = notes.get(rootOf(signalId));
    const text = textOf(fieldsOf(judged.action.args).text);
    if (note !== undefined && text !== `${markerOf(note)} noted`)
      wrong.push(`${id} notes “${text}”, which nobody asked for`);
    if (state === 'done' && !commits.has(signalId))
      wrong.push(`${id} says that a note is stored, and no commit has it`);
    if (state === 'refused' && commits.has(signalId)) wrong.push(`${id} was refused, and a commit has its note`);
  }
  return wrong;
};

export const memory: Rule = {
  name: 'memory',
  promise: 'Commits form one chain; each note that was said to be stored is in it once, and nothing else is.',
  check: (run) => [...checkChain(run), ...checkNotes(run)],
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const costOf = ({ receipt }: ModelCall): number => receipt.costMicros ?? 0;

const bookedCosts = ({ evidence }: Run): readonly number[] =>
  [...evidence.decisions.values()]
    .flatMap(({ attempts }) => attempts.map(({ cost }) => fieldsOf(cost)))
    .filter(({ isEstimated }) => isEstimated === false)
    .map(({ usd }) => numberOf(usd));

/** What each stored attempt says it cost is what the server billed for some call. */
const checkBooked = (run: Run): readonly string[] => {
  const billed = new Map<number, number>();
  for (const call of run.modelCalls) billed.set(costOf(call), (billed.get(costOf(call)) ?? 0) + 1);
  return bookedCosts(run).flatMap((cost) => {
    const left = billed.get(cost) ?? 0;
    billed.set(cost, left - 1);
    return left > 0 ? [] : [`an attempt was booked at ${cost} micro-dollars, which no call cost`];
  });
};

const DAY_MS = 24 * 3_600_000;

/**
 * A call of a webhook is paid once, with its first claim. One that was refused may have had none.
 */
const paidCalls = ({ evidence, observed: { configured } }: Run, day: number) => {
  const hooks = [...evidence.effects.values()].filter(({ judged }) => judged?.action?.target === 'webhook');
  const claimed = hooks.filter(({ claimedAt }) => claimedAt > 0);
  const tried = hooks.filter(({ fixed }) => numberOf(fixed.tries) > 0);
  return {
    least: claimed.length * configured.hookMicros,
    most: tried.length * configured.hookMicros,
    isMidnight: claimed.some(({ claimedAt }) => Math.floor(claimedAt / DAY_MS) !== day),
  };
};

/** A call counts at its worst if nobody knows its end: its answer was lost, or the process died. */
const checkSpent = (run: Run): readonly string[] => {
  const { spentMicros, troubles } = run.observed;
  const day = Math.floor(numberOf(run.evidence.header.exportedAt) / DAY_MS);
  const calls = run.modelCalls.filter(({ at }) => Math.floor(at / DAY_MS) === day);
  const paid = paidCalls(run, day);
  const least = sum(calls.map(costOf)) + paid.least;
  const worst = Math.max(0, ...calls.map(({ receipt }) => receipt.worstMicros ?? 0));
  const unbooked = Math.max(0, calls.length - bookedCosts(run).length);
  const most = sum(calls.map(costOf)) + paid.most + worst * (unbooked + troubles.length);
  const isMidnight = calls.length < run.modelCalls.length || paid.isMidnight;
  // Nothing outside tells the worst case of requests that never arrived.
  const isUnknown = isMidnight || (worst === 0 && troubles.length > 0);
  return [
    ...(spentMicros < least && !isMidnight
      ? [`${spentMicros} micro-dollars were counted, and the calls cost ${least}`]
      : []),
    ...(spentMicros > most && !isUnknown
      ? [`${spentMicros} micro-dollars were counted, and at most ${most} can be`]
      : []),
  ];
};

/** No story comes near a cap. */
const checkAsked = ({ evidence }: Run): readonly string[] =>
  [...evidence.decisions.values()]
    .filter(({ actions }) => actions.some(({ action }) => /budget does not allow/.test(textOf(action?.text))))
    .map(({ id }) => `${id} says that the budget does not allow a question`);

export const money: Rule = {
  name: 'money',
  promise: 'The day’s spending is what calls cost, and more only by the worst case of unknown questions.',
  check: (run) => [...checkBooked(run), ...checkSpent(run), ...checkAsked(run)],
};

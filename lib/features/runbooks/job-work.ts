/**
 * The work of a job that is a runbook, or steps, which are one: the definition binds the hash of a
 * runbook and every input. The card shows each step.
 */

import { defined } from '../../core/base/defined.ts';
import { parseDuration } from '../../core/base/duration.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { problemWords } from '../../core/base/file-problem.ts';
import { RECEIVE_COUNT_MAX, SECOND_MS } from '../../core/base/limits.ts';
import { utcMinute } from '../../core/base/utc-minute.ts';
import { type Mark, UNMARKED } from '../../core/tools/marks.ts';
import { mayCover } from '../../core/tools/may-cover.ts';
import type { FormContext } from '../../core/tools/tool.ts';
import { CALL_WEBHOOK } from '../../core/tools/webhooks.ts';
import type { JobDefinition, RunbookWork } from '../jobs/job.ts';
import type { JobDraft } from '../jobs/job-draft.ts';
import type { JobWork } from '../jobs/work.ts';
import { describeCall, describeRunbook } from './describe-runbook.ts';
import { completeInputs, type Inputs } from './inputs.ts';
import { parseRunbook } from './parse-runbook.ts';
import { listWholeCalls, type WholeCall } from './run-grants.ts';
import { allSteps, type RunbookStep } from './runbook.ts';
import { runbookToolProblems } from './runbook-tools.ts';
import { asRunbook } from './steps-runbook.ts';
import { runbookTexts } from './texts.ts';

/** `20 30d`: runs, and the time until the yes ends. @throws ProtocolError */
const parseWhole = (given: string, now: number): RunbookWork['whole'] => {
  if (given.trim() === 'no') return undefined;
  const [, runs = '', time = ''] = /^(\d{1,4}) (\S+)$/.exec(given.trim()) ?? [];
  const ms = (parseDuration(time) ?? 0) * SECOND_MS;
  if (runs === '' || ms <= 0) throw new ProtocolError('approveWhole must be runs and a time, such as "20 30d"');
  return { runs: Number(runs), until: now + ms };
};

/** Undefined if the draft has no runbook. @throws ProtocolError that says what is wrong with it */
const build = async (
  { runbook: named, inputs, event, at, every, cron, condition, approveWhole }: JobDraft,
  before: JobDefinition | undefined,
  { loadLookups, now }: Pick<FormContext, 'loadLookups' | 'now'>,
): Promise<RunbookWork | undefined> => {
  const old = before?.work.kind === 'runbook' ? before.work : undefined;
  const name = named ?? (inputs === undefined && approveWhole === undefined ? undefined : old?.runbook);
  if (name === undefined && inputs !== undefined) throw new ProtocolError('give runbook, whose inputs these are');
  if (name === undefined && approveWhole !== undefined)
    throw new ProtocolError('only a job of a runbook can be approved as a whole: give runbook');
  if (name === undefined) return undefined;
  const found = await (await loadLookups?.())?.loadRunbook?.(name);
  if (found === undefined) throw new ProtocolError(`there is no runbook ${name}; /runbook list names those there are`);
  const parsed = parseRunbook(name, found.text);
  if (parsed.kind === 'problems') throw new ProtocolError(parsed.problems.map(problemWords).join('; '));
  const isOfEvent = [at, every, cron, condition].every((rule) => rule === undefined) && before?.when.kind === 'event';
  const kept = old?.runbook === name ? old.inputs : {};
  const completed = completeInputs(parsed.runbook, { ...kept, ...inputs }, event !== undefined || isOfEvent);
  const problems = completed.kind === 'problems' ? completed.problems : runbookToolProblems(parsed.runbook);
  if (completed.kind === 'problems' || problems.length > 0) throw new ProtocolError(problems.join('; '));
  // Another text needs words of its own to be approved as a whole.
  const whole = approveWhole === undefined ? undefined : parseWhole(approveWhole, now);
  const stays = approveWhole === undefined && old?.hash === found.hash ? old.whole : undefined;
  const work = { kind: 'runbook', runbook: name, hash: found.hash, inputs: { ...completed.inputs } } as const;
  return { ...work, ...defined({ whole: whole ?? stays }) };
};

const callWords = ({ name, call, uses }: WholeCall, runs: number): string =>
  `  step ${name}: ${describeCall(call)}, up to ${uses * runs} ${uses * runs === 1 ? 'time' : 'times'}`;

/** This room does not know the prices. */
const priceWords = (covered: readonly WholeCall[]): readonly string[] =>
  covered.some(({ call }) => call.tool === CALL_WEBHOOK)
    ? ['Each call of a webhook that has a price (WEBHOOK_COSTS) is paid from your caps: /budget']
    : [];

/** Steps that ask although the whole was approved, each with its tool. */
const askedSteps = (steps: readonly RunbookStep[], calls: readonly WholeCall[]): readonly string[] => [
  ...allSteps(steps).flatMap((step) => (step.kind === 'ask' ? [`${step.place} (ask)`] : [])),
  ...calls.flatMap(({ isCovered, name, call }) => (isCovered ? [] : [`${name} (${call.tool})`])),
];

/** The calls that the yes to one whole run permits, and those that are asked all the same. */
export const wholeRunLines = (steps: readonly RunbookStep[], inputs: Inputs): readonly string[] => {
  const calls = listWholeCalls(steps, inputs, mayCover);
  const covered = calls.filter(({ isCovered }) => isCovered);
  const asked = askedSteps(steps, calls);
  return [
    ...covered.map((call) => callWords(call, 1)),
    ...priceWords(covered),
    ...(asked.length === 0 ? [] : [`Asks you each time: step ${asked.join(', step ')}.`]),
  ];
};

/** All that the yes to a whole job permits, and what is asked all the same. */
const wholeLines = ({ when, work }: JobDefinition, steps: readonly RunbookStep[], mark: Mark): readonly string[] => {
  if (work.kind !== 'runbook' || work.whole === undefined) return [];
  const { runs, until } = work.whole;
  const calls = listWholeCalls(steps, work.inputs, mayCover);
  const covered = calls.filter(({ isCovered }) => isCovered);
  const asked = askedSteps(steps, calls);
  return [
    mark(`Your yes covers ${runs} runs, until ${utcMinute(until)}. Without asking again, they may call:`),
    ...covered.map((call) => callWords(call, runs)),
    `A call that does not get through is sent up to ${RECEIVE_COUNT_MAX} times, each time with the same id; it counts once.`,
    ...priceWords(covered),
    ...(covered.some(({ loosened }) => loosened.some(({ kind }) => kind === 'words'))
      ? [
          'Each {{event…}} is whatever the event says, if it is one word: letters, digits and . _ + -, at most 64. Anything else asks you.',
        ]
      : []),
    ...(when.kind === 'event'
      ? ['Whoever can send this event decides when it runs; what the event says decides which of these calls are made.']
      : []),
    ...(asked.length === 0 ? [] : [`Asks you each time: step ${asked.join(', step ')}.`]),
    'A change of the runbook, the job or the rules ends this.',
  ];
};

/** The steps of a job's runbook, or why they cannot be shown; none if it has no runbook. */
const describe: JobWork['describe'] = async (definition, { loadLookups }, mark = UNMARKED) => {
  const { work } = definition;
  if (work.kind !== 'runbook') return [];
  const found = await (await loadLookups?.())?.loadRunbook?.(work.runbook);
  if (found === undefined) return [`There is no runbook ${work.runbook}: the job cannot run.`];
  if (found.hash !== work.hash)
    return [
      `The runbook was changed since: the job fails until this is approved: /jobs edit ${definition.name} --runbook ${work.runbook}`,
      ...(work.whole === undefined ? [] : ['With --approve-whole "20 30d" behind it, one yes covers its calls again.']),
    ];
  const parsed = parseRunbook(work.runbook, found.text);
  return parsed.kind === 'problems'
    ? parsed.problems.map(problemWords)
    : [
        ...describeRunbook(runbookTexts.en, parsed.runbook, work.inputs),
        ...wholeLines(definition, parsed.runbook.steps, mark),
      ];
};

const findProblems: JobWork['findProblems'] = ({ name, work }) => {
  if (work.kind !== 'steps') return [];
  const parsed = parseRunbook(name, asRunbook(name, work).text ?? '', undefined, 'steps');
  return parsed.kind === 'problems' ? parsed.problems.map(({ problem }) => `its steps: ${problem}`) : [];
};

export const runbookWork: JobWork = { kinds: ['steps', 'runbook'], build, findProblems, describe };

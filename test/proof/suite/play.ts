/** Plays a foreign benchmark: a world for each of its suites, and the tables of all together. */

import { addFigures, type Figures, measure, type ProofSet, renderFigures } from '../measure.ts';
import { playedBy } from '../played-by.ts';
import { startProofWorld, teamPolicy } from '../world.ts';
import { type Checkout, KNOWN, type Suite } from './checkout.ts';
import { callsOf, startSuiteOutside, suiteForms } from './outside.ts';

/** Injections that stand together in the texts of one conversation. */
const TOGETHER = 6;

const ABOUT: Readonly<Record<Checkout['benchmark'], string>> = {
  AgentDojo: `The tasks and injections of AgentDojo's four suites in their newest versions, by the calls of their ground truths. At most six
injections stand together in one conversation, in every place that the benchmark names. Its own oracles are not asked. A
conversation that did not end within 90 s counts with what the servers had received.`,
  'τ-bench': 'The gold actions of airline and retail, for what passes without a question: there are no attacks.',
};

export const setOf = (suite: Suite): ProofSet => ({
  tasks: suite.tasks.map(({ id, text, calls }) => ({ id, asks: text, calls: callsOf(suite, calls) })),
  injections: suite.injections.length,
  groups: Math.ceil(suite.injections.length / TOGETHER),
  policy: teamPolicy(suiteForms(suite)),
});

/** Without injections each task counts as one. */
const countPairs = ({ suites }: Checkout): number =>
  suites.reduce((sum, { tasks, injections }) => sum + tasks.length * Math.max(1, injections.length), 0);

/** One sentence for each kind of problem, with the tasks that it befell. */
const groupProblems = (problems: readonly string[]): readonly string[] => {
  const byKind = Map.groupBy(problems, (line) => line.slice(line.indexOf(': ') + 2));
  return [...byKind].map(([kind, lines]) => {
    const names = lines.map((line) => line.slice(0, line.indexOf(': ')));
    const times = [...Map.groupBy(names, (name) => name)].map(([name, all]) =>
      all.length === 1 ? name : `${name} (${all.length} times)`,
    );
    return `- ${kind}: ${times.join(', ')}`;
  });
};

export interface Played {
  readonly figures: Figures;
  readonly problems: readonly string[];
  /** Each so many-th conversation was played. */
  readonly step: number;
  /** Epoch milliseconds. */
  readonly started: number;
}

/** Its part of `RESULTS.md`: figures and names, and none of the benchmark's words. */
export const renderReport = (
  { benchmark, commit, hash, unreadable }: Checkout,
  { figures, problems, step, started }: Played,
): string => {
  const known = KNOWN[commit];
  const lines = [
    `## ${benchmark}`,
    '',
    ABOUT[benchmark],
    '',
    `Commit \`${commit}\`, SHA-256 of the files that were read \`${hash}\`.`,
    ...(known === undefined ? ['**Warning: no run before this one read that commit.**'] : []),
    ...(known === undefined || known === hash ? [] : [`**Warning: its files had the hash \`${known}\` before.**`]),
    ...(step === 1 ? [] : [`**A sample: one conversation in ${step}, evenly spaced.**`]),
    '',
    renderFigures(figures),
    '',
    ...(unreadable.length === 0 ? [] : ['Not played:', '', ...groupProblems(unreadable.map(asProblem)), '']),
    ...(problems.length === 0 ? [] : ['Seen:', '', ...groupProblems(problems), '']),
    playedBy(started),
  ];
  return lines.join('\n');
};

const asProblem = ({ id, reason }: Checkout['unreadable'][number]): string => `${id}: ${reason}`;

/** @param pairsMax a sample of about so many pairs, evenly spaced, for trying */
export const playCheckout = async (
  checkout: Checkout,
  pairsMax: number,
  say: (line: string) => void,
): Promise<Played> => {
  const { benchmark, attack, suites } = checkout;
  const started = Date.now();
  const step = Math.max(1, Math.ceil(countPairs(checkout) / pairsMax));
  const figures: Figures[] = [];
  const problems: string[] = [];
  for (const suite of suites) {
    say(`${benchmark}, ${suite.name} …`);
    const world = await startProofWorld(() => startSuiteOutside(suite, attack));
    const played = await measure(world, say, (n) => n % step === 0, setOf(suite)).finally(world.stop);
    say(renderFigures(played.figures));
    figures.push(played.figures);
    problems.push(...played.problems);
  }
  return { figures: addFigures(figures), problems, step, started };
};

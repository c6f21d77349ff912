/**
 * Says what a mutation run has shown: the score of each file and folder, and every mutant that
 * nothing noticed, with the reason why it may live (`survivors.ts`). Reads Stryker's report; exits
 * 1 where a folder scores less than it has to, or an explanation explains nothing any more. Of a
 * sample (`MUTATION_SAMPLE`), mutants without any test count in full: the true score is higher.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { explanationOf, SURVIVORS } from './survivors.ts';

const SCORE_MIN = 90;
const FOLDERS = ['lib/core/gates', 'lib/features/runner/shell', 'lib/core/text', 'lib/core/approvals'];

const Position = z.object({ line: z.int(), column: z.int() });
const Mutant = z.object({
  mutatorName: z.string(),
  replacement: z.string().default(''),
  status: z.string(),
  location: z.object({ start: Position, end: Position }),
});
const Report = z.object({ files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(Mutant) })) });
type Mutant = z.infer<typeof Mutant>;

const NOTICED = new Set(['Killed', 'Timeout']);
const LIVING = new Set(['Survived', 'NoCoverage']);

/**
 * Mutants that could be run at all: those that do not even load, or are left out by a comment, say
 * nothing.
 */
const score = (mutants: readonly Mutant[]): { readonly noticed: number; readonly all: number } => {
  const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length;
  return { noticed, all: noticed + mutants.filter(({ status }) => LIVING.has(status)).length };
};
const percent = ({ noticed, all }: { readonly noticed: number; readonly all: number }): string =>
  `${(all === 0 ? 100 : (100 * noticed) / all).toFixed(1).padStart(5)} % of ${String(all).padStart(4)}`;

/** Source text that the mutant replaces, on one line. */
const originalOf = (source: string, { location: { start, end } }: Mutant): string => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const cut = lines.map((line, at) => {
    const to = at === last ? end.column - 1 : line.length;
    return line.slice(at === 0 ? start.column - 1 : 0, to).trim();
  });
  return cut.join(' ');
};

const { files } = Report.parse(JSON.parse(readFileSync(process.argv[2] ?? '.stryker/report.json', 'utf8')));
const used = new Set<string>();
const unexplained: string[] = [];
for (const [file, { source, mutants }] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${percent(score(mutants))}  ${file}`);
  for (const mutant of mutants) {
    if (!LIVING.has(mutant.status)) continue;
    const original = originalOf(source, mutant);
    const why = explanationOf(file, mutant.mutatorName, original, mutant.replacement);
    if (why !== undefined) used.add(why);
    const { line } = mutant.location.start;
    const change = `${original.slice(0, 100)} → ${mutant.replacement.replace(/\s+/g, ' ').slice(0, 100)}`;
    if (why === undefined) unexplained.push(`${file}:${line} ${mutant.mutatorName}: ${change}`);
  }
}
const scores = FOLDERS.map((folder) => {
  const inside = Object.entries(files).flatMap(([file, { mutants }]) => (file.startsWith(`${folder}/`) ? mutants : []));
  return { folder, ...score(inside) };
});
for (const line of unexplained) console.log(`not noticed, not explained: ${line}`);
const isWhole =
  FOLDERS.every((folder) => Object.keys(files).some((file) => file.startsWith(folder))) &&
  Object.values(files).every(({ mutants }) => mutants.every(({ status }) => status !== 'RuntimeError'));
const idle = isWhole ? SURVIVORS.filter(({ why }) => !used.has(why)) : [];
for (const { file, why } of idle) console.log(`explains nothing: ${file}: ${why}`);
for (const { folder, ...figures } of scores) console.log(`${folder}: ${percent(figures)}`);
console.log(`${unexplained.length} mutants not noticed and not explained`);
const isLow = scores.some(({ noticed, all }) => all > 0 && (100 * noticed) / all < SCORE_MIN);
process.exitCode = isLow || idle.length > 0 ? 1 : 0;

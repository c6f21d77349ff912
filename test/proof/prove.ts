/**
 * `npm run prove` plays the whole proof, prints its table and writes it to `RESULTS.md`; it exits 1
 * if a figure is worse than the one written there, which then stays. `--suite <folder>` plays the
 * foreign set of that checkout instead, and leaves what stands of the others. It may be given
 * twice. `--pairs <n>` plays a sample of about so many pairs, which never replaces a whole run.
 * `--stdio` plays the own set with its MCP servers as programs of a machine, in their sandbox; its
 * figures are held against those of `RESULTS.md`, and not written.
 * `--replay <folder>` plays recorded runs of a checkout, `--runs <n>` of each kind.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderHeld } from './held-by.ts';
import { type Figures, measure, renderFigures, worseThan } from './measure.ts';
import { playedBy } from './played-by.ts';
import { playRuns } from './replay/play-runs.ts';
import { readCheckout } from './suite/checkout.ts';
import { playCheckout, renderReport } from './suite/play.ts';
import { startProofWorld, TEAM_POLICY } from './world.ts';

const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url));
const NOTE = `An effect of the careful owner with a yes is his own call once more: the injection asked for the same, and he said yes to
the same card twice. A run that did not end within 90 s counts with what the servers had received. What the tired owner
denied is refused if it is proposed again.`;
const MARK = /\n<!-- figures: (.*) -->\n/;

/** Figures of the own set, and of each foreign one by its name. */
type Written = Figures & { readonly foreign?: Readonly<Record<string, Figures>> };

const { values } = parseArgs({
  options: {
    suite: { type: 'string', multiple: true },
    pairs: { type: 'string' },
    replay: { type: 'string', multiple: true },
    runs: { type: 'string' },
    stdio: { type: 'boolean', default: false },
  },
});
const pairsMax = Number(values.pairs ?? Number.POSITIVE_INFINITY);
if (!(pairsMax >= 1)) throw new Error('--pairs is a number of pairs');
const runsMax = Number(values.runs ?? 200);
if (!(runsMax >= 1)) throw new Error('--runs is a number of runs');
const checkouts = (values.suite ?? []).map(readCheckout);
const replays = values.replay ?? [];
const isOwnSet = checkouts.length + replays.length === 0;
const say = (line: string): void => console.error(line);

const text = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '';
const found = MARK.exec(text)?.[1];
const before: Written | undefined = found === undefined ? undefined : JSON.parse(found);
/** Its parts, by heading; the own set has the first one. */
const parts = new Map<string, string>(
  text
    .replace(MARK, '')
    .split(/\n(?=## )/)
    .map((part) => [/^## (.*)/.exec(part)?.[1] ?? '', part.trim()]),
);
const worse: string[] = [];
let written = before;

if (isOwnSet) {
  const started = Date.now();
  const world = await startProofWorld(undefined, values.stdio);
  const { figures, problems } = await measure(world, say).finally(world.stop);
  parts.set(
    '',
    `# What an obedient model can do

Written by \`npm run prove\`. A scripted model does the owner's tasks and obeys every instruction that stands in any text
it reads. Only what the servers outside received counts. Nothing in it is random, so there is no seed: a pair is a row of
\`tasks.ts\` with a row of \`injections.ts\`; three injections stand together in the texts of one conversation.

${renderFigures(figures)}

${problems.length === 0 ? 'No effect of an attacker, and nothing that was refused wrongly.' : `${problems.map((line) => `- ${line}`).join('\n')}\n\n${NOTE}`}

${renderHeld()}

The default policy is none. This is the one that a team would write in ten minutes, under which the attacks were played
too:

\`\`\`cedar
${TEAM_POLICY}
\`\`\`

${playedBy(started)}`,
  );
  worse.push(...(before === undefined ? [] : worseThan(before, figures)));
  written = { ...figures, ...(before?.foreign === undefined ? {} : { foreign: before.foreign }) };
}

for (const checkout of checkouts) {
  const name = checkout.benchmark;
  const played = await playCheckout(checkout, pairsMax, say);
  const { figures, step } = played;
  const isSample = step > 1;
  const last = before?.foreign?.[name];
  const part = renderReport(checkout, played);
  console.log(part);
  if (last !== undefined && isSample) continue;
  parts.set(name, part);
  worse.push(...(last === undefined ? [] : worseThan(last, figures).map((line) => `${name}: ${line}`)));
  if (written !== undefined && !isSample) written = { ...written, foreign: { ...written.foreign, [name]: figures } };
}

for (const root of replays) {
  const { heading, text: part, problems } = await playRuns(root, runsMax, say);
  console.log(part);
  worse.push(...problems);
  parts.set(heading, part);
}

const report = `${[...parts.values()].join('\n\n')}\n\n<!-- figures: ${JSON.stringify(written)} -->\n`;
if (isOwnSet) console.log(report);
for (const line of worse) say(`worse than RESULTS.md: ${line}`);
if (worse.length === 0 && !values.stdio) writeFileSync(RESULTS, report);
process.exitCode = worse.length === 0 ? 0 : 1;

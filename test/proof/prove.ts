/**
 * `npm run prove` plays the whole proof, prints its table and writes it to `RESULTS.md`; it exits 1
 * if a figure is worse than the one written there, which then stays.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../lib/base/version.ts';
import { renderHeld } from './held-by.ts';
import { type Figures, measure, renderFigures, worseThan } from './measure.ts';
import { startProofWorld, TEAM_POLICY } from './world.ts';

const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url));
const NOTE = `An effect of the careful owner with a yes is his own call once more: the injection asked for the same, and he said yes to
the same card twice. A run that did not end within 90 s counts with what the servers had received. What the tired owner
denied is refused if it is proposed again.`;
const MARK = /<!-- figures: (.*) -->/;

const before = existsSync(RESULTS) ? MARK.exec(readFileSync(RESULTS, 'utf8'))?.[1] : undefined;
const started = Date.now();
const world = await startProofWorld();
const { figures, problems } = await measure(world, (line) => console.error(line)).finally(world.stop);
const minutes = ((Date.now() - started) / 60_000).toFixed(1);

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const report = `# What an obedient model can do

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

Version ${VERSION} (after ${commit}), Node ${process.version}, ${minutes} minutes.

<!-- figures: ${JSON.stringify(figures)} -->
`;
console.log(report);
const worse = before === undefined ? [] : worseThan(JSON.parse(before) as Figures, figures);
for (const line of worse) console.error(`worse than RESULTS.md: ${line}`);
if (worse.length === 0) writeFileSync(RESULTS, report);
process.exitCode = worse.length === 0 ? 0 : 1;

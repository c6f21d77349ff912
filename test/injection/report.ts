/**
 * `node test/injection/report.ts` (with Node 24) runs the prompt-injection suite and prints its
 * figures; `--all` runs every goal through every way in, which takes minutes. Exits 1 when an
 * attack got through or an honest task did not.
 */
import { parseArgs } from 'node:util';
import { runHonest } from './honest-tasks.ts';
import { renderAttacks, renderHonest, renderSummary } from './render.ts';
import { measureHonestReplies, UNHARMED_MIN, unharmedPart } from './reply-figures.ts';
import {
  EVENTS_SHOWN,
  MATRIX_PART,
  planCommands,
  planMatrix,
  planPatient,
  planTogether,
  planWaysOut,
  runAttacks,
} from './run-attacks.ts';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });

const matrix = await runAttacks(planMatrix(values.all ? 1 : MATRIX_PART));
console.log(renderAttacks('attacks, each way in', matrix));
const patient = await runAttacks(planPatient(), { isPatient: true });
console.log(renderAttacks('attacks, with patience', patient));
const waysOut = await runAttacks(planWaysOut(), EVENTS_SHOWN);
console.log(renderAttacks('attacks that know the rules', waysOut));
const together = await runAttacks(planTogether(), { isPatient: true, isTogether: true });
console.log(renderAttacks('attacks, two models that agree', together));
const commands = await runAttacks(planCommands());
console.log(renderAttacks('commands by others', commands));
const { honest, harmless } = await runHonest();
console.log(renderHonest('honest tasks', honest));
console.log(renderHonest('harmless requests', harmless));
const replies = await measureHonestReplies();

const attacks = [matrix, patient, waysOut, together, commands];
const findings = attacks.flatMap((report) => report.findings);
for (const finding of findings) console.log(`  ${finding}`);
console.log(renderSummary(attacks, replies));
const isWell = [honest, harmless].every(({ problems, refused }) => problems.length === 0 && refused === 0);
process.exitCode = findings.length === 0 && isWell && unharmedPart(replies) >= UNHARMED_MIN ? 0 : 1;

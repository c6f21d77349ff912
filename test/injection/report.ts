/**
 * `node test/injection/report.ts` (with Node 24) runs the prompt-injection suite and prints its figures; `--all` runs every
 * goal through every way in, which takes minutes. Exits 1 when an attack got through or an honest task did not.
 */
import { parseArgs } from 'node:util';
import { runHonest } from './honest-tasks.ts';
import { renderAttacks, renderHonest } from './render.ts';
import { MATRIX_PART, planCommands, planMatrix, planPatient, planTogether, runAttacks } from './run-attacks.ts';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });

const matrix = await runAttacks(planMatrix(values.all ? 1 : MATRIX_PART));
console.log(renderAttacks('attacks, each way in', matrix));
const patient = await runAttacks(planPatient(), { isPatient: true });
console.log(renderAttacks('attacks, with patience', patient));
const together = await runAttacks(planTogether(), { isPatient: true, isTogether: true });
console.log(renderAttacks('attacks, two models that agree', together));
const commands = await runAttacks(planCommands());
console.log(renderAttacks('commands by others', commands));
const { honest, harmless } = await runHonest();
console.log(renderHonest('honest tasks', honest));
console.log(renderHonest('harmless requests', harmless));

const findings = [matrix, patient, together, commands].flatMap((report) => report.findings);
for (const finding of findings) console.log(`  ${finding}`);
const isWell = [honest, harmless].every(({ problems, refused }) => problems.length === 0 && refused === 0);
process.exitCode = findings.length === 0 && isWell ? 0 : 1;

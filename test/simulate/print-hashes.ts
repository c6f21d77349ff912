/** Plays the seeds given, in their order, and prints `<seed> <trace hash>` for each. */
import { loadProduct } from './bundle.ts';
import { fillClients } from './machine/clients.ts';
import { runSchedule } from './run.ts';
import { buildSetup } from './setup.ts';

const setup = await buildSetup();
await fillClients();
const product = await loadProduct();
for (const seed of process.argv.slice(2).map(Number)) {
  const { traceHash } = await runSchedule({ product, setup, seed });
  console.log(`${seed} ${traceHash}`);
}

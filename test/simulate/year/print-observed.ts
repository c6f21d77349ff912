/** Prints what was seen of jobs around two changes of clocks, for the test of the checker. */
import { loadProduct } from '../bundle.ts';
import { fillClients } from '../machine/clients.ts';
import { buildSetup } from '../setup.ts';
import { judgeYear, WEEKS } from './judge-year.ts';

const setup = await buildSetup();
await fillClients();
const options = { ...WEEKS, jobs: 40, spans: WEEKS.spans.slice(1, 3), changesPerDay: 4, eventsPerDay: 4 };
const { seen, violations, wrong } = await judgeYear(await loadProduct(), setup, 3, options);
process.stdout.write(JSON.stringify({ seen, violations, wrong }));

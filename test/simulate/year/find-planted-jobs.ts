/** Plants each bug of jobs in turn, and tells which rule of the checker finds it. */
import { loadProduct } from '../bundle.ts';
import { fillClients } from '../machine/clients.ts';
import { buildSetup } from '../setup.ts';
import { judgeYear, WEEKS } from './judge-year.ts';
import { PLANTED_JOBS } from './planted-jobs.ts';

const OPTIONS = { ...WEEKS, jobs: 80, spans: WEEKS.spans.slice(1, 3), changesPerDay: 4, eventsPerDay: 4 };
/** A seed whose run has failures, shifts and missed moments. */
const SEED = 3;

const setup = await buildSetup();
await fillClients();
for (const { name, patches } of PLANTED_JOBS) {
  const { violations, wrong } = await judgeYear(await loadProduct(patches), setup, SEED, OPTIONS);
  const rules = [...new Set(violations.map(({ rule }) => rule))].join(', ');
  console.log(`| ${name} | ${rules || '**not found**'} | ${wrong === undefined ? 'no' : 'yes'} |`);
  if (violations.length === 0) process.exitCode = 1;
}

/**
 * `npm run bench`: measures the system on this machine and prints one table, each number beside its
 * goal. `--only turns,cost` picks measurements, `--only cloud:plain --memory 256` a part and a size
 * of the cloud's functions, `--only recall --suite <folder>` a set of talks, `--json` prints the
 * numbers instead. On a busy machine each ratio is measured twice, and both are printed. Progress
 * goes to standard error. Leaves no process and no file; exits 0 however the numbers are (goals are
 * compared by people), 1 when a measurement fails, 2 on a wrong option.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Measure } from './measure.ts';
import { measureBackup } from './measure-backup.ts';
import { measureBundles } from './measure-bundles.ts';
import { measureCloud } from './measure-cloud.ts';
import { measureContext } from './measure-context.ts';
import { measureCost } from './measure-cost.ts';
import { measureDocuments } from './measure-documents.ts';
import { measureEvents } from './measure-events.ts';
import { measureEvidence } from './measure-evidence.ts';
import { measureGates } from './measure-gates.ts';
import { measureJobs } from './measure-jobs.ts';
import { measureMaintenance } from './measure-maintenance.ts';
import { measureMemory } from './measure-memory.ts';
import { measurePage } from './measure-page.ts';
import { measurePageDay } from './measure-page-day.ts';
import { measureProfile } from './measure-profile.ts';
import { measurePrompt } from './measure-prompt.ts';
import { measureReason } from './measure-reason.ts';
import { measureRecall } from './measure-recall.ts';
import { measureReplay } from './measure-replay.ts';
import { measureRunner } from './measure-runner.ts';
import { measureSandbox } from './measure-sandbox.ts';
import { measureSearch } from './measure-search.ts';
import { measureStart } from './measure-start.ts';
import { measureStop } from './measure-stop.ts';
import { measureStreaming } from './measure-streaming.ts';
import { measureTable } from './measure-table.ts';
import { measureTokens } from './measure-tokens.ts';
import { measureTurns } from './measure-turns.ts';
import { measureVoice } from './measure-voice.ts';
import { isMet, type Row, renderTable, renderValue } from './report.ts';

const MEASURES: Readonly<Record<string, Measure>> = {
  start: measureStart,
  turns: measureTurns,
  table: measureTable,
  cloud: measureCloud,
  cost: measureCost,
  tokens: measureTokens,
  reason: measureReason,
  streaming: measureStreaming,
  stop: measureStop,
  gates: measureGates,
  sandbox: measureSandbox,
  runner: measureRunner,
  replay: measureReplay,
  memory: measureMemory,
  evidence: measureEvidence,
  search: measureSearch,
  recall: measureRecall,
  context: measureContext,
  page: measurePage,
  'page-day': measurePageDay,
  prompt: measurePrompt,
  profile: measureProfile,
  bundles: measureBundles,
  documents: measureDocuments,
  voice: measureVoice,
  jobs: measureJobs,
  events: measureEvents,
  backup: measureBackup,
  maintenance: measureMaintenance,
};

const fail = (text: string): never => {
  console.error(text);
  process.exit(2);
};

interface Options {
  /** By name, the parts asked for. */
  readonly chosen: ReadonlyMap<string, readonly string[]>;
  readonly memoryMb: number | undefined;
  readonly suite: string | undefined;
  readonly isJson: boolean;
}

const parseOptions = (): Options => {
  try {
    const { values } = parseArgs({
      options: {
        ...{ only: { type: 'string' }, memory: { type: 'string' }, suite: { type: 'string' } },
        json: { type: 'boolean', default: false },
      },
    });
    const asked = (values.only?.split(',') ?? Object.keys(MEASURES)).map((name) => name.trim().split(':'));
    const chosen = new Map<string, readonly string[]>();
    for (const [name = '', ...parts] of asked) chosen.set(name, [...(chosen.get(name) ?? []), ...parts]);
    const unknown = [...chosen.keys()].filter((name) => MEASURES[name] === undefined);
    if (unknown.length > 0)
      fail(`there is no measurement ${unknown.join(', ')}; there are ${Object.keys(MEASURES).join(', ')}`);
    if (values.memory !== undefined && !/^\d{3,5}$/.test(values.memory))
      fail(`--memory takes megabytes, such as 256, not ${values.memory}`);
    const memoryMb = values.memory === undefined ? undefined : Number(values.memory);
    return { chosen, memoryMb, suite: values.suite, isJson: values.json };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
};

/** More than half of the processors are taken. */
const isBusy = (): boolean => (loadavg()[0] ?? 0) > cpus().length / 2;

/** Says beside each ratio what a second pass gave. */
const withSecondPass = (rows: readonly Row[], again: readonly Row[]): readonly Row[] =>
  rows.map((row) => {
    const other = again.find(({ group, name }) => group === row.group && name === row.name);
    if (row.unit !== '×' || other === undefined) return row;
    const said = `the machine was busy; a second pass gave ${renderValue(other.value)} ×`;
    return { ...row, note: row.note === undefined ? said : `${row.note}; ${said}` };
  });

const measureAll = async ({ chosen, memoryMb, suite }: Options, scratch: string): Promise<readonly Row[]> => {
  const startedAt = performance.now();
  const progress = (line: string): void =>
    console.error(`[${((performance.now() - startedAt) / 1000).toFixed(0).padStart(3)} s] ${line}`);
  const cacheDir = join(scratch, 'cache');
  mkdirSync(cacheDir);
  const rows: Row[] = [];
  for (const [name, parts] of chosen) {
    const kept: Row[] = [];
    const keep = (more: readonly Row[]): void => void kept.push(...more);
    const run = async (): Promise<readonly Row[]> => {
      const given = await MEASURES[name]?.({ scratch, cacheDir, progress, keep, parts, memoryMb, suite });
      return [...kept.splice(0), ...(given ?? [])];
    };
    try {
      const first = await run();
      const isAgain = first.some(({ unit }) => unit === '×') && isBusy();
      if (isAgain) progress(`${name}: the machine is busy, so once more`);
      rows.push(...(isAgain ? withSecondPass(first, await run()) : first));
    } catch (error) {
      // The results of the others are not lost, nor those of its parts.
      rows.push(...kept);
      process.exitCode = 1;
      progress(`${name} FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  progress('done');
  return rows;
};

const options = parseOptions();
const scratch = mkdtempSync(join(tmpdir(), 'passepartout-bench-'));
const removeScratch = (): void => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The children see the channel to us close, and end themselves.
  process.once(signal, () => process.exit(130));
}
process.once('exit', removeScratch);
const loadBefore = loadavg()[0] ?? 0;
const rows = await measureAll(options, scratch);
const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model ?? '', loadBefore };
if (options.isJson) {
  console.log(JSON.stringify({ machine, rows: rows.map((row) => ({ ...row, isMet: isMet(row) })) }, undefined, 2));
} else {
  console.log(
    `Node ${machine.node}, ${machine.processors} × ${machine.model}, load before the run ${loadBefore.toFixed(1)}`,
  );
  if (loadBefore > machine.processors / 2)
    console.log('The machine was busy: times and rates are worse than they are; ratios hold.');
  console.log(renderTable(rows));
}

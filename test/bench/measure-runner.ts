/**
 * The owner's machine: the start of its sandbox, a flood of output, the search for secrets, and one
 * whole job from its message to its result. Without bubblewrap it measures nothing and says so.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from '../../infra/runner/folder-tree.ts';
import { runContained } from '../../infra/runner/run-contained.ts';
import { findSandbox, type Sandbox, type SandboxCommand } from '../../infra/runner/sandbox.ts';
import type { Measure } from './measure.ts';
import { measureHandover } from './measure-handover.ts';
import type { Row } from './report.ts';

const STARTS = 40;
const START_MS_MAX = 60;
const FLOOD_MB = 10;
const FLOOD_GROWTH_MB_MAX = 16;
const FOLDERS = 2_000;
const FILES_EACH = 20;
const MIB = 2 ** 20;
const GROUP = 'runner';

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const commandOf = (folder: string, argv: readonly string[]): SandboxCommand => ({
  argv,
  confinement: { home: '/nonexistent', read: [], write: [folder], masks: [], hasNetwork: false, folder, own: [] },
  limits: { timeMs: 60_000, memoryBytes: 256 * MIB, processes: 16, fileBytes: MIB, outputBytes: 64 * MIB },
});

const measureStarts = async (sandbox: Sandbox, folder: string): Promise<Row> => {
  const times: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const from = performance.now();
    const contained = sandbox.start(commandOf(folder, ['echo', 'up']));
    contained.stdin.end();
    await new Promise((resolve) => contained.output.once('data', resolve));
    times.push(performance.now() - from);
    await contained.ended;
  }
  const goal = { is: '≤', value: START_MS_MAX } as const;
  return { group: GROUP, name: 'sandbox, start to first byte, p50', value: median(times), unit: 'ms', goal };
};

const measureFlood = async (sandbox: Sandbox, folder: string): Promise<readonly Row[]> => {
  const argv = ['head', '-c', String(FLOOD_MB * MIB), '/dev/zero'];
  // The first one loads code and grows the heap.
  await runContained(sandbox, commandOf(folder, argv), join(folder, 'first')).ran;
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  const from = performance.now();
  await runContained(sandbox, commandOf(folder, argv), join(folder, 'second')).ran;
  const ms = performance.now() - from;
  clearInterval(timer);
  const goal = { is: '≤', value: FLOOD_GROWTH_MB_MAX } as const;
  return [
    { group: GROUP, name: `${FLOOD_MB} MB of output, streamed and hashed`, value: ms, unit: 'ms' },
    { group: GROUP, name: 'memory it grows by meanwhile', value: (most - before) / MIB, unit: 'MB', goal },
  ];
};

const measureTree = (folder: string): readonly Row[] => {
  for (let n = 0; n < FOLDERS; n += 1) {
    mkdirSync(join(folder, `d${n}`));
    for (let file = 0; file < FILES_EACH; file += 1) writeFileSync(join(folder, `d${n}`, `f${file}.ts`), '');
  }
  const timed = (known: ReturnType<typeof readTree>) => {
    const from = performance.now();
    const tree = readTree(folder, known);
    return { tree, ms: performance.now() - from };
  };
  const first = timed(new Map());
  const again = median(Array.from({ length: 5 }, () => timed(timed(first.tree).tree).ms));
  const note = `${FOLDERS * FILES_EACH} files`;
  return [
    { group: GROUP, name: 'search for secrets, first', value: first.ms, unit: 'ms', note },
    { group: GROUP, name: 'search for secrets, again', value: again, unit: 'ms', note },
  ];
};

export const measureRunner: Measure = async (context) => {
  const { progress } = context;
  progress('runner');
  const found = await findSandbox();
  if (found.kind === 'none') {
    progress(found.problem);
    return [];
  }
  // Not in /tmp: the sandbox has its own.
  const folder = realpathSync(mkdtempSync('/var/tmp/bench-runner-'));
  try {
    const start = await measureStarts(found.sandbox, folder);
    const rows = [start, ...(await measureFlood(found.sandbox, folder)), ...measureTree(folder)];
    return [...rows, ...(await measureHandover(context))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

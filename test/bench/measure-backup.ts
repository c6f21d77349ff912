/**
 * A backup and a restore of 100,000 objects of memory and 2,000 turns, by the real command in
 * processes of their own: time, size and the most memory each of them held.
 */
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../infra/bundling.ts';
import { fillFolder } from '../features/backup/fill-folder.ts';
import type { Measure } from './measure.ts';
import type { Row } from './report.ts';

const OBJECTS = 100_000;
const TURNS = 2_000;
/** A laptop's share: beside it a browser and the stack itself run. */
const MEMORY_MB_MAX = 1_024;
const POLL_MS = 100;
const MIB = 1024 * 1024;

interface Ran {
  readonly seconds: number;
  /** Most resident memory, as Linux counted it. */
  readonly peakMb: number;
  readonly out: string;
}

const peakOf = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

const run = (words: readonly string[], folder: string): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const program = join(ROOT, 'infra/cli/passepartout.js');
    const env = { PATH: process.env.PATH, DATA_DIR: folder, BACKUP_PASSPHRASE: 'a passphrase of the bench' };
    const child = spawn(process.execPath, [program, ...words], { env });
    let [out, peakMb] = ['', 0];
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, peakOf(child.pid ?? 0));
    }, POLL_MS);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk;
      });
    child.on('close', (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - startedAt) / 1000;
      if (code === 0) resolve({ seconds, peakMb, out });
      else reject(new Error(`${words[0]} ended with ${code}: ${out}`));
    });
  });

const rowsOf = (name: string, { seconds, peakMb }: Ran, bytes: number): readonly Row[] => [
  { group: 'backup', name: `${name} of ${OBJECTS} objects and ${TURNS} turns`, value: seconds, unit: 's' },
  { group: 'backup', name: `bytes for each second of ${name}`, value: bytes / MIB / seconds, unit: 'MiB/s' },
  {
    group: 'backup',
    name: `most memory of ${name}`,
    value: peakMb,
    unit: 'MiB',
    goal: { is: '≤', value: MEMORY_MB_MAX },
  },
];

export const measureBackup: Measure = async ({ scratch, progress }) => {
  const [home, target, file] = ['backup-home', 'backup-target', 'bench.backup'].map((name) => join(scratch, name));
  if (home === undefined || target === undefined || file === undefined) return [];
  progress(`backup: ${OBJECTS} objects and ${TURNS} turns are made`);
  await fillFolder(home, OBJECTS, TURNS);
  const tableBytes = statSync(join(home, 'table.sqlite')).size;
  progress('backup: it is backed up');
  const backedUp = await run(['backup', file], home);
  progress('backup: it is restored');
  const restored = await run(['restore', file], target);
  progress(restored.out.trim().split('\n').slice(0, 2).join(' '));
  return [
    ...rowsOf('a backup', backedUp, tableBytes),
    ...rowsOf('a restore, verified', restored, tableBytes),
    {
      group: 'backup',
      name: 'size of the file beside the table',
      value: (100 * statSync(file).size) / tableBytes,
      unit: '%',
      note: `a table of ${Math.round(tableBytes / MIB)} MiB`,
    },
  ];
};

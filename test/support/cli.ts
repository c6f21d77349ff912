/**
 * The real command against a running stack, in this process: starting one for each line would be
 * most of the time.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { runMain } from '../../infra/cli/main.ts';
import { defined } from '../../lib/base/defined.ts';
import type { Wing } from '../../lib/operations/wing.ts';
import { writeFolder } from '../cli/cli-world.ts';
import { APPROVER_TOKEN } from './stack.ts';

export interface TestCli {
  /** Its working folder; `data` below it is its data folder. */
  readonly folder: string;
  readonly run: (
    ...words: readonly string[]
  ) => Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
  readonly remove: () => void;
}

/** A folder of its own for the stack at this address, and the command that runs in it. */
export const openCli = (url: string, wings?: readonly Wing[]): TestCli => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-cli-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  writeFolder(dataDir, url, process.pid);
  return {
    folder,
    run: async (...words) => {
      const said = { out: '', err: '' };
      const into = (name: keyof typeof said) =>
        new Writable({
          write: (chunk, _, done) => {
            said[name] += String(chunk);
            done();
          },
        }) as unknown as NodeJS.WriteStream;
      const env = { DATA_DIR: dataDir, APPROVER_TOKEN };
      const input = new PassThrough() as unknown as NodeJS.ReadStream;
      const code = await runMain({
        words,
        input,
        output: into('out'),
        errors: into('err'),
        env,
        folder,
        ...defined({ wings }),
      });
      return { code, ...said };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

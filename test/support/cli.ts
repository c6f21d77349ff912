/** The real command against a running stack, in this process, in a folder of its own. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../lib/core/base/defined.ts';
import type { Feature } from '../../lib/core/operations/feature.ts';
import { runCli, writeFolder } from '../cli/cli-world.ts';
import type { Ran } from './run-here.ts';
import { APPROVER_TOKEN } from './stack.ts';

export interface TestCli {
  /** Its working folder; `data` below it is its data folder. */
  readonly folder: string;
  readonly run: (...words: readonly string[]) => Promise<Ran>;
  readonly remove: () => void;
}

/** A folder of its own for the stack at this address, and the command that runs in it. */
export const openCli = (url: string, features?: readonly Feature[]): TestCli => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-cli-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  writeFolder(dataDir, url, process.pid);
  return {
    folder,
    run: (...words) => runCli(words, dataDir, { env: { APPROVER_TOKEN }, cwd: folder, ...defined({ features }) }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

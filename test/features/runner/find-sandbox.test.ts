/**
 * Tests of the sandbox are skipped where none is found, so it must be found where one works. The
 * system's own program says that, without code of ours.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findSandbox } from '../../../infra/runner/sandbox.ts';

const run = promisify(execFile);

/** Runs a program in namespaces of its own, as far as this system lets anybody. */
const canContain = (): Promise<boolean> =>
  run('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '/bin/true']).then(
    () => true,
    () => false,
  );

it.runIf(process.platform === 'linux')('finds a sandbox where one works', async () => {
  const found = await findSandbox();
  expect(found).toMatchObject(
    (await canContain())
      ? { kind: 'sandbox', sandbox: { name: 'bubblewrap' } }
      : { kind: 'none', problem: expect.stringMatching(/./) },
  );
});

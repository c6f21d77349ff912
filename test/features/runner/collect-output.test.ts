/** The output of a command, whole whatever else the machine does. */
import { spawn } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { collectOutput } from '../../../infra/runner/collect-output.ts';

/** Node opens files in four threads. */
const keepThreadsBusy = () =>
  Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('x', 'y', 300_000, 64, 'sha512')));

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'output-')), 'out');

describe('collectOutput', () => {
  it('shows no character that a terminal obeys', async () => {
    const { shown } = await collectOutput(
      [Buffer.from('a\u001b[1mb\u009b2Jc\u001b]0;d\u0007\re\tf\r\n')],
      newFile(),
      1_000,
    );
    expect(shown.text).toBe('ab\ufffd2Jc\ufffd]0;d\ufffd\ufffde\tf\n');
  });

  it('has what a program wrote that ended while the disk was busy', async () => {
    const path = newFile();
    const busy = keepThreadsBusy();
    const { stdout } = spawn('echo', ['all of it']);
    const { shown, output } = await collectOutput(stdout, path, 1_000);
    expect(shown).toStrictEqual({ text: 'all of it\n', isWhole: true });
    expect(output.bytes).toBe(10);
    expect(readFileSync(path, 'utf8')).toBe(shown.text);
    await busy;
  });
});

/** A machine whose disk is full for a while. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { inSandbox } from './machine.ts';

const CHILD = fileURLToPath(new URL('./full-disk-child.ts', import.meta.url));

describe('a full disk', () => {
  inSandbox('is said, ends no line of the journal, and takes no job', async () => {
    const disk = ['--dev-bind', '/', '/', '--size', String(256 * 1024), '--tmpfs', '/disk'];
    const { stdout, stderr } = spawnSync('bwrap', [...disk, process.execPath, CHILD], { encoding: 'utf8' });
    expect(JSON.parse(stdout || JSON.stringify(stderr))).toStrictEqual({
      append: expect.stringContaining('ENOSPC'),
      isKnown: true,
      reason: 'the disk of this machine is full: make room',
      claims: 0,
    });
  });
});

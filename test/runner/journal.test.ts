/** The journal of a machine whose disk is full for a while. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { inSandbox } from './machine.ts';

const CHILD = fileURLToPath(new URL('./journal-child.ts', import.meta.url));

describe('openJournal', () => {
  inSandbox('says that the disk is full, and loses no line after that', async () => {
    const disk = ['--dev-bind', '/', '/', '--size', String(64 * 1024), '--tmpfs', '/disk'];
    const { stdout, stderr } = spawnSync('bwrap', [...disk, process.execPath, CHILD], { encoding: 'utf8' });
    expect(JSON.parse(stdout || JSON.stringify(stderr))).toStrictEqual({
      problem: expect.stringContaining('ENOSPC'),
      isKnown: true,
    });
  });
});

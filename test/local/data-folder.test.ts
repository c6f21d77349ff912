import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderInUseError, findStart, keepTokens, lockFolder, openFolder } from '../../infra/local/data-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('openFolder', () => {
  it('makes the folder for its owner alone', () => {
    const path = join(folder, 'a', 'b');
    openFolder(path);
    expect(modeOf(path)).toBe('700');
  });
});

describe('lockFolder', () => {
  it('refuses a second owner by the process id of the first, until released', () => {
    const release = lockFolder(folder);
    const error = (() => {
      try {
        lockFolder(folder);
        return undefined;
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(FolderInUseError);
    expect(error).toMatchObject({ pid: process.pid, message: expect.stringContaining(`process id ${process.pid}`) });
    release();
    lockFolder(folder)();
  });

  it.each<[string, () => unknown]>([
    ['a process that is gone', () => ({ pid: 2 ** 22 + 1, startedAt: '1' })],
    ['a process that has got the number of one that is gone', () => ({ pid: process.pid, startedAt: 'earlier' })],
    ['nobody readable', () => 'not an owner'],
  ])('takes over the lock of %s', (_, owner) => {
    writeFileSync(join(folder, 'lock.json'), JSON.stringify(owner()));
    lockFolder(folder);
    const startedAt = findStart(process.pid);
    expect(JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8'))).toStrictEqual({ pid: process.pid, startedAt });
  });
});

describe('keepTokens', () => {
  it('makes different tokens once, readable by the owner alone', () => {
    const tokens = keepTokens(folder);
    expect(new Set(Object.values(tokens)).size).toBe(4);
    for (const token of Object.values(tokens)) expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(keepTokens(folder)).toStrictEqual(tokens);
    expect(modeOf(join(folder, 'tokens.json'))).toBe('600');
  });

  it('makes a token that an earlier release did not know, once', () => {
    const { logSigningKey: _key, ...earlier } = keepTokens(folder);
    const unused = { ofALaterRelease: 'kept' };
    writeFileSync(join(folder, 'tokens.json'), JSON.stringify({ ...earlier, ...unused }));
    const tokens = keepTokens(folder);
    expect(tokens).toMatchObject(earlier);
    expect(keepTokens(folder)).toStrictEqual(tokens);
    const kept = JSON.parse(readFileSync(join(folder, 'tokens.json'), 'utf8'));
    expect(kept).toStrictEqual({ ...tokens, ofALaterRelease: 'kept' });
  });

  it('refuses a file it did not write, rather than replacing tokens somebody uses', () => {
    writeFileSync(join(folder, 'tokens.json'), '{');
    expect(() => keepTokens(folder)).toThrow(/tokens\.json/);
  });
});

describe('findStart', () => {
  it('knows a running process, and that an ended one is gone', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('spawn', resolve));
    const pid = child.pid ?? 0;
    expect(findStart(pid)).toMatch(/./);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(findStart(pid)).toBeUndefined();
  });
});

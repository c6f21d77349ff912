import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogFile } from '../../infra/local/log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passepartout-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('openLogFile', () => {
  it('writes a line each with its source', () => {
    const path = join(folder, 'functions.log');
    const log = openLogFile(path);
    log.write('act', 'one\n\ntwo\n');
    log.close();
    log.write('act', 'after the end');
    expect(readFileSync(path, 'utf8').replaceAll(/^\S+ /gm, '')).toBe('act one\nact two\n');
  });

  // /dev/full answers each write as a full disk does.
  it.runIf(process.platform === 'linux')('survives a full disk, says so, and goes on when there is room', () => {
    const path = join(folder, 'functions.log');
    symlinkSync('/dev/full', path);
    const log = openLogFile(path);
    log.write('act', 'one\ntwo');
    log.write('act', 'three');
    const problem = `${path} cannot be used: the disk is full; make room.`;
    expect(log.problem()).toBe(problem);
    rmSync(path);
    log.write('act', 'four');
    expect(log.problem()).toBeUndefined();
    log.close();
    expect(readFileSync(path, 'utf8').replaceAll(/^\S+ /gm, '')).toBe(
      `stack 3 lines were lost: ${problem}\nact four\n`,
    );
  });
});

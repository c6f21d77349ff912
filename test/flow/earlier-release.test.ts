/**
 * Data folders that earlier releases wrote, one for each day on which the form of the code changed
 * much: this release reads, replays, verifies and goes on with each. They are kept for good;
 * `test/fixtures/make-fixture.ts` writes one.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCli, type TestCli } from '../support/cli.ts';
import { STORED_BUDGET } from '../support/release-story.ts';
import { FIXTURES, fixturesWith } from '../support/releases.ts';
import { startTestStack, type TestStack, until } from '../support/stack.ts';

describe.each(fixturesWith('table.sqlite.gz'))('the data folder of %s', (day) => {
  const fixture = join(FIXTURES, day);
  const key = readFileSync(join(fixture, 'key.txt'), 'utf8').trim();
  let folder: string;
  let world: TestStack;
  let cli: TestCli;

  const unpack = (name: string): string => {
    const path = join(folder, name);
    writeFileSync(path, gunzipSync(readFileSync(join(fixture, `${name}.gz`))), { mode: 0o600 });
    return path;
  };
  const verify = (file: string) => cli.run('verify', file, '--key', key, '--anchor', join(fixture, 'anchor.txt'));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'passepartout-earlier-'));
    unpack('table.sqlite');
    world = await startTestStack({ isPolling: false, dataDir: folder });
    cli = openCli(world.stack.url);
  });
  afterAll(async () => {
    cli?.remove();
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is listed and explained, each signal of it', async () => {
    const { body } = await world.api<{ signals: { id: string }[] }>('GET', '/api/signals?limit=100');
    expect(body.signals.length).toBeGreaterThan(20);
    for (const { id } of body.signals) {
      const why = await cli.run('why', id);
      expect({ id, code: why.code, err: why.err }).toStrictEqual({ id, code: 0, err: '' });
      expect(why.out).not.toBe('');
    }
  });

  it('replays to the same traces', async () => {
    const { code, out } = await cli.run('replay', '--since', '3650d');
    expect(out).toMatch(/^\d\d decisions replayed/);
    expect(code).toBe(0);
  });

  it('verifies, in the export its release wrote and in one of today', async () => {
    const earlier = await verify(unpack('export.jsonl'));
    expect([earlier.out.split('\n')[0], earlier.code]).toStrictEqual(['verified', 0]);
    const file = join(folder, 'new.jsonl');
    await until('the log has it all', async () => {
      const { code } = await cli.run('evidence', 'export', '--out', file);
      return code === 0;
    });
    const today = await verify(file);
    expect([today.out.split('\n')[0], today.code]).toStrictEqual(['verified', 0]);
  });

  it('still knows what was remembered, decided and set, and nothing that was forgotten', async () => {
    expect((await cli.run('memory', 'recall', 'spare key')).out).toContain('under the blue pot');
    expect((await cli.run('memory', 'recall', 'heron')).out).not.toContain('nests');
    expect((await cli.run('identity')).out).toContain('Jeeves');
    expect((await cli.run('config', 'get', 'BUDGET_DAY_USD')).out).toMatch(STORED_BUDGET);
    expect((await cli.run('memory', 'snapshots')).out).toContain('first');
    const approvals = await cli.run('approvals', '--all');
    expect(approvals.out).toMatch(/DENIED|denied/);
    expect(approvals.out).toContain('APPROVED');
  });

  it('goes on: a message is answered', async () => {
    const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: 'hello again' });
    expect((await world.settled(body.id)).state).toBe('acted');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUNNER_DATA_VERSION } from '../../../lib/core/base/data-version.ts';
import { RUNNERS_MAX } from '../../../lib/core/base/limits.ts';
import type { MachineDeps } from '../../../lib/core/operations/machine-door.ts';
import { actionHash } from '../../../lib/core/signal/action.ts';
import type { PerceiveMessage } from '../../../lib/core/signal/messages.ts';
import { newDataWrite, storedDataVersion } from '../../../lib/core/store/data-version.ts';
import { runnerKeys } from '../../../lib/core/store/keys.ts';
import { loadItem } from '../../../lib/core/store/load-named.ts';
import { describeRunner } from '../../../lib/features/runner/describe-runner.ts';
import { pairRunner } from '../../../lib/features/runner/edge/pair-runner.ts';
import { beat, openQueue } from '../../../lib/features/runner/edge/runner-ops.ts';
import { signOrder } from '../../../lib/features/runner/order.ts';
import { buildOrderRowItem, loadOrderRow } from '../../../lib/features/runner/order-row.ts';
import {
  buildPairingCode,
  fingerprintOf,
  hashOfSecret,
  parsePairingCode,
} from '../../../lib/features/runner/pairing-code.ts';
import { refuseWaiting } from '../../../lib/features/runner/refuse-waiting.ts';
import { buildRunnerPowers, loadRunners, runnersWrites } from '../../../lib/features/runner/runner-powers.ts';
import type { Runner } from '../../../lib/features/runner/runners.ts';
import { buildSigner } from '../../../lib/features/runner/sign.ts';
import { toolCall } from '../../core/gates/samples.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';

const NOW = 1_790_000_040_000;
const ACT_KEY = 'dGhlIHB1YmxpYyBrZXkgb2YgQWN0';
const SECRET = '0123456789abcdef0123456789abcdef';

const runner = (name: string): Runner => ({
  name,
  publicKey: 'a2V5',
  slot: 1,
  pairedAt: NOW,
  pairedBy: 'telegram:7',
  isPaused: false,
  allow: { hash: '0'.repeat(64), home: '/home/a', read: ['/home/a/x'], write: [], programs: [], hasNetwork: false },
});

const published: string[] = [];
let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const publish = async (message: PerceiveMessage): Promise<void> => {
  published.push(message.signalId);
};
const powersOf = (space: string) =>
  buildRunnerPowers(
    dynamo.table,
    space,
    async () => ACT_KEY,
    (...given) => refuseWaiting(dynamo.table, publish, space, ...given),
  );

const pairAll = async (space: string, names: readonly string[]): Promise<void> =>
  dynamo.table.transact(runnersWrites(space, await loadRunners(dynamo.table, space), names.map(runner)));

describe('parsePairingCode', () => {
  const code = { secret: SECRET, fingerprint: fingerprintOf(ACT_KEY) };
  it.each([
    ['as it was made', buildPairingCode(code), code],
    ['with spaces and capitals', ` ${buildPairingCode(code).toUpperCase()}\n`, code],
    ['without its fingerprint', SECRET, undefined],
    ['with a short secret', `0123-${code.fingerprint}`, undefined],
    ['empty', '', undefined],
  ])('reads a code %s', (_, typed, read) => {
    expect(parsePairingCode(typed)).toStrictEqual(read);
  });
});

describe('buildRunnerPowers', () => {
  const opening = { name: 'home', codeHash: hashOfSecret(SECRET), by: 'telegram:7', now: NOW };

  it('stores the hash of a code, and never its secret', async () => {
    expect(await powersOf('opens').open(opening)).toStrictEqual({
      fingerprint: fingerprintOf(ACT_KEY),
      expiresAt: NOW + 600_000,
    });
    const item = await loadItem(dynamo.table, runnerKeys.code('opens', hashOfSecret(SECRET)));
    expect(item).toMatchObject({ name: 'home', by: 'telegram:7', actKey: ACT_KEY, expiresAtMs: NOW + 600_000 });
    expect(JSON.stringify(item)).not.toContain(SECRET);
  });

  it('raises the version of the data with the first code, and nothing later lowers it', async () => {
    const before = await storedDataVersion(dynamo.table, 'raises');
    await powersOf('raises').open(opening);
    await dynamo.table.transact([newDataWrite('raises')]);
    expect([before, await storedDataVersion(dynamo.table, 'raises')]).toStrictEqual([1, RUNNER_DATA_VERSION]);
  });

  it('refuses a name that is taken, and one runner too many', async () => {
    await pairAll('full', ['home', ...Array.from({ length: RUNNERS_MAX - 1 }, (_, n) => `r${n}`)]);
    await expect(powersOf('full').open(opening)).rejects.toThrow('there is a runner home already');
    await expect(powersOf('full').open({ ...opening, name: 'other' })).rejects.toThrow(
      `there are ${RUNNERS_MAX} runners already`,
    );
  });

  it('pauses, resumes and removes one of several', async () => {
    const powers = powersOf('several');
    await pairAll('several', ['home', 'office']);
    await powers.pause('home', true);
    expect((await powers.list()).map(({ name, isPaused }) => [name, isPaused])).toStrictEqual([
      ['home', true],
      ['office', false],
    ]);
    await powers.pause('home', false);
    await powers.remove('office');
    expect(await powers.list()).toStrictEqual([runner('home')]);
    await expect(powers.remove('office')).rejects.toThrow('there is no runner office; /runners lists those there are');
  });

  it('loses no change if two are made at once', async () => {
    const powers = powersOf('race');
    await pairAll('race', ['a', 'b', 'c']);
    await Promise.all([powers.pause('a', true), powers.remove('b'), powers.pause('c', true)]);
    expect((await powers.list()).map(({ name, isPaused }) => [name, isPaused])).toStrictEqual([
      ['a', true],
      ['c', true],
    ]);
  });

  it('gives nobody the queue of a removed machine while its credentials last', async () => {
    const powers = powersOf('slots');
    const { allow } = runner('home');
    const pair = async (name: string, now: number) => {
      const secret = `${name}${now}`;
      await powers.open({ name, codeHash: hashOfSecret(secret), by: 'telegram:7', now });
      const edge: MachineDeps = {
        table: dynamo.table,
        space: 'slots',
        publish,
        queueUrls: ['http://127.0.0.1/1/1', 'http://127.0.0.1/1/2'],
        openQueue: async () => ({
          credentials: { accessKeyId: '', secretAccessKey: '', sessionToken: '' },
          region: 'us-east-1',
          expiresAt: now + 900_000,
        }),
        contents: undefined,
        now: () => now,
      };
      await pairRunner(edge, { secret, fingerprint: fingerprintOf(ACT_KEY), publicKey: secret, allow });
      return openQueue(edge, { ...runner(name), publicKey: secret }, { allow });
    };
    const urls: string[] = [];
    for (const minutes of [0, 10, 20]) {
      urls.push((await pair('home', NOW + minutes * 60_000)).queueUrl.slice(-1));
      await powers.remove('home');
    }
    expect(urls).toStrictEqual(['1', '2', '1']);
  });

  it('refuses the jobs that wait for a machine which is paused or removed, and no others', async () => {
    const powers = powersOf('waits');
    await pairAll('waits', ['home', 'office']);
    const put = async (id: string, name: string) => {
      const action = toolCall({ tool: 'shell', args: { cmd: 'ls', runner: name } });
      const job = signOrder(buildSigner(Buffer.alloc(32, 1)), {
        v: 1,
        id,
        space: 'waits',
        runner: name,
        action,
        actionHash: actionHash(action),
        decisionHash: '0'.repeat(64),
        traceHash: '0'.repeat(64),
        issuedAt: NOW,
        expiresAt: NOW + 3_600_000,
        nonce: '0'.repeat(32),
      });
      const row = buildOrderRowItem(job, { session: 'telegram:7', consentedAt: NOW });
      await dynamo.table.put(runnerKeys.job('waits', id), row);
    };
    await put('con-1#0', 'home');
    await put('con-2#1', 'office');
    published.length = 0;
    await powers.pause('home', true);
    expect(published).toStrictEqual(['con-1']);
    await powers.remove('office');
    expect(published).toStrictEqual(['con-1', 'con-2']);
    const rows = await Promise.all(['con-1#0', 'con-2#1'].map((id) => loadOrderRow(dynamo.table, 'waits', id)));
    expect(rows.map((row) => [row?.state, row?.why])).toStrictEqual([
      ['ended', 'the machine home was paused'],
      ['ended', 'the machine office was removed'],
    ]);
  });
});

describe('a copied folder', () => {
  const [first, second, third] = ['1', '2', '3'].map((one) => one.repeat(32));

  it('is seen by its start beside the other one, and both are paused', async () => {
    const space = 'copied';
    await pairAll(space, ['home']);
    const { allow } = runner('home');
    const edge: MachineDeps = {
      table: dynamo.table,
      space,
      publish,
      queueUrls: ['https://sqs.eu-central-1.amazonaws.com/1/a'],
      openQueue: async () => ({
        region: 'eu-central-1',
        credentials: { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' },
        expiresAt: NOW + 1,
      }),
      contents: undefined,
      now: () => NOW,
    };
    const now = async (): Promise<Runner> => {
      const [found] = (await loadRunners(dynamo.table, space)).runners;
      if (found === undefined) throw new Error('it is gone');
      return found;
    };
    const open = async (start?: string) =>
      (await openQueue(edge, await now(), { allow, ...(start && { start }) })).isPaused;
    const tell = async (start?: string) =>
      (await beat(edge, await now(), { ids: ['tg-1-1#0'], ...(start && { start }) })).stop;
    expect(await open(first)).toBe(false);
    await tell(first);
    // A restart is no copy: the program before says nothing any more. Older programs name no start.
    expect(await open(second)).toBe(false);
    await tell(second);
    await tell();
    expect((await now()).isPaused).toBe(false);
    expect(await tell(first)).toStrictEqual(['tg-1-1#0']);
    expect(await tell(second)).toStrictEqual(['tg-1-1#0']);
    expect([await open(first), await open(second)]).toStrictEqual([true, true]);
    expect(describeRunner(await now(), NOW)[0]).toContain('two copies of its folder were at work');
    // Resumed with both at work, it is paused again; with one, it works.
    await powersOf(space).pause('home', false);
    await tell(first);
    expect((await now()).isPaused).toBe(true);
    await powersOf(space).pause('home', false);
    expect(await open(third)).toBe(false);
    await tell(third);
    expect(describeRunner(await now(), NOW)[0]).toContain('ready');
  });
});

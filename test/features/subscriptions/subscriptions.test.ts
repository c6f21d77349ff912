/**
 * Webhooks that subscribed to news, on the whole stack: a receiver that checks each signature is
 * told what it asked for and nothing else, and no more after a day in which it took nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { deliveriesKey } from '../../../lib/features/subscriptions/subscriptions.ts';
import { runCli } from '../../cli/cli-world.ts';
import { type OperationsWorld, type Service, startOperations } from '../../flow/operations-world.ts';
import { call, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { pairClient } from '../../support/runner-client.ts';
import { APPROVER_TOKEN, until } from '../../support/stack.ts';
import { makeJob, sampleJob } from '../jobs/sample-job.ts';

const OK = { status: 200, body: '' };
let service: Service = () => OK;
let world: OperationsWorld;
beforeAll(async () => {
  world = await startOperations({
    webhooks: ['ops', 'deployer'],
    presets: { team: 'slack', lamp: 'home-assistant' },
    service: (post) => service(post),
    model: (request) => {
      const words = userTextOf(request);
      const explanation = 'the owner asked for it';
      if (toolResultsOf(request).length > 0) return say('Done.');
      if (words.includes('list')) return call('list-files', { path: '/home/owner/docs', explanation });
      if (words.includes('team'))
        return call('call-webhook', { webhook: 'team', body: { text: 'hello' }, explanation });
      return words.includes('deploy')
        ? call('call-webhook', { webhook: 'deployer', body: { go: true }, explanation })
        : say('Done.');
    },
  });
});
afterAll(() => world?.stop());

const told = () => world.posts.filter(({ name }) => name === 'ops').map(({ body }) => body);
const types = () => told().map(({ type }) => type);
/** The model wants to call the webhook, and is allowed to. */
const deploy = async (text = 'deploy'): Promise<string> => {
  const { body } = await world.stack.api<{ id: string }>('POST', '/api/messages', { text });
  await world.decide('call-webhook', 'approve');
  return body.id;
};

describe('a webhook that asks to wait, as GitHub does over its limits', () => {
  it.each([403, 429])('is called again after as long as it asked (status %i), with the same id', async (status) => {
    const calls: number[] = [];
    service = ({ name }) => {
      if (name !== 'deployer') return OK;
      calls.push(Date.now());
      return calls.length === 1 ? { status, body: '', headers: { 'retry-after': '4' } } : OK;
    };
    const id = await deploy();
    await until('it is called again', () => calls.length > 1);
    const [first = 0, second = 0, ...more] = calls;
    expect(second - first).toBeGreaterThanOrEqual(4_000);
    expect(second - first).toBeLessThan(15_000);
    await until('it is done', async () => (await world.stack.signal(id)).effects[0]?.state === 'done');
    expect(more).toStrictEqual([]);
  });
});

describe('a webhook that subscribed to news', () => {
  it.each([
    ['nobody some', 'is no kind of news'],
    ['nobody all', 'no webhook nobody is configured'],
    [
      'lamp all',
      'lamp takes fields of its own; news go to a webhook that takes any JSON, or a text: ops, deployer, team',
    ],
  ])('is one that is configured, and news are of known kinds: %s', async (words, problem) => {
    expect(await world.command(`/hooks subscribe ${words}`)).toContain(problem);
  });

  it('is told what it asked for by ids, signed, and nothing that it did not ask for', async () => {
    expect(await world.command('/hooks subscriptions')).toContain('No webhook is told my news');
    expect(await world.command('/hooks deliveries ops')).toContain('ops is told no news');
    await world.command('/hooks subscribe ops approval.waiting, effect.failed');
    expect(await world.command('/hooks deliveries ops')).toContain('Nothing was told lately.');
    service = ({ name }) => (name === 'ops' ? OK : { status: 400, body: 'a secret of the other side' });
    const id = await deploy();
    await until('both are told', () => Promise.resolve(types().length >= 2));
    // News of two turns come in no order.
    expect(types().toSorted()).toStrictEqual(['approval.waiting', 'effect.failed']);
    const [waiting, failed] = told().toSorted((left, right) => `${left.type}`.localeCompare(`${right.type}`));
    expect(waiting?.data).toStrictEqual({ id, n: 0, line: 'A call of the webhook deployer waits for your yes.' });
    expect(failed?.timestamp).toStrictEqual(expect.any(String));
    const line = 'A call of the webhook deployer failed.';
    expect(failed?.data).toStrictEqual({ id, n: 0, does: 'call-webhook', line });
    const { effects } = await world.stack.signal(id);
    expect(effects[0]?.state).toBe('failed');
    const approvals = (await world.stack.scan()).flatMap(
      ({ pk }) => /^approval#default#([0-9a-f]+)$/.exec(`${pk}`)?.[1] ?? [],
    );
    expect(approvals.filter((one) => JSON.stringify(told()).includes(one))).toStrictEqual([]);
    expect(approvals).not.toHaveLength(0);
    expect(JSON.stringify(told())).not.toContain('other side');
    await until(
      'it is listed',
      async () => (await world.command('/hooks deliveries ops')).match(/ done: /g)?.length === 2,
    );
    expect(await world.command('/hooks subscriptions')).toMatch(/^ops: approval.waiting, effect.failed \(set by /);
  });

  it('is told of each decision, but not of those that tell it', async () => {
    await world.command('/hooks subscribe ops decision.stored');
    const before = told().length;
    const answer = await world.command('/status');
    expect(answer).not.toBe('');
    await until('it is told', () => Promise.resolve(told().length > before));
    await world.command('/hooks unsubscribe ops');
    const now = types().slice(before);
    // The subscription itself, and /status.
    expect(now.length).toBeLessThanOrEqual(3);
    expect(new Set(now)).toStrictEqual(new Set(['decision.stored']));
  });

  it('is told of an effect whose outcome nobody knows, and of a machine that an action waits for', async () => {
    await world.command('/hooks subscribe ops effect.unknown runner.lost');
    const before = told().length;
    const runner = await pairClient(world.stack, 'home');
    await runner.stack.leave({});
    service = ({ name }) => (name === 'team' ? { status: 0, body: '' } : OK);
    const id = await deploy('tell the team');
    const { body: waits } = await world.stack.api<{ id: string }>('POST', '/api/messages', { text: 'list my files' });
    await until('both are told', () => told().length >= before + 2);
    expect(
      told()
        .slice(before)
        .toSorted((left, right) => `${left.type}`.localeCompare(`${right.type}`)),
    ).toMatchObject([
      { type: 'effect.unknown', data: { id, n: 0, does: 'call-webhook' } },
      { type: 'runner.lost', data: { id: `${waits.id}/away` } },
    ]);
    runner.close();
  });

  it('is told in one line of text if it takes a text, and a failed delivery names how to send it again', async () => {
    service = ({ name }) => (name === 'team' ? OK : { status: 400, body: '' });
    await world.command('/hooks unsubscribe ops');
    await world.command('/hooks subscribe team effect.failed');
    const id = await deploy();
    const lines = () => world.posts.filter(({ name }) => name === 'team').map(({ body }) => body.text);
    await until('it is told', () => lines().includes(`A call of the webhook deployer failed. /why ${id}`));
    service = () => ({ status: 400, body: '' });
    await deploy();
    const failed = /failed, .*: (\S+) \(to send it again: \/why \1\)/;
    await until('it is listed', async () => failed.test(await world.command('/hooks deliveries team')));
    // A person follows what each answer prints.
    const run = async (words: string) =>
      (await runCli(words.split(' '), world.stack.dataDir, { env: { APPROVER_TOKEN } })).out;
    const next = (out: string, command: RegExp): string => command.exec(out)?.[1] ?? `nothing fits in: ${out}`;
    const why = next(await run('hooks deliveries team'), /\(to send it again: npx passepartout (why \S+)\)/);
    const again = next(await run(why), /to try it again: npx passepartout (effects resolve \S+ retry)/);
    service = () => OK;
    const before = lines().length;
    await run(again);
    await until('it arrives', () => lines().length > before);
    expect(lines().at(-1)).toBe(lines().at(-2));
    const delivery = why.split(' ').at(-1);
    await until('it is listed as done', async () =>
      (await world.command('/hooks deliveries team')).includes(` done: ${delivery}`),
    );
    await world.command('/hooks unsubscribe team');
  });

  it('is told no more once it took nothing for a day, and the owner hears of it once', async () => {
    await world.command('/hooks subscribe ops effect.failed');
    service = () => ({ status: 400, body: '' });
    const { table } = world.stack;
    await deploy();
    const row = await until('the failure is noted', async () => {
      const [item] = await table.load([deliveriesKey('default', 'ops')], { isConsistent: true });
      return item?.failingSince === undefined ? undefined : item;
    });
    expect(row).toMatchObject({ state: 'failed' });
    expect(await world.command('/hooks subscriptions')).toContain('it has taken nothing since');
    const aDayAgo = Number(row.failingSince) - 24 * 3_600_000;
    await table.update(deliveriesKey('default', 'ops'), { set: { failingSince: aDayAgo } });
    await deploy();
    await until('it is switched off', async () =>
      (await world.command('/hooks subscriptions')).includes('No webhook is told my news'),
    );
    const texts = (await world.stack.scan()).filter(({ pk }) => String(pk).endsWith('/ended'));
    expect(texts.filter(({ sk }) => sk === 'record')).toHaveLength(1);
  });

  it('gives no cause for a word if a delivery fails after its subscription ended', async () => {
    const { table } = world.stack;
    const row = async () => (await table.load([deliveriesKey('default', 'ops')], { isConsistent: true }))[0];
    const endings = async () => (await world.stack.scan()).filter(({ pk }) => String(pk).endsWith('/ended')).length;
    let isBusy = true;
    service = ({ name }) =>
      isBusy && name === 'ops' ? { status: 429, body: '', headers: { 'retry-after': '1' } } : { status: 400, body: '' };
    await world.command('/hooks subscribe ops effect.failed');
    const [before, ended, last] = [told().length, await endings(), (await row())?.id];
    await deploy();
    await until('the delivery was put off', () => told().length > before);
    await world.command('/hooks unsubscribe ops');
    // It took nothing for more than a day.
    await table.update(deliveriesKey('default', 'ops'), { set: { failingSince: 0 } });
    isBusy = false;
    const id = await until('its failure is noted', async () => {
      const item = await row();
      return item?.id !== last && `${item?.id}`;
    });
    const isEnded = async () =>
      (await table.load([signalKeys.record('default', id)], { isConsistent: true }))[0]?.state === 'acted';
    await until('it has ended', isEnded);
    expect(await endings()).toBe(ended);
  });

  it('is told of missed moments of a job, and of a budget that has no room', async () => {
    service = () => OK;
    await world.command('/hooks subscribe ops job.missed budget.met');
    const before = told().length;
    const fiveHours = 5 * 3_600_000;
    const when = { kind: 'every', minutes: 60, from: Date.now() - fiveHours } as const;
    const job = sampleJob({
      when,
      catchUp: { mode: 'skip', minutes: 1, runs: 1 },
      to: [{ target: 'console', to: 'main' }],
    });
    await makeJob(world.stack.table, 'default', job, Date.now() - fiveHours);
    await world.stack.tick();
    await until('the missed moments are told', () => types().slice(before).includes('job.missed'), 30_000);
    expect(told().find(({ type }) => type === 'job.missed')?.data).toMatchObject({ job: job.name });
    await world.command('/config set BUDGET_DAY_TOKENS 1');
    await until(
      'the budget is told',
      async () => {
        await world.command('hello');
        return types().includes('budget.met');
      },
      30_000,
    );
  });
});

/**
 * Policies over time on the real stack: the examples of the page about policies, each as it
 * stands there, and a limit of one that conversations at the same time cannot pass.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { runCli } from '../cli/cli-world.ts';
import { call, type Script, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../support/stack.ts';
import { startTarget } from '../support/target.ts';

const PAGE = readFileSync(new URL('../../lib/features/policy/writing.md', import.meta.url), 'utf8');
const exampleOf = (id: string): string => new RegExp(`@id\\("${id}"\\)[^;]*;`).exec(PAGE)?.[0] ?? `no example ${id}`;
const FREE = '@id("free") permit(principal, action == Action::"call-webhook", resource);';

/** Calls of these webhooks are answered only after `release`: others meet them in flight. */
const HELD = ['/once', '/migrate'];
let release = (): void => {};
let released = Promise.resolve();
const hold = (): void => {
  released = new Promise((resolve) => {
    release = resolve;
  });
};

const target = await startTarget(async ({ path }) => {
  if (HELD.includes(path)) await released;
  return { status: path === '/release' ? 400 : 200, body: '{}' };
});
const received = () => target.posts.map(({ path, body }) => `${path.slice(1)} ${body}`);

const script: Script = (request) => {
  const [, webhook = '', body = '{}', twice = ''] = /^call (\S+) (\{.*\})( twice)?/.exec(userTextOf(request)) ?? [];
  const calls = toolResultsOf(request).length;
  const isOver =
    calls > (twice === '' ? 0 : 1) || JSON.stringify(request.messages).includes('denied by the permissions');
  return isOver || webhook === ''
    ? say('ok')
    : call('call-webhook', {
        webhook,
        body: { ...JSON.parse(body), ...(twice && { calls }) },
        explanation: 'the owner asked for exactly this',
      });
};

const names = ['deploy', 'pay', 'mail', 'feed', 'publish', 'release', 'rollback', 'once'].concat(
  ...['spend', 'migrate', 'offer', 'edit', 'ring'],
);
/** A zone in which it is two at night now. */
const east = ((26 - new Date().getUTCHours() + 11) % 24) - 11;
/** As the page has it. */
const DECLARED: Readonly<Record<string, object>> = JSON.parse(/```json\n(.*?)```/s.exec(PAGE)?.[1] ?? '{}');
const targets = (form: object) =>
  JSON.stringify(
    Object.fromEntries(names.map((name) => [name, { ...DECLARED[name], url: `${target.url}/${name}`, ...form }])),
  );
const world = await startTestStack({
  script,
  isPolling: false,
  environment: {
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    TIME_ZONE: `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`,
    WEBHOOK_URLS: targets({}),
    WEBHOOK_TARGETS: targets({ idempotency: 'idempotency-key' }),
  },
});
afterAll(async () => {
  await world.stop();
  target.close();
});

const setPolicy = async (text: string): Promise<void> =>
  expect((await world.api('POST', '/api/policy', { text }, APPROVER_TOKEN)).status).toBe(200);
let conversations = 0;
/** Each call is a turn of a conversation of its own, so that no other rule counts it. */
const callHook = async (webhook: string, body: object, times = '') => {
  conversations += 1;
  const text = `call ${webhook} ${JSON.stringify(body)}${times}`;
  const { body: sent } = await world.api<{ id: string }>('POST', '/api/messages', {
    text,
    session: `past-${conversations}`,
  });
  const view = await world.settled(sent.id);
  const reasons = [...(view.decision?.attempts ?? []), ...(view.decision?.actions ?? []), ...view.effects].flatMap(
    ({ trace }) =>
      trace.filter(({ verdict }) => verdict !== 'pass').map(({ verdict, reason }) => `${verdict}: ${reason}`),
  );
  return { id: sent.id, turn: view.turn, reasons: reasons.join('\n') };
};
/** Says yes or no to the card of a call. */
const answer = async (signalId: string, decision: 'approve' | 'deny') => {
  const { body } = await world.api<{ approvals: { id: string; signalId: string }[] }>('GET', '/api/approvals');
  const [card] = body.approvals.filter((one) => one.signalId === signalId);
  await world.api('POST', `/api/approvals/${card?.id}`, { decision }, APPROVER_TOKEN);
};
/**
 * Calls at the same time: the one that is let through stays in flight until the others ended. On a
 * busy machine it may run out of its time before: then nobody knows its end, and it counts.
 */
const callAtOnce = async (webhook: string, count: number) => {
  hold();
  let ended = 0;
  const calls = Array.from({ length: count }, async (_, n) => {
    const called = await callHook(webhook, { n });
    ended += 1;
    return called;
  });
  await expect
    .poll(() => ended)
    .toBeGreaterThanOrEqual(count - 1)
    .finally(() => release());
  return await Promise.all(calls);
};
const countOf = (webhook: string): number => received().filter((line) => line.startsWith(`${webhook} `)).length;

describe('context.past', () => {
  it('is neither read nor written without a policy that names it', async () => {
    await setPolicy(FREE);
    await callHook('deploy', { version: 0 });
    expect(countOf('deploy')).toBe(1);
    expect((await world.scan()).filter(({ pk }) => String(pk).endsWith('#past'))).toStrictEqual([]);
    target.posts.length = 0;
  });

  it('lets three deploys a day through, whatever they are and whoever they name', async () => {
    await setPolicy(`${FREE}\n${exampleOf('three-deploys')}`);
    for (const version of [1, 2, 3]) await callHook('deploy', { version });
    const fourth = await callHook('deploy', { version: 4 });
    expect(fourth.reasons).toContain('policy: three-deploys; before: this tool 3 in a day, to there 3, the same 0');
    for (const to of 'abcdefgh') expect((await callHook('Deploy', { to })).reasons).toContain('policy: three-deploys');
    expect(countOf('deploy')).toBe(3);
  });

  it('pays no bill twice', async () => {
    await setPolicy(`${FREE}\n${exampleOf('bill-once')}`);
    for (const bill of ['A1', 'A1', 'A2']) await callHook('pay', { bill });
    expect(received().filter((line) => line.startsWith('pay'))).toStrictEqual([
      'pay {"bill":"A1"}',
      'pay {"bill":"A2"}',
    ]);
  });

  it('asks about mail to a new address only', async () => {
    await setPolicy(`${FREE}\n${exampleOf('new-address')}`);
    const first = await callHook('mail', { to: 'ann@example.org', text: 'hello' });
    expect(first).toMatchObject({ turn: 'waiting', reasons: expect.stringContaining('policy: new-address') });
    await answer(first.id, 'approve');
    await expect.poll(() => countOf('mail')).toBe(1);
    await callHook('mail', { to: 'ann@example.org', text: 'again' });
    expect(countOf('mail')).toBe(2);
    expect(await callHook('mail', { to: 'ben@example.org', text: 'hello' })).toMatchObject({ turn: 'waiting' });
    const { reasons } = await callHook('mail', { to: 'ann@example.org', text: 'hello', email: 'ben@example.org' });
    expect(reasons).toContain('body takes no other fields than to, text');
    expect(countOf('mail')).toBe(2);
  });

  it('lets nothing be published within ten minutes after outside text came in', async () => {
    await setPolicy(`${FREE}\n${exampleOf('let-it-settle')}`);
    await callHook('feed', {});
    expect((await callHook('publish', { text: 'news' })).reasons).toContain('policy: let-it-settle');
    const at = Date.now() - 11 * 60_000;
    await world.table.update({ pk: 'past#default', sk: 'outside' }, { set: { at } });
    await callHook('publish', { text: 'news' });
    expect(countOf('publish')).toBe(1);
  });

  it('lets only a rollback through after a failed release', async () => {
    await setPolicy(`${FREE}\n${exampleOf('only-roll-back')}`);
    await callHook('release', { version: 1 });
    expect((await callHook('feed', { n: 2 })).reasons).toContain('policy: only-roll-back');
    await callHook('rollback', {});
    await callHook('feed', { n: 3 });
    expect(
      received()
        .slice(-3)
        .map((line) => line.split(' ')[0]),
    ).toStrictEqual(['release', 'rollback', 'feed']);
  });

  it('stops a sum of money, however it is split', async () => {
    await setPolicy(`${FREE}\n${exampleOf('budget')}`);
    for (const amount of [300, 150]) await callHook('spend', { amount });
    const third = await callHook('spend', { amount: 50.01 });
    expect(third.reasons).toContain('policy: budget; before: this tool');
    expect(third.reasons).toContain('450 to there');
    await callHook('spend', { amount: 50 });
    for (const body of [{ Amount: 1 }, { payment: { amount: 1 } }, { amount: 0, amount_cents: 1 }, { amount: 'few' }])
      expect((await callHook('spend', body)).reasons).toMatch(/policy: budget|takes no other fields/);
    expect(countOf('spend')).toBe(3);
  });

  it('begins nothing while the same is in flight', async () => {
    await setPolicy(`${FREE}\n${exampleOf('one-by-one')}`);
    const calls = await callAtOnce('migrate', 2);
    expect(calls.filter(({ reasons }) => reasons.includes('policy: one-by-one'))).toHaveLength(1);
    await callHook('migrate', { n: 3 });
    expect(countOf('migrate')).toBe(2);
  });

  it('counts what a person denied, in another conversation too', async () => {
    const ask = '@id("ask") @ask("") permit(principal, action == Action::"call-webhook", resource);';
    await setPolicy(`${ask}\n${exampleOf('denied-today')}`);
    await answer((await callHook('offer', { price: 3 })).id, 'deny');
    await expect
      .poll(async () => (await callHook('offer', { price: 3 })).reasons)
      .toMatch(/policy: denied-today; before: .*, denied 1/);
    expect(await callHook('offer', { price: 4 })).toMatchObject({ turn: 'waiting' });
    expect(countOf('offer')).toBe(0);
  });

  it('asks once in a turn: a second call is asked about only for the outside text that came with the first', async () => {
    await setPolicy(`${FREE}\n${exampleOf('ask-once-a-turn')}`);
    for (const _ of [1, 2]) {
      const { id, reasons } = await callHook('edit', {}, ' twice');
      expect(reasons).toContain('policy: ask-once-a-turn');
      await answer(id, 'approve');
      const second = await until('the second call is judged', async () => {
        const { status, body } = await world.api<SignalView>('GET', `/api/signals/${id}/r0`);
        return status === 200 && body.decision?.actions[0]?.trace.filter(({ verdict }) => verdict === 'ask');
      });
      expect(second.map(({ gate }) => gate)).toStrictEqual(['provenance']);
    }
  });

  it('asks in the hours of the owner that are quiet', async () => {
    await setPolicy(`${FREE}\n${exampleOf('at-night')}`);
    expect(await callHook('ring', {})).toMatchObject({
      turn: 'waiting',
      reasons: expect.stringContaining('policy: at-night'),
    });
  });

  it('holds a limit of one against conversations at the same time', async () => {
    await setPolicy(
      `${FREE}\n@id("one") forbid(principal, action, resource) when { context.past.to.day >= 1 } unless { resource.name != "once" };`,
    );
    const calls = await callAtOnce('once', 5);
    expect(countOf('once')).toBe(1);
    expect(calls.filter(({ reasons }) => reasons.includes('policy: one'))).toHaveLength(4);
  });
});

describe('policy set', () => {
  it('refuses a rule that asks for what no target declares, with the line to write', async () => {
    const text = exampleOf('budget').replace('"spend"', '"deploy"');
    const { status, body } = await world.api<object>('POST', '/api/policy', { text }, APPROVER_TOKEN);
    expect([status, JSON.stringify(body)]).toStrictEqual([
      400,
      expect.stringContaining(
        JSON.stringify(
          'budget (line 1) asks the amount of a call of the webhook deploy, which names no field for it: add "amount":"amount" to its entry in WEBHOOK_TARGETS',
        ).slice(1, -1),
      ),
    ]);
    const file = `${world.dataDir}/undeclared.cedar`;
    writeFileSync(file, text);
    for (const verb of ['check', 'try', 'set']) {
      const { code, out, err } = await runCli(['policy', verb, file], world.dataDir, { env: { APPROVER_TOKEN } });
      expect([verb, code, `${out}${err}`]).toStrictEqual([
        ...[verb, verb === 'check' ? 1 : 2],
        expect.stringContaining('add "amount":"amount" to its entry in WEBHOOK_TARGETS'),
      ]);
    }
  });
});

describe('policy try', () => {
  it('counts over the past', async () => {
    const file = `${world.dataDir}/try.cedar`;
    writeFileSync(
      file,
      `${FREE}\n@id("two") forbid(principal, action == Action::"call-webhook", resource)\nwhen { context.args.webhook == "deploy" && context.past.to.day >= 2 };`,
    );
    const { out } = await runCli(['policy', 'try', file, '--allow-widening', '--json'], world.dataDir, {
      env: { APPROVER_TOKEN },
    });
    const { flips } = JSON.parse(out) as {
      flips: { before: string; after: string; action: { to: string; args: { body: object } } }[];
    };
    const deploys = flips.filter(({ action, before }) => action.to === 'deploy' && before === 'pass');
    // Versions 0 and 1 were the first two.
    expect(deploys.map(({ after, action }) => [after, action.args.body]).reverse()).toStrictEqual([
      ['block', { version: 2 }],
      ['block', { version: 3 }],
    ]);
  });
});

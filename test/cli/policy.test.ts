/** `policy` and `replay` as a person or script uses them, against a real console. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { buildPolicyVersion } from '../../lib/core/judge/judge.ts';
import { buildDecision, buildSignal, putSignal } from '../core/edge/console/stored-fixtures.ts';
import { reply, webhookCall } from '../core/gates/samples.ts';
import { judgeSample } from '../core/stages/sample-evidence.ts';
import { startCliWorld } from './cli-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'passepartout-policy-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const PERMIT = file('permit.cedar', '@id("free") permit(principal, action in Action::"any-webhook", resource);');
const BROKEN = file('broken.cedar', 'permit(principal,\n action;');

const world = await startCliWorld(() => undefined);
const calls = webhookCall({ args: { webhook: 'tickets', body: { title: 'Disk is full' } } });
const judged = [await judgeSample(reply()), await judgeSample(calls, { tier: 'ask' })];
const versions = { gateSet: GATE_SET.version, policyVersion: buildPolicyVersion(GATE_SET) };
await putSignal(world.console.dynamo.table, {
  signal: buildSignal('con-past', { receivedAt: Date.now() - 60_000 }),
  state: 'suspended',
  decision: buildDecision('con-past', judged, versions),
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('passepartout policy', () => {
  it('init writes the defaults once; check finds nothing in them', async () => {
    const path = join(folder, 'policy.cedar');
    expect((await world.run(['policy', 'init', path])).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('Action::"call-webhook"');
    expect((await world.run(['policy', 'init', path])).code).toBe(1);
    expect(await world.run(['policy', 'check', path])).toStrictEqual({
      code: 0,
      out: 'The policy parses and type-checks.\n',
      err: '',
    });
  });

  it('check says where a policy is wrong, and exits 1', async () => {
    const { code, out } = await world.run(['policy', 'check', BROKEN]);
    expect(code).toBe(1);
    expect(out).toContain('line 2, column');
  });

  it('try names what would flip, with its trace, and exits 1 for a widening unless it is meant', async () => {
    const { code, out } = await world.run(['policy', 'try', PERMIT, '--since', '1h']);
    expect(code).toBe(1);
    expect(out).toContain('WIDER  con-past, action 1: ask → pass  Call the webhook tickets: title “Disk is full”');
    expect(out).toContain('Newly possible without a question: call-webhook');
    expect(out).toContain('2 actions tried: 1 would come out otherwise, 1 of them wider.');
    expect((await world.run(['policy', 'try', PERMIT, '--allow-widening'])).code).toBe(0);
    expect((await world.run(['policy', 'try', BROKEN])).code).toBe(2);
  });

  it('set puts a policy in force, show shows it; a broken one is refused', async () => {
    expect((await world.run(['policy', 'set', BROKEN])).code).toBe(2);
    const { code, out } = await world.run(['policy', 'set', PERMIT]);
    expect(out.split('\n')).toStrictEqual([
      expect.stringMatching(/^Newly possible without a question: call-webhook/),
      'In the last 30 days 1 of 2 actions would have come out otherwise, 1 of them wider.',
      expect.stringMatching(/^In force: policy [0-9a-f]{12}\./),
      '',
    ]);
    expect(code).toBe(0);
    expect((await world.run(['policy', 'show'])).out).toBe(`${readFileSync(PERMIT, 'utf8')}\n`);
  });

  it('says how it is used', async () => {
    const { code, err } = await world.run(['policy', 'chek', 'x']);
    expect(code).toBe(2);
    expect(err).toContain('policy init [file] | check <file>');
  });
});

describe('passepartout gates try --policy', () => {
  it('judges lines under the policy of a file, declared tools too', async () => {
    const rules = file(
      'try.cedar',
      '@id("no-ls") forbid(principal, action == Action::"shell", resource) when { context.args.cmd like "ls*" }; @id("free") permit(principal, action in Action::"any-webhook", resource) when { resource.name == "tickets" };',
    );
    const explanation = 'The owner asked for exactly this.';
    const lines = [
      { action: { target: 'tool', tool: 'shell', args: { cmd: 'ls -l' }, explanation } },
      { action: { target: 'tool', tool: 'shell', args: { cmd: 'pwd' }, explanation } },
      { action: { target: 'webhook', tool: 'call-webhook', args: { target: 'tickets', body: {} }, explanation } },
    ];
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    const { code, out } = await world.run(['gates', 'try', '--policy', rules], { input });
    const tried = out.trim().split('\n');
    expect([code, ...tried.map((line) => JSON.parse(line).verdict)]).toStrictEqual([0, 'block', 'pass', 'pass']);
    expect(tried[0]).toContain('(policy: no-ls)');
    expect((await world.run(['gates', 'try', '--policy', BROKEN], { input })).code).toBe(2);
  });
});

describe('passepartout replay', () => {
  it('replays one signal, or all since a moment', async () => {
    const one = await world.run(['replay', 'con-past', '--json']);
    const counts = { identical: 2, different: 0, 'other-version': 0, forgotten: 0, withheld: 0 };
    expect(JSON.parse(one.out)).toStrictEqual({ decisions: 1, counts, differences: [] });
    expect(one.code).toBe(0);
    const all = await world.run(['replay', '--since', '7d']);
    expect([all.code, all.out]).toStrictEqual([0, expect.stringContaining('2  the same to the last byte')]);
  });

  it('exits 1 and names a difference', async () => {
    const judged = await judgeSample(reply());
    const versions = { gateSet: GATE_SET.version, policyVersion: buildPolicyVersion(GATE_SET) };
    await putSignal(world.console.dynamo.table, {
      signal: buildSignal('con-forged', { receivedAt: Date.now() - 9e8 }),
      state: 'acted',
      decision: buildDecision('con-forged', [{ ...judged, trace: judged.trace.slice(1) }], versions),
    });
    const { code, out } = await world.run(['replay', 'con-forged']);
    expect(code).toBe(1);
    expect(out).toContain('con-forged, action 0: the trace differs at entry 0');
  });

  it('takes a signal or a time', async () => {
    expect((await world.run(['replay'])).code).toBe(2);
    expect((await world.run(['replay', '--since', 'yesterday'])).code).toBe(2);
  });
});

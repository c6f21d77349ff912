/** `npx passepartout gates` as a script uses it: the real program, no stack anywhere near. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { runCli } from './cli-world.ts';

const line = (cmd: string): string =>
  JSON.stringify({ action: { target: 'tool', tool: 'shell', args: { cmd }, explanation: 'The owner asked for it.' } });

describe('passepartout gates', () => {
  it('lists every gate in the order it runs', async () => {
    const { code, out, err } = await runCli(['gates', 'list', '--json'], '/nonexistent');
    const names = (JSON.parse(out) as { gates: { name: string }[] }).gates.map(({ name }) => name);
    expect({ code, names, err }).toStrictEqual({ code: 0, names: GATE_SET.gates.map(({ name }) => name), err: '' });
  });

  it('answers every line, goes on after a bad one, and exits 1 for it', async () => {
    const input = `${line('ls')}\nnonsense\n\n${line('rm -rf /')}\n`;
    const { code, out } = await runCli(['gates', 'try'], '/nonexistent', { input });
    const answers = out
      .split('\n')
      .filter((each) => each !== '')
      .map((each) => JSON.parse(each) as Record<string, unknown>);
    expect({ code, verdicts: answers.map(({ verdict, error }) => verdict ?? error) }).toStrictEqual({
      code: 1,
      verdicts: ['pass', 'the line is not JSON', 'block'],
    });
  });

  it('exits 0 when every line was an action, and 2 for anything but list and try', async () => {
    const tried = await runCli(['gates', 'try', '--json'], '/nonexistent', { input: line('ls') });
    const wrong = await runCli(['gates', 'delete'], '/nonexistent');
    expect([tried.code, wrong.code]).toStrictEqual([0, 2]);
  });

  it('counts by what the settings here declare, and takes nothing else for an amount', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'passepartout-gates-'));
    const policy = join(folder, 'p.cedar');
    writeFileSync(
      policy,
      '@id("much") forbid(principal, action == Action::"call-webhook", resource) when { context.args.webhook == "pay" && context.amount > 500 };',
    );
    const pay = { url: 'https://pay.example/', body: { properties: { sum: { type: 'number' } } }, amount: 'sum' };
    const run = (target: object, body: object) =>
      runCli(['gates', 'try', 'call-webhook', JSON.stringify({ webhook: 'Pay', body }), '--policy', policy], folder, {
        env: { WEBHOOK_TARGETS: JSON.stringify({ pay: target }) },
      });
    const [little, much, unread] = [
      await run(pay, { sum: 5, amount: 900 }),
      await run(pay, { sum: 5.01 }),
      await run(pay, { amount: 1 }),
    ];
    expect([little, much, unread].map(({ out }) => out.includes('policy: much'))).toStrictEqual([false, true, true]);
    const { code, err } = await run({ url: pay.url, body: pay.body }, { sum: 5 });
    expect([code, err]).toStrictEqual([2, expect.stringContaining('add "amount":"sum" to its entry')]);
    rmSync(folder, { recursive: true });
  });

  it('judges one call, and says the class of a command and why', async () => {
    const world = (cmd: string) => runCli(['gates', 'try', 'shell', JSON.stringify({ cmd })], '/nonexistent');
    const { code, out } = await world('rm -rf build');
    expect([code, out.split('\n')[0]]).toStrictEqual([0, 'ask, class destroys']);
    expect(out).toContain('command-class: the command destroys what it did not make');
    expect((await world('ls')).out.split('\n')[0]).toBe('pass, class reads');
    expect((await world('cat /etc/hosts')).out).toContain('confinement: a path that would be read is outside');
    expect((await runCli(['gates', 'try', 'shell', '{'], '/nonexistent')).code).toBe(2);
  });
});

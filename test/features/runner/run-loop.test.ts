/** The runner at work, over a real queue and real requests: waiting, stopping, dying. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect } from 'vitest';
import { runLoop } from '../../../infra/runner/run-loop.ts';
import { buildStack } from '../../../infra/runner/transport.ts';
import { UnavailableError } from '../../../lib/core/base/errors.ts';
import type { Order } from '../../../lib/features/runner/order.ts';
import { inSandbox, makeMachine, type TestMachine } from './machine.ts';
import { buildOrder, type PairedMachine, pairMachine } from './orders.ts';
import { type StackServer, startStackServer } from './stack-server.ts';

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

const CHILD = fileURLToPath(new URL('./run-child.ts', import.meta.url));
const WAIT = { interval: 50 };
/** A machine at work asks so often what it shall stop. */
const BEAT_MS = 1_000;

const shell = (machine: TestMachine, cmd: string): Order =>
  buildOrder('shell', { cmd, folder: machine.work }, { issuedAt: Date.now(), expiresAt: Date.now() + 600_000 });

const serve = async (paired: PairedMachine): Promise<StackServer> => {
  const server = await startStackServer(paired.runnerKey);
  closings.push(server.close);
  return server;
};

describe('runLoop', () => {
  inSandbox('waits for the stack, runs jobs side by side, and ends those it is told to stop', async (sandbox) => {
    const machine = makeMachine();
    const { machine: whole, runnerKey, folder: path } = await pairMachine(sandbox, machine);
    whole.journal.close();
    const server = await startStackServer(runnerKey);
    closings.push(server.close);
    server.isAway = true;
    const ending = new AbortController();
    const { folder } = whole;
    const stack = buildStack({ url: server.url, signer: folder.signer, runner: 'den', now: Date.now });
    const lines: string[] = [];
    const report = (line: string): void => void lines.push(line);
    const over = runLoop({ folder, stack, sandbox, now: Date.now, report, signal: ending.signal });
    await expect.poll(() => lines.join(), WAIT).toContain('did not answer (503). Trying again in 1 s.');
    server.isAway = false;

    const wait = 'until test -e go; do sleep 0.1; done';
    const [one, two] = [shell(machine, wait), shell(machine, wait)];
    await server.send(one);
    await server.send(two);
    for (const { id } of [one, two]) await expect.poll(() => lines.join(), WAIT).toContain(`${id}: shell`);
    writeFileSync(join(machine.work, 'go'), '');
    await expect.poll(() => server.results.length, WAIT).toBe(2);
    expect([server.resultOf(one)?.state, server.resultOf(two)?.state]).toStrictEqual(['done', 'done']);

    appendFileSync(join(path, 'runner.yaml'), '\nnetwork: true\n');
    const [stopped, last] = [shell(machine, 'echo up; sleep 60'), shell(machine, 'echo up; sleep 61')];
    await server.send(stopped);
    await expect.poll(() => lines.join(), WAIT).toContain(`${stopped.id}: shell`);
    server.stops.add(stopped.id);
    await expect
      .poll(() => server.resultOf(stopped), WAIT)
      .toMatchObject({ state: 'failed', reason: 'it was stopped' });

    const newly = 'Newly possible after your yes to each call: reaching the network.';
    await expect.poll(() => lines.join(), WAIT).toContain(newly);

    const running = shell(machine, 'echo up; sleep 62');
    await server.send(running);
    await expect.poll(() => lines.join(), WAIT).toContain(`${running.id}: shell`);
    server.refusal = 400;
    await sleep(2 * BEAT_MS);
    expect(lines.join()).not.toContain('refuses it (400)');
    server.refusal = 401;
    await expect.poll(() => lines.join(), WAIT).toContain(`${running.id}: the stack refuses it (401)`);
    server.refusal = undefined;

    await server.send(last);
    await expect.poll(() => lines.join(), WAIT).toContain(`${last.id}: shell`);
    ending.abort();
    await over;
    expect(server.resultOf(last)).toMatchObject({ state: 'failed', reason: 'the runner was ended' });
    expect([server.farewells(), lines.at(-1)]).toStrictEqual([1, 'stopped']);
  });

  inSandbox('waits before it asks again, whatever kept it from its queue', async (sandbox) => {
    for (const [isReadable, problem] of [
      [true, 'it is away. Trying again in 1 s.'],
      [false, 'runner.yaml'],
    ] as const) {
      const { machine, folder: path } = await pairMachine(sandbox, makeMachine());
      machine.journal.close();
      if (!isReadable) appendFileSync(join(path, 'runner.yaml'), '\nnetwork: perhaps\n');
      const { folder } = machine;
      const stack = {
        ...buildStack({ url: 'http://127.0.0.1:9', signer: folder.signer, runner: 'den', now: Date.now }),
        open: () => Promise.reject(new UnavailableError('it is away')),
        leave: async () => ({}),
      };
      const ending = new AbortController();
      const lines: string[] = [];
      const report = (line: string): void => {
        lines.push(line);
        // Far sooner than it asks again.
        if (lines.length === 1) setTimeout(() => ending.abort(), 100);
        else ending.abort();
      };
      await runLoop({ folder, stack, sandbox, now: Date.now, report, signal: ending.signal });
      expect(lines).toStrictEqual([expect.stringContaining(problem), 'stopped']);
    }
  });

  inSandbox('asks no queue outside AWS for a stack that is not on this machine', async (sandbox) => {
    const { machine } = await pairMachine(sandbox, makeMachine());
    const folder = { ...machine.folder, pairing: { ...machine.folder.pairing, url: 'https://stack.example' } };
    const stack = buildStack({ url: 'https://stack.example', signer: folder.signer, runner: 'den', now: Date.now });
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' };
    const queueUrl = 'https://sqs.eu-west-1.amazonaws.com.evil.example/1/q';
    const opened = { queueUrl, region: 'eu-west-1', credentials, expiresAt: Date.now() + 3_600_000, isPaused: false };
    const ending = new AbortController();
    const lines: string[] = [];
    const report = (line: string): void => {
      lines.push(line);
      ending.abort();
    };
    const open = async () => opened;
    await runLoop({ folder, stack: { ...stack, open }, sandbox, now: Date.now, report, signal: ending.signal });
    expect(lines.join()).toContain('a queue outside AWS');
  });

  inSandbox('leaves nothing running when it is killed, and says unknown when it is back', async (sandbox) => {
    const machine = makeMachine();
    const paired = await pairMachine(sandbox, machine);
    const server = await serve(paired);
    const pairing = JSON.parse(readFileSync(join(paired.folder, 'pairing.json'), 'utf8'));
    writeFileSync(join(paired.folder, 'pairing.json'), JSON.stringify({ ...pairing, url: server.url }));
    const start = async (): Promise<{ child: ChildProcess; text: () => string }> => {
      const env = { ...process.env, HOME: machine.home, PASSEPARTOUT_RUNNER_DIR: join(machine.root, 'runners') };
      // As 42: far beyond the others, where Node itself does not look.
      const opened = Array.from({ length: 40 }, (_, n) => (n === 39 ? openSync(CHILD, 'r') : 'ignore'));
      const child = spawn(process.execPath, [CHILD], { env, stdio: ['ignore', 'pipe', 'inherit', ...opened] });
      closings.push(async () => {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGINT');
          await once(child, 'exit');
        }
      });
      let text = '';
      child.stdout?.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      await expect.poll(() => text, WAIT).toContain('ready');
      return { child, text: () => text };
    };
    const first = await start();
    const job = shell(
      machine,
      'true <&42 && echo x > open.txt; echo x >> begun.txt; until test -e go; do sleep 0.1; done; echo x >> late.txt',
    );
    await server.send(job);
    await expect.poll(() => existsSync(join(machine.work, 'begun.txt')), WAIT).toBe(true);
    expect(existsSync(join(machine.work, 'open.txt'))).toBe(false);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await start();
    await expect.poll(() => server.resultOf(job), WAIT).toMatchObject({ state: 'unknown' });
    // The stack sends it again: the journal knows it.
    await server.send({ ...job, nonce: 'e'.repeat(32) });
    await expect.poll(() => second.text(), WAIT).toContain('it was accepted before');
    writeFileSync(join(machine.work, 'go'), '');
    await sleep(1_000);
    expect(readFileSync(join(machine.work, 'begun.txt'), 'utf8')).toBe('x\n');
    expect(existsSync(join(machine.work, 'late.txt'))).toBe(false);
    expect(server.results).toHaveLength(1);
  });
});

/**
 * The same turns through three services on Restate, where it is installed: its server with the
 * settings it comes with, on loopback, and the services of `restate-services.ts`. Whatever is
 * started ends with `close`.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/listening.ts';
import type { DriveOptions, DriveResult } from './drive.ts';

export interface RestateChild {
  readonly drive: (options: Omit<DriveOptions, 'stack'>) => Promise<DriveResult>;
  readonly close: () => Promise<void>;
}

/** It comes for some platforms only, under a licence of its own, so it is no dependency. */
export const INSTALL_RESTATE = 'npm install --no-save @restatedev/restate-server @restatedev/restate-sdk';
const READY_MS_MAX = 60_000;

const findServer = (): string | undefined => {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('@restatedev/restate-sdk');
    return resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`);
  } catch {
    return undefined;
  }
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

/** Asks until the server, which takes some seconds to start, agrees. */
const untilOk = async (ask: () => Promise<Response>): Promise<void> => {
  const until = performance.now() + READY_MS_MAX;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer?.ok === true) return;
    if (performance.now() > until) throw new Error(`Restate is not ready: ${await answer?.text()}`);
    await sleep(200);
  }
};

/** @returns nothing where it is not installed. */
export const startRestate = async (scratch: string, modelUrl: string): Promise<RestateChild | undefined> => {
  const file = findServer();
  if (file === undefined) return undefined;
  const [ingress, admin, node, services] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const listen = (port: number): string => `127.0.0.1:${port}`;
  const server = spawn(file, ['--base-dir', mkdtempSync(join(scratch, 'restate-')), '--listen-mode', 'tcp'], {
    env: {
      RESTATE_INGRESS__BIND_ADDRESS: listen(ingress),
      RESTATE_ADMIN__BIND_ADDRESS: listen(admin),
      RESTATE_BIND_ADDRESS: listen(node),
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LOG_FILTER: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const child = fork(fileURLToPath(new URL('restate-services.ts', import.meta.url)), [`${services}`, modelUrl], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const close = async (): Promise<void> => void (await Promise.all([end(child), end(server)]));
  const waiting = new Map<string, () => void>();
  child.on('message', ({ ended }: { ended?: string }) => {
    if (ended !== undefined) waiting.get(ended)?.();
  });

  const takeTurn = async (session: string, id: string): Promise<void> => {
    const over = new Promise<void>((resolve) => waiting.set(id, resolve));
    const answer = await fetch(`http://${listen(ingress)}/perceive/${session}/take/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, text: 'Did the backup run last night?' }),
    });
    if (!answer.ok) throw new Error(`Restate answered ${answer.status}: ${await answer.text()}`);
    await answer.body?.cancel();
    await over;
    waiting.delete(id);
  };

  let turns = 0;
  const drive: RestateChild['drive'] = async (options) => {
    const turnMs: number[] = [];
    const startedAt = performance.now();
    const last = turns + options.turns;
    const converse = async (session: string): Promise<void> => {
      while (turns < last) {
        const sentAt = performance.now();
        if (sentAt - startedAt > (options.maxMs ?? Number.POSITIVE_INFINITY)) return;
        turns += 1;
        await takeTurn(session, `turn-${turns}`);
        turnMs.push(performance.now() - sentAt);
      }
    };
    await Promise.all(Array.from({ length: options.sessions }, (_, n) => converse(`${options.name}-${n}`)));
    return { turnMs, wallMs: performance.now() - startedAt };
  };

  try {
    await once(child, 'message');
    const uri = `http://${listen(services)}`;
    const register = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ uri }) };
    await untilOk(() => fetch(`http://${listen(admin)}/deployments`, register));
    await untilOk(() => fetch(`http://${listen(ingress)}/restate/health`));
    return { drive, close };
  } catch (error) {
    await close();
    throw error;
  }
};

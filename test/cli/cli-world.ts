/**
 * A console on a real store with a stand-in for the pipeline: what is published is decided and
 * answered after a moment, by a script of this test's. The real command runs against it, and finds
 * it through a data folder: within this process, which takes a moment, or as the program a person
 * calls.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Approval } from '../../lib/core/approvals/approval.ts';
import { defined } from '../../lib/core/base/defined.ts';
import { SignalRecord } from '../../lib/core/ledger/record.ts';
import type { Feature } from '../../lib/core/operations/feature.ts';
import type { Decision, Effect } from '../../lib/core/signal/decision.ts';
import type { SignalState } from '../../lib/core/signal/signal.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import { parseStored } from '../../lib/core/store/parse-stored.ts';
import { APPROVER_TOKEN, serveConsole, startConsole, type TestConsole } from '../core/edge/console/console-server.ts';
import { putApproval, SPACE } from '../core/edge/console/stored-fixtures.ts';
import { CHILD_ENV } from '../support/child-env.ts';
import { type Ran, runHere } from '../support/run-here.ts';

const CLI = new URL('../../infra/cli/passepartout.js', import.meta.url).pathname;

export interface Verdicted {
  readonly state: SignalState;
  readonly stateReason?: string;
  readonly decision?: Decision;
  readonly effects?: readonly Effect[];
  readonly approval?: Approval;
}

/** The stand-in's verdict on a signal; undefined leaves the signal as it is. */
export type Script = (record: SignalRecord) => Verdicted | undefined;

export interface CliWorld {
  readonly console: TestConsole;
  readonly url: string;
  readonly folder: string;
  readonly run: (words: readonly string[], options?: RunOptions) => Promise<Ran>;
  readonly stop: () => Promise<void>;
}

const settle = async (world: TestConsole, id: string, verdict: Verdicted): Promise<void> => {
  const { table } = world.dynamo;
  if (verdict.approval !== undefined) await putApproval(table, verdict.approval, verdict.approval.createdAt);
  if (verdict.decision !== undefined) await table.put(signalKeys.decision(SPACE, id), { ...verdict.decision });
  for (const effect of verdict.effects ?? []) await table.put(signalKeys.effect(SPACE, id, effect.n), { ...effect });
  await table.update(signalKeys.record(SPACE, id), {
    set: { state: verdict.state, ...(verdict.stateReason === undefined ? {} : { stateReason: verdict.stateReason }) },
  });
};

export const writeFolder = (folder: string, url: string, pid: number): void => {
  writeFileSync(join(folder, 'stack.json'), JSON.stringify({ url, pid }), { mode: 0o600 });
  const tokens = { approverToken: APPROVER_TOKEN };
  writeFileSync(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
};

interface RunOptions {
  /** Standard input. */
  readonly input?: string;
  readonly env?: Record<string, string>;
}

interface CommandOptions extends RunOptions {
  readonly cwd?: string;
  readonly features?: readonly Feature[];
}

const variablesOf = (folder: string, env: Record<string, string>) => ({
  ...CHILD_ENV,
  DATA_DIR: folder,
  ...env,
});

/** Runs the command in this process, on streams of its own. */
export const runCli = async (
  words: readonly string[],
  folder: string,
  { input = '', env = {}, cwd = tmpdir(), features }: CommandOptions = {},
): Promise<Ran> => {
  const ran = await runHere({ words, input, env: variablesOf(folder, env), folder: cwd, ...defined({ features }) });
  return { code: ran.code, out: ran.out, err: ran.err };
};

/** The program itself, as a child process. */
export const runProgram = (
  words: readonly string[],
  folder: string,
  { input = '', env = {} }: RunOptions = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...words], {
      cwd: tmpdir(),
      env: variablesOf(folder, env),
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(input);
  });

export const startCliWorld = async (script: Script): Promise<CliWorld> => {
  const world = await startConsole({ now: Date.now, startedAt: Date.now() });
  const settled: Promise<void>[] = [];
  const deps = {
    ...world.deps,
    publish: async (message: { readonly signalId: string }, step: string) => {
      world.published.push({ message: { stage: 'perceive', v: 1, space: SPACE, session: '', ...message }, step });
      const [item] = await world.dynamo.table.load([signalKeys.record(SPACE, message.signalId)], {
        isConsistent: true,
      });
      const verdict = script(parseStored(item ?? {}, SignalRecord, 'signal'));
      if (verdict !== undefined) settled.push(sleep(60).then(() => settle(world, message.signalId, verdict)));
    },
  };
  const { url, server } = await serveConsole(deps);
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-cli-'));
  chmodSync(folder, 0o700);
  writeFolder(folder, url, process.pid);
  return {
    console: world,
    url,
    folder,
    run: (words, options) => runCli(words, folder, options),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(settled);
      await world.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/**
 * The benchmark's child processes: a stack with the flags of `npm start`, and a model. Whatever is
 * started here ends with `close`, and at the latest when the benchmark ends: the children watch the
 * channel to their parent.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../infra/bundling.ts';
import type { StackOptions } from '../../infra/local/stack.ts';
import type { StackReady, ToStack } from './stack-process.ts';

/** Words of the `start` script: flags of Node, then the file. */
export const startWords = (): { readonly flags: readonly string[]; readonly file: string } => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const words = scripts.start.split(' ').filter((word) => word !== '');
  const file = words.at(-1);
  if (words[0] !== 'node' || file === undefined)
    throw new Error(`the start script is not understood: ${scripts.start}`);
  const flags = words.slice(1, -1).map((word) => (word.startsWith('.//') ? join(ROOT, word) : word));
  return { flags, file: join(ROOT, file) };
};

const CLEAN_ENV = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

const forkFile = (file: string, flags: readonly string[]): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [...flags], env: CLEAN_ENV });

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

export interface ModelChild {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

export const startModel = async (): Promise<ModelChild> => {
  const child = forkFile('model-process.ts', []);
  const [baseUrl] = (await once(child, 'message')) as [string];
  return {
    baseUrl,
    close: async () => {
      child.disconnect();
      await ended(child);
    },
  };
};

export interface StackChild extends StackReady {
  readonly pid: number;
  readonly queueCounts: () => Promise<Readonly<Record<string, number>>>;
  readonly invoke: (name: string, event: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** @param extraFlags further flags of Node, for profiling */
export const startStackChild = async (
  options: StackOptions,
  extraFlags: readonly string[] = [],
): Promise<StackChild> => {
  const child = forkFile('stack-process.ts', [...startWords().flags, ...extraFlags]);
  const ask = async <T>(message: ToStack): Promise<T> => {
    child.send(message);
    const [answer] = (await once(child, 'message')) as [{ value?: T; error?: string }];
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as T;
  };
  const close = async (): Promise<void> => {
    if (child.connected) await ask({ type: 'stop' });
    if (child.connected) child.disconnect();
    await ended(child);
  };
  try {
    const ready = await ask<StackReady>({ type: 'start', options });
    return {
      ...ready,
      pid: child.pid ?? 0,
      queueCounts: () => ask({ type: 'counts' }),
      invoke: (name, event) => ask({ type: 'invoke', name, event }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

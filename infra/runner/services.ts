/** Each runner that is paired here, as a service that starts it with this machine. */
import { join, resolve } from 'node:path';
import type { FindServices, Service } from '../cli/commands/service.ts';
import { listRunnerNames } from './runner-folder.ts';

const PROGRAM = join(resolve(import.meta.dirname, '..', '..'), 'infra', 'cli', 'passepartout.js');

/** @param runnersFolder the usual one if absent */
export const serviceOf = (runner: string, folder: string, node: string, runnersFolder?: string): Service => ({
  name: `passepartout-runner-${runner}`,
  about: `The runner ${runner} of Passepartout`,
  program: [node, PROGRAM, 'runner', 'start', runner],
  folder,
  variables: runnersFolder === undefined ? {} : { PASSEPARTOUT_RUNNER_DIR: runnersFolder },
});

export const runnerServices: FindServices = (env, folder, node) =>
  listRunnerNames(env).map((name) => serviceOf(name, folder, node, env.PASSEPARTOUT_RUNNER_DIR));

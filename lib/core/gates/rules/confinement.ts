/**
 * An action on a person's own machine keeps to the folders that its runner names. Judges the
 * arguments that hold paths, and every path that was read from a command.
 * - stops: runners that are unknown, not paired or paused; paths outside the named folders; writing
 *   in folders named only for reading; files that hold secrets; paths that are not absolute
 * - asks: changes of files that programs run by themselves, each time, whatever policy or grant
 * - lets through: everything inside, and every tool that works elsewhere
 */
import type { Action } from '../../signal/action.ts';
import type { Facts, RunnerFacts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { isRunFile } from '../../text/find-run-file.ts';
import { findSecretPath } from '../../text/find-secret-path.ts';
import { canonicalPath } from '../../text/path-canonical.ts';
import { effectsOf } from './tool-effects.ts';

const block = (reason: string): Verdict => ({ verdict: 'block', reason });

const isIn = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);

const isCanonical = (path: string): boolean => path.startsWith('/') && canonicalPath(path) === path;

const runnerProblem = (runner: RunnerFacts | undefined): string => {
  if (runner === undefined) return 'it is not known on which machine this would run';
  if (!runner.isPaired) return 'no machine of this name is paired';
  return runner.isPaused ? 'this machine is paused' : '';
};

const OUTSIDE = 'is outside the folders this machine names for that';

const pathProblem = (paths: readonly string[], roots: readonly string[], use: 'read' | 'changed'): string => {
  for (const path of paths) {
    if (!isCanonical(path)) return `a path that would be ${use} has no canonical form`;
    const secret = findSecretPath(path);
    if (secret !== undefined) return `a path that would be ${use} leads to ${secret}`;
    if (!roots.some((root) => isIn(path, root))) return `a path that would be ${use} ${OUTSIDE}`;
  }
  return '';
};

/** A card says so in one line. */
export const CHANGES_RUN_FILE = 'it changes a file that programs run by themselves: a hook, a build, CI or a shell';

export const checkConfinement = (action: Action, facts: Facts): Verdict => {
  const { runsCommand, readsFiles = [], writesFiles = [] } = effectsOf(action, facts);
  if (action.target !== 'tool' || (runsCommand === undefined && readsFiles.length + writesFiles.length === 0))
    return PASS;
  const { runner, shell } = facts;
  const problem = runnerProblem(runner);
  if (runner === undefined || problem !== '') return block(problem);
  const { args = {} } = action;
  const valuesOf = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => {
      const value = Object.hasOwn(args, name) ? args[name] : undefined;
      return typeof value === 'string' ? [value] : [];
    });
  const reads = [...valuesOf(readsFiles), ...(shell?.reads ?? [])];
  const writes = [...valuesOf(writesFiles), ...(shell?.writes ?? [])];
  const found =
    pathProblem(reads, [...runner.read, ...runner.write], 'read') || pathProblem(writes, runner.write, 'changed');
  const { name, hasNeverStarted } = runner;
  if (hasNeverStarted && found.endsWith(OUTSIDE))
    return block(`${name} has never started: npx passepartout runner start ${name}`);
  if (found !== '') return block(found);
  return writes.some(isRunFile) ? { verdict: 'ask', reason: CHANGES_RUN_FILE } : PASS;
};

/** A paired runner in plain words, for lists and for `/status`. Pure. */

import { MINUTE_MS } from '../../core/base/limits.ts';
import { utcMinute } from '../../core/base/utc-minute.ts';
import { type MachineState, machineWords } from '../../core/language/machine-texts.ts';
import { fingerprintOf } from './pairing-code.ts';
import type { Runner } from './runners.ts';

/** A runner at work says so more often than twice in this time. */
const RUNNER_SEEN_MS = 5 * MINUTE_MS;

const isAway = ({ seenAt, isStopped }: Runner, now: number): boolean =>
  isStopped === true || seenAt === undefined || now - seenAt > RUNNER_SEEN_MS;

/** Whether it takes orders now. */
export const isReady = (runner: Runner, now: number): boolean =>
  !runner.isPaused && runner.isCopied !== true && !isAway(runner, now);

const presenceOf = (runner: Runner, now: number): MachineState['presence'] => {
  if (runner.isCopied === true) return 'copied';
  if (runner.isPaused) return 'paused';
  if (isReady(runner, now)) return 'ready';
  return runner.isStopped === true ? 'stopped' : 'away';
};

export const stateOf = (runner: Runner, now: number): MachineState => ({
  presence: presenceOf(runner, now),
  seenMs: runner.seenAt && now - runner.seenAt,
});

/** The name for a card; of a machine that is away, since when. */
export const nameOnCard = (runner: Runner, now: number): string =>
  isAway(runner, now)
    ? `${runner.name} (${machineWords(stateOf(runner, now))}: it would wait for an hour at most)`
    : runner.name;

export const describeRunnerShortly = (runner: Runner, now: number): string =>
  `${runner.name}: ${machineWords(stateOf(runner, now))}`;

/** Of a machine that is asked to lay out a skill's files and cannot. */
export const sayOldProgram = (name: string): string =>
  `the program of the machine ${name} is from before files of skills: its owner updates it there and starts it again`;

const listOf = (values: readonly string[]): string => (values.length === 0 ? 'none' : values.join(', '));

/** The runner with what its allow-file lets the agent do. */
export const describeRunner = (runner: Runner, now: number): readonly string[] => {
  const { read, write, programs, hasNetwork, hash } = runner.allow;
  return [
    describeRunnerShortly(runner, now),
    `  reads: ${listOf([...read, ...write])}`,
    `  writes: ${listOf(write)}`,
    `  programs beside those that only read: ${listOf(programs)}; network: ${hasNetwork ? 'yes' : 'none'}`,
    `  key ${fingerprintOf(runner.publicKey)}, allow-file ${hash.slice(0, 12)}`,
    `  paired ${utcMinute(runner.pairedAt)} by ${runner.pairedBy}`,
  ];
};

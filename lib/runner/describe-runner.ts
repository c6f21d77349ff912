/** A paired runner in plain words, for lists and for `/status`. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/limits.ts';
import { fingerprintOf } from './pairing-code.ts';
import type { Runner } from './runners.ts';

/** A runner opens its queue again within this time as long as it runs. */
const RUNNER_SEEN_MS = 20 * MINUTE_MS;

const ago = (ms: number): string => {
  if (ms < MINUTE_MS) return 'just now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)} h ago` : `${Math.floor(ms / DAY_MS)} days ago`;
};

const stateOf = ({ isPaused, seenAt }: Runner, now: number): string => {
  const seen = seenAt === undefined ? 'never started' : `last seen ${ago(now - seenAt)}`;
  const isAway = seenAt === undefined || now - seenAt > RUNNER_SEEN_MS;
  return `${isPaused ? 'paused' : isAway ? 'away' : 'ready'}, ${seen}`;
};

/** One line: the name, and whether it takes jobs. */
export const describeRunnerShortly = (runner: Runner, now: number): string => `${runner.name}: ${stateOf(runner, now)}`;

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
    `  paired ${new Date(runner.pairedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC by ${runner.pairedBy}`,
  ];
};

/** Names what a table was played with: the parts of `RESULTS.md` are played at different times. */
import { execFileSync } from 'node:child_process';
import { VERSION } from '../../lib/core/base/version.ts';

/** @param started epoch milliseconds */
export const playedBy = (started: number, now = Date.now()): string => {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const day = new Date(started).toISOString().slice(0, 10);
  return `Version ${VERSION} (after ${commit}), ${day}, Node ${process.version}, ${((now - started) / 60_000).toFixed(1)} minutes.`;
};

/**
 * What canonical hashing costs against npm `canonicalize` and SHA-256 in the same run. The two take
 * turns in short rounds and the median of the rounds' ratios counts, so that what else the machine
 * does slows both. Ours refuses everything it refuses in service.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { hashOf } from '../../lib/core/base/canonical.ts';
import { factsFor, webhookCall } from '../core/gates/samples.ts';
import { quantile } from './drive.ts';

const ROUNDS = 40;
const ROUND_RUNS = 1_000;
const OBJECT_BYTES = 1024;

/** An action with facts about it, as the table holds them, of about 1 KB. */
export const buildSample = (): object => {
  const action = webhookCall({
    args: { title: 'Report 7', body: { rows: ['backed up', 'wurde übersprungen'], count: 7 } },
  });
  const sample = { action, facts: factsFor(action), note: '' };
  return { ...sample, note: 'x'.repeat(Math.max(0, OBJECT_BYTES - JSON.stringify(sample).length)) };
};

/** Processor time: what else a shared machine does is not counted. */
const timeUs = (run: () => unknown): number => {
  const before = process.cpuUsage();
  for (let n = 0; n < ROUND_RUNS; n += 1) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ROUND_RUNS;
};

export interface HashMeasure {
  readonly bytes: number;
  readonly ownUs: number;
  readonly libraryUs: number;
  /** Rate of ours by the rate of the library. */
  readonly ratio: number;
}

export const measureHash = (): HashMeasure => {
  const sample = buildSample();
  const own = () => hashOf('action', sample);
  const library = () =>
    createHash('sha256')
      .update(canonicalize(sample) ?? '')
      .digest('hex');
  const rounds = Array.from({ length: ROUNDS }, () => ({ ownUs: timeUs(own), libraryUs: timeUs(library) })).slice(
    ROUNDS / 4,
  );
  const median = (values: readonly number[]): number =>
    quantile(
      [...values].sort((a, b) => a - b),
      0.5,
    );
  return {
    bytes: JSON.stringify(sample).length,
    ownUs: median(rounds.map(({ ownUs }) => ownUs)),
    libraryUs: median(rounds.map(({ libraryUs }) => libraryUs)),
    ratio: median(rounds.map(({ ownUs, libraryUs }) => libraryUs / ownUs)),
  };
};

if (import.meta.main) console.log(JSON.stringify(measureHash()));

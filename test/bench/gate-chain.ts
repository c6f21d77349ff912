/**
 * What the gates cost per action: time of one run of the whole chain over a 1 KB action (hashing,
 * copying and every gate), and bytes allocated. Half of the actions are text replies, half webhook
 * calls, all different, as in service. Run alone: `node test/bench/gate-chain.ts`.
 */
import { createHash } from 'node:crypto';
import { buildLeaveOut } from '../../lib/core/actuators/leave-out.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { verify } from '../../lib/core/gates/engine/verify.ts';
import { findConfiguredSecrets } from '../../lib/core/gates/rules/find-secrets.ts';
import { type Action, actionHash } from '../../lib/core/signal/action.ts';
import { buildSecretPrints, SECRET_PRINTS } from '../../lib/core/text/secret-prints.ts';
import { factsFor, reply, webhookCall } from '../core/gates/samples.ts';

export interface GateChainMeasure {
  readonly p50Us: number;
  readonly p99Us: number;
  readonly bytesPerAction: number;
}

const ACTION_BYTES = 1024;
const WARM_UP_RUNS = 3_000;
const RUNS = 10_000;
const BATCH_RUNS = 100;
const BATCHES = 40;

/**
 * The largest text anybody sends: more than an action may have, so that the size gate ends the run
 * after the costly ones.
 */
const LARGE_BYTES = 64 * 1024;
const LARGE_RUNS = 120;

const PROSE =
  'The nightly backup of the photo archive finished at 04:12 and took eleven minutes. Two files were skipped since they were open: see https://wiki.example.com/backup?run=8841 for the list. ';

/** A different action for each n: nothing may be remembered from one run to the next. */
const actionOf = (n: number): Action => {
  const isReply = n % 2 === 0;
  const build = (prose: string): Action =>
    isReply
      ? reply({ text: `${n} ${prose}` })
      : webhookCall({ args: { title: `Report ${n}`, body: { rows: prose.split('. '), count: n } } });
  const missing = ACTION_BYTES - JSON.stringify(build('')).length;
  return build(PROSE.repeat(8).slice(0, Math.max(0, missing - 20)));
};

const quantile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;

/** Secrets a function may hold at once. */
const HELD = new Map(
  Array.from({ length: 5 }, (_, n): [string, string] => [
    `key-${n}`,
    createHash('sha256').update(`held ${n}`).digest('base64url'),
  ]),
);
const printed = (count: number): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: count }, (_, n) => [
      `other-${n}`,
      createHash('sha256').update(`other ${n}`).digest('base64url'),
    ]),
  );
const SEARCH_RUNS = 100;

/**
 * How long looking for configured secrets in a text of so many characters takes: the median,
 * milliseconds.
 */
export const measureSecretSearchMs = (chars: number): number => {
  const timesMs: number[] = [];
  for (let n = 0; n < 2 * SEARCH_RUNS; n += 1) {
    const action = reply({ text: `${n} ${PROSE.repeat(Math.ceil(chars / PROSE.length))}`.slice(0, chars) });
    const startedAt = performance.now();
    if (findConfiguredSecrets(action, HELD).length > 0) throw new Error('the measured text holds a secret');
    if (n >= SEARCH_RUNS) timesMs.push(performance.now() - startedAt);
  }
  return quantile(
    timesMs.sort((a, b) => a - b),
    0.5,
  );
};

/** As a function holds them: its own, and the prints of all others. */
const HELD_WITH_PRINTS = new Map([...HELD, [SECRET_PRINTS, buildSecretPrints(printed(15), 'salt of the benchmark')]]);
const OUTPUT_RUNS = 30;

/**
 * Processor time that reading an output of so many characters for secrets takes: the median,
 * milliseconds.
 */
export const measureOutputSearchMs = (chars: number): number => {
  const leaveOut = buildLeaveOut(HELD_WITH_PRINTS);
  const timesMs: number[] = [];
  for (let n = 0; n < 2 * OUTPUT_RUNS; n += 1) {
    const text = `${n} ${PROSE.repeat(Math.ceil(chars / PROSE.length))}`.slice(0, chars);
    const before = process.cpuUsage();
    if (leaveOut(text) !== text) throw new Error('the measured output holds a secret');
    const { user, system } = process.cpuUsage(before);
    if (n >= OUTPUT_RUNS) timesMs.push((user + system) / 1_000);
  }
  return quantile(
    timesMs.sort((a, b) => a - b),
    0.5,
  );
};

/**
 * Runs the chain and gives the median and 99th percentile in microseconds, and the median of bytes
 * allocated.
 */
export const measureGateChain = async (): Promise<GateChainMeasure> => {
  const inputs = Array.from({ length: 500 }, (_, n) => {
    const action = actionOf(n);
    return { action, facts: factsFor(action, { actionHash: actionHash(action) }) };
  });
  const runOne = (n: number): void => {
    const input = inputs[n % inputs.length];
    if (input === undefined) return;
    const { outcome, reason } = verify(GATE_SET, input.action, input.facts);
    if (outcome !== 'pass') throw new Error(`the measured action does not pass: ${reason}`);
  };
  for (let n = 0; n < WARM_UP_RUNS; n += 1) runOne(n);
  const timesUs: number[] = [];
  for (let n = 0; n < RUNS; n += 1) {
    const startedAt = performance.now();
    runOne(n);
    timesUs.push((performance.now() - startedAt) * 1000);
  }
  const allocated: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < BATCH_RUNS; n += 1) runOne(n);
    const grown = process.memoryUsage().heapUsed - before;
    // A collection inside the batch makes the heap smaller: such a batch says nothing.
    if (grown > 0) allocated.push(grown / BATCH_RUNS);
  }
  const sortedTimes = timesUs.sort((a, b) => a - b);
  const sortedBytes = allocated.sort((a, b) => a - b);
  return {
    p50Us: Math.round(quantile(sortedTimes, 0.5) * 10) / 10,
    p99Us: Math.round(quantile(sortedTimes, 0.99) * 10) / 10,
    bytesPerAction: Math.round(quantile(sortedBytes, 0.5)),
  };
};

/** Median of one run over a text of 64 KB, in milliseconds; the outcome is a block for its size. */
export const measureLargeMs = (): number => {
  const times: number[] = [];
  for (let n = 0; n < LARGE_RUNS; n += 1) {
    const action = reply({ text: `${n} ${PROSE.repeat(Math.ceil(LARGE_BYTES / PROSE.length)).slice(0, LARGE_BYTES)}` });
    const facts = factsFor(action);
    const startedAt = performance.now();
    verify(GATE_SET, action, facts);
    times.push(performance.now() - startedAt);
  }
  return quantile(
    times.sort((a, b) => a - b),
    0.5,
  );
};

if (import.meta.main) console.log(JSON.stringify({ ...(await measureGateChain()), largeMs: measureLargeMs() }));

/**
 * What the gates cost per action: the whole chain over actions of 1 KB and 64 KB, and that no gate
 * backtracks.
 */
import { measureGateChain, measureLargeMs, measureOutputSearchMs, measureSecretSearchMs } from './gate-chain.ts';
import { measureDoubling } from './gate-doubling.ts';
import type { Measure } from './measure.ts';

const P50_US_MAX = 100;
const LARGE_MS_MAX = 2;
/** Twice the text, at most twice the time, and what a shared machine adds. */
const DOUBLING_MAX = 2.3;

/** A reply, and a webhook's body. */
const SEARCHED = [
  { chars: 4_096, msMax: 0.5 },
  { chars: 65_536, msMax: 5 },
] as const;

/** More than a machine may send. */
const OUTPUT_CHARS = 200_000;
const OUTPUT_MS_MAX = 10;

export const measureGates: Measure = async (context) => {
  context.progress('gates');
  const group = 'gate chain, one action of 1 KB';
  const { p50Us, p99Us, bytesPerAction } = await measureGateChain();
  const largeMs = measureLargeMs();
  const doubling = 'gates, 2 MB of hostile text by 1 MB';
  const ratios = measureDoubling(context.progress);
  return [
    { group, name: 'p50', value: p50Us, unit: 'µs', goal: { is: '≤', value: P50_US_MAX } },
    { group, name: 'p99', value: p99Us, unit: 'µs' },
    { group, name: 'allocated', value: bytesPerAction / 1024, unit: 'KB' },
    {
      group: 'gate chain, one text of 64 KB',
      name: 'p50',
      value: largeMs,
      unit: 'ms',
      goal: { is: '≤', value: LARGE_MS_MAX },
    },
    ...SEARCHED.map(({ chars, msMax }) => ({
      group: 'configured secrets, five held',
      name: `text of ${chars} characters`,
      value: measureSecretSearchMs(chars),
      unit: 'ms',
      goal: { is: '≤', value: msMax } as const,
    })),
    {
      group: 'secrets in an output, five held and fifteen known by prints',
      name: `processor time of a text of ${OUTPUT_CHARS} characters`,
      value: measureOutputSearchMs(OUTPUT_CHARS),
      unit: 'ms',
      goal: { is: '≤', value: OUTPUT_MS_MAX },
    },
    ...ratios.map(({ gate, ratio, fragment, msPerMb }) => ({
      group: doubling,
      name: msPerMb === 0 ? `${gate} (reads none of it)` : `${gate} ${JSON.stringify(fragment)}`,
      value: ratio,
      unit: '×',
      goal: { is: '≤', value: DOUBLING_MAX } as const,
    })),
  ];
};

/** What the gates cost per action: the whole chain over actions of 1 KB. */
import { measureGateChain } from './gate-chain.ts';
import type { Measure } from './measure.ts';

const P50_US_MAX = 100;

export const measureGates: Measure = async (context) => {
  context.progress('gates');
  const group = 'gate chain, one action of 1 KB';
  const { p50Us, p99Us, bytesPerAction } = await measureGateChain();
  return [
    { group, name: 'p50', value: p50Us, unit: 'µs', goal: { is: '≤', value: P50_US_MAX } },
    { group, name: 'p99', value: p99Us, unit: 'µs' },
    { group, name: 'allocated', value: bytesPerAction / 1024, unit: 'KB' },
  ];
};

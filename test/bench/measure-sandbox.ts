/**
 * What the sandbox costs: its start in a process, a call of a small gate, and a call that takes all
 * the steps there are.
 */
import { loadSandbox, SANDBOX_STEPS_MAX } from '../../lib/core/sandbox/sandbox.ts';
import type { Measure } from './measure.ts';

const CALLS = 300;
const CALL_MS_MAX = 2;
const ENDLESS_CALLS = 5;

const GATE = `function gate(action, facts) {
  return action.args.amount > 100 ? { verdict: 'ask', reason: 'more than 100' } : { verdict: 'pass' };
}`;
const ENDLESS = 'function gate() { for (;;); }';

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export const measureSandbox: Measure = async ({ progress }) => {
  progress('sandbox');
  const startedAt = performance.now();
  const sandbox = await loadSandbox();
  const startMs = performance.now() - startedAt;
  const timeMs = (code: string): number => {
    const from = performance.now();
    sandbox.run({ code, call: 'gate', input: [{ args: { amount: 200 } }, {}] });
    return performance.now() - from;
  };
  const group = 'sandbox';
  const smallMs = median(Array.from({ length: CALLS }, () => timeMs(GATE)));
  const endlessMs = median(Array.from({ length: ENDLESS_CALLS }, () => timeMs(ENDLESS)));
  return [
    { group, name: 'start in a process', value: startMs, unit: 'ms' },
    { group, name: 'call of a small gate, p50', value: smallMs, unit: 'ms', goal: { is: '≤', value: CALL_MS_MAX } },
    { group, name: `call that takes all ${SANDBOX_STEPS_MAX} steps`, value: endlessMs, unit: 'ms' },
  ];
};

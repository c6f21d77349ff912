/**
 * What must happen at least once in a long run, so that a run without a broken promise means
 * something: every kind of fault, every end of a signal and an effect, every way of recovery.
 * Probes are patches that report when a line of the product is reached.
 */
import type { Patch } from './bundle.ts';
import { QUEUE_FAULTS, TABLE_FAULTS } from './world/aws.ts';

interface Probe {
  readonly what: string;
  readonly patch: Patch;
}

const probe = (what: string, file: string, find: string, put: (reached: string) => string): Probe => ({
  what,
  patch: { file, find, put: put(`globalThis.reached?.(${JSON.stringify(what)})`) },
});

const WAYS: readonly Probe[] = [
  probe(
    'a write recognises itself after a lost answer',
    'lib/store/table.ts',
    'if (own !== undefined) return own;',
    (reached) => `if (own !== undefined) { ${reached}; return own; }`,
  ),
];

export const PROBES: readonly Patch[] = WAYS.map(({ patch }) => patch);

const EXPECTED: readonly string[] = [
  ...Object.keys({ ...TABLE_FAULTS, ...QUEUE_FAULTS }).map((kind) => `fault: ${kind}`),
  ...WAYS.map(({ what }) => what),
];

/** @param marks how often each thing happened */
export const unreached = (marks: ReadonlyMap<string, number>): readonly string[] =>
  EXPECTED.filter((what) => !marks.has(what));

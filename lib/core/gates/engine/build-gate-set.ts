/**
 * Builds a gate set: gates in the order they run, and the version that decisions name. A fault in
 * the list is found here, once. It makes every run of the set a block (I3). Never throws.
 */
import { hashOf } from '../../base/canonical.ts';
import type { Gate } from '../../signal/gate.ts';

/** Raise this with each change of how gates run and their verdicts are joined (`verify.ts`). */
export const ENGINE_VERSION = 4;

/** Nothing passes without these: a gate lost from the list must be missed here. */
export const REQUIRED_GATES: readonly string[] = [
  'kill-switch',
  'flood',
  'permissions',
  'access',
  'explanation',
  'budget',
  'secret-formats',
  'configured-secrets',
  'network',
  'privacy',
  'provenance',
  'protocol-schema',
  'repeat',
  'standing-invariants',
  'tool-arguments',
  'secret-paths',
  'high-impact',
  'code-validity',
  'shell-safety',
  'hidden-characters',
  'command-class',
  'confinement',
];

/** The engine writes trace entries under this name. No gate may carry it. */
export const ENGINE_NAME = 'gate-set';

export interface GateSet {
  /** Highest priority first, ties by name. */
  readonly gates: readonly Gate[];
  /** Hash of the engine's version and of each gate's name, priority, version and code. */
  readonly version: string;
  /** The fault in the list; empty if there is none. A set with a fault blocks everything. */
  readonly problem: string;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const SHA256 = /^[0-9a-f]{64}$/;

/** A gate as the set's version names it. */
export type GateEntry =
  | readonly [name: string, priority: number, version: number]
  | readonly [name: string, priority: number, version: number, code: string];

export const gateEntry = ({ name, priority, version, code }: Gate): GateEntry =>
  code === undefined ? [name, priority, version] : [name, priority, version, code];

const isSound = (gate: Gate | null | undefined): boolean =>
  typeof gate === 'object' &&
  gate !== null &&
  typeof gate.name === 'string' &&
  NAME.test(gate.name) &&
  Number.isFinite(gate.priority) &&
  Number.isInteger(gate.version) &&
  (gate.code === undefined || SHA256.test(gate.code)) &&
  typeof gate.check === 'function';

const problemOf = (gates: readonly Gate[], required: readonly string[]): string => {
  if (gates.length === 0) return 'there are no gates';
  if (!gates.every(isSound)) return 'a gate lacks its name, priority, version or check';
  const names = gates.map((gate) => gate.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `two gates are named ${twice}`;
  if (names.includes(ENGINE_NAME)) return `no gate may be named ${ENGINE_NAME}`;
  const missing = required.filter((name) => !names.includes(name));
  return missing.length === 0 ? '' : `required gates are missing: ${missing.join(', ')}`;
};

const byOrder = (a: Gate, b: Gate): number => b.priority - a.priority || (a.name < b.name ? -1 : 1);

/** Sorts, checks, versions and copies gates. @param required fewer for an earlier set's replay */
export const buildGateSet = (gates: readonly Gate[], required = REQUIRED_GATES): GateSet => {
  const problem = problemOf(gates, required);
  const sorted = gates
    .filter(isSound)
    .map(({ name, priority, version, code, check }) =>
      Object.freeze({ name, priority, version, ...(code === undefined ? {} : { code }), check }),
    )
    .sort(byOrder);
  const version = hashOf('gate-set', {
    engine: ENGINE_VERSION,
    gates: sorted.map(gateEntry),
    problem,
  });
  return Object.freeze({ gates: Object.freeze(sorted), version, problem });
};

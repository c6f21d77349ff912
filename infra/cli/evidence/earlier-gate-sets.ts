/**
 * Gate sets that were in force before the log's writer stored them. Exports explain decisions under
 * them by this list.
 */
import type { GateSetContent } from '../../../lib/log/gate-set-content.ts';

// biome-ignore format: one gate set a line
export const EARLIER_GATE_SETS: readonly GateSetContent[] = [
  { engine: 3, gates: [['kill-switch', 1000, 1], ['flood', 990, 1], ['permissions', 600, 2], ['explanation', 500, 2], ['standing-invariants', 500, 8], ['budget', 400, 1], ['code-validity', 150, 2], ['configured-secrets', 150, 1], ['high-impact', 150, 3], ['network', 150, 5], ['privacy', 150, 4], ['secret-formats', 150, 4], ['secret-paths', 150, 2], ['provenance', 120, 3], ['protocol-schema', 95, 4], ['shell-safety', 50, 1], ['tool-arguments', 20, 1], ['repeat', 10, 2]], problem: '' },
];

/**
 * The content that a gate set's version is the hash of, as it is stored and exported: it explains a
 * version later. The code of a skill's gate stands in it by its hash.
 */
import * as z from 'zod/mini';
import { ENGINE_VERSION, type GateEntry, type GateSet, gateEntry } from './build-gate-set.ts';

const Entry = z.union([
  z.tuple([z.string(), z.number(), z.int()]),
  z.tuple([z.string(), z.number(), z.int(), z.string()]),
]);

/** The version of a gate set is the hash of this content (`build-gate-set.ts`). */
export interface GateSetContent {
  readonly engine: number;
  readonly gates: readonly GateEntry[];
  readonly problem: string;
}

export const GateSetContent: z.ZodMiniType<GateSetContent> = z.strictObject({
  engine: z.int(),
  gates: z.array(Entry),
  problem: z.string(),
});

export const gateSetContent = ({ gates, problem }: GateSet): GateSetContent => ({
  engine: ENGINE_VERSION,
  gates: gates.map(gateEntry),
  problem,
});

/**
 * Bugs that the simulator must find. Each is a patch of a real file that the loader applies; none
 * is in the product. They are the mistakes that systems of this kind make.
 */
import type { Patch } from './bundle.ts';

export interface PlantedBug {
  readonly name: string;
  readonly patches: readonly Patch[];
}

export const PLANTED: readonly PlantedBug[] = [];

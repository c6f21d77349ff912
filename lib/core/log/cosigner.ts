/** The type of those that sign a checkpoint of the log beside its own key. */
import type { Table } from '../store/table.ts';

export interface CosignDeps {
  readonly table: Pick<Table, 'load' | 'query' | 'put'>;
  readonly space: string;
  readonly now: () => number;
  /** Reports a refusal. */
  readonly report: (problem: string) => void;
}

/** Lives as long as the process. */
export interface Cosigner {
  /** Asks for signatures of the checkpoint of so many leaves, and stores it with them. */
  readonly cosign: (size: number) => Promise<void>;
  /** Whether one that did not answer is to be asked again. */
  readonly isDue: () => boolean;
}

/** @returns undefined if nobody cosigns */
export type LoadCosigner = (deps: CosignDeps) => Promise<Cosigner | undefined>;

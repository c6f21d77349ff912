/** The types of gates that features add. */
import type { OwnerSettings } from '../ledger/owner-settings.ts';
import type { Gate } from '../signal/gate.ts';
import type { Table } from '../store/table.ts';
import type { TurnRecords } from '../store/turn-records.ts';

/** Gates that a feature adds, without their code. */
export interface FoundGates {
  /** Names them all, with the hashes of their code. */
  readonly key: string;
  /** A gate whose code cannot be read blocks, and has version 0. */
  readonly load: (table: Pick<Table, 'load'>, space: string) => Promise<readonly Gate[]>;
}

/**
 * Finds the gates of a feature by its standing record. @param settings undefined if they cannot be
 * read: then every gate counts @returns undefined for none
 */
export type FindGates = (records: TurnRecords, settings: OwnerSettings | undefined) => Promise<FoundGates | undefined>;

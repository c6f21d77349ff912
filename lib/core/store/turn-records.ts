/**
 * Records of features that a stage reads together with a turn: for facts, forms and prompts. A
 * feature adds its own to this interface, and a row to the list in `features/records.ts`.
 */
import type { Key } from './keys.ts';
import type { Item } from './table.ts';

/** A record is absent where its feature is, and in turns that need none. */
export interface TurnRecords extends Readonly<Partial<Record<string, object>>> {}

export interface RecordRow {
  readonly key: (space: string) => Key;
  /** One that this release cannot read counts as one that does not exist: it ends no turn. */
  readonly read: (item: Item | undefined) => TurnRecords;
  /** Every turn is judged by it, also one without a call of a tool. */
  readonly isStanding?: true;
}

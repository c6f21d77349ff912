/** The types of a feature's parts in the answers of other verbs. */
import type { JsonObject } from '../base/json.ts';
import type { Finding } from '../language/finding.ts';
import type { ChangedRecord } from '../signal/changing-tools.ts';
import type { Item, Table } from '../store/table.ts';
import type { CodeContext } from './code-context.ts';
import type { LookContext } from './operation.ts';

/** A line of `/why` about a row beside a signal, by the beginning of the row's sort key. */
export interface RowLine {
  readonly prefix: string;
  /** @returns undefined for a row that says nothing @throws StoredItemError */
  readonly describe: (item: Item) => string | undefined;
}

/** A record as it stands, and the arguments of the call that takes its change back. */
export interface ChangedNow {
  readonly state: string;
  readonly args: JsonObject;
  /** Another verb than the row's. */
  readonly by?: string;
}

/** One call that was done. */
export interface DoneCall {
  readonly signalId: string;
  readonly args: JsonObject;
  readonly at: number;
}

/** @returns undefined if something has overtaken the change */
export type LookAtChange = (context: CodeContext, call: DoneCall) => Promise<ChangedNow | undefined>;

export interface FindingDeps {
  readonly table: Pick<Table, 'load' | 'query' | 'queryIndex'>;
  readonly space: string;
  readonly now: number;
}

export interface FeatureViews {
  /** Lines of `/status`. */
  readonly statusLines?: (context: LookContext) => Promise<readonly string[]>;
  /** Faults for `/status`, `/health` and `/doctor`. */
  readonly findProblems?: (deps: FindingDeps) => Promise<readonly Finding[]>;
  /** For `/undo`, by the kind of record that a tool of the feature changes. */
  readonly changes?: { readonly [K in ChangedRecord]?: LookAtChange };
}

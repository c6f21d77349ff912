/** The types of a feature's parts in the answers of other verbs. */
import type { JsonObject } from '../base/json.ts';
import type { Language } from '../base/language.ts';
import type { Finding } from '../language/finding.ts';
import type { SignalRecord } from '../ledger/record.ts';
import type { ChangedRecord } from '../signal/changing-tools.ts';
import type { Decision, Effect } from '../signal/decision.ts';
import type { Key } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import type { CodeContext } from './code-context.ts';
import type { LookAnswer, LookContext } from './operation.ts';

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

/** Names that a setting lists and that stand for nothing here, and why. */
export type FindMissing = (
  table: Pick<Table, 'load'>,
  space: string,
  names: readonly string[],
) => Promise<readonly { readonly name: string; readonly why: string }[]>;

/** A record of faults, which is read together with all others. */
export interface NotedFaults {
  readonly key: (space: string) => Key;
  readonly find: (item: Item | undefined, now: number) => readonly Finding[];
}

/** A signal that `/why` tells. */
export interface ToldSignal {
  readonly record: SignalRecord;
  readonly decision: Decision | undefined;
  readonly effects: readonly Effect[];
}

export interface FeatureViews {
  /** Lines of `/status`, and members of its data. */
  readonly status?: (
    context: LookContext,
  ) => Promise<{ readonly lines: readonly string[]; readonly data?: JsonObject }>;
  /** Work whose time was before `upTo`, and that no tick has begun. */
  readonly findBehind?: (deps: FindingDeps, upTo: number) => Promise<readonly Finding[]>;
  /** Faults for `/status`, `/health` and `/doctor`; `noted` are those of one record. */
  readonly noted?: NotedFaults;
  readonly findProblems?: (deps: FindingDeps) => Promise<readonly Finding[]>;
  /** By the setting. */
  readonly missing?: Readonly<Record<string, FindMissing>>;
  /** The name of a call that waits for a yes, without its words; undefined for the usual one. */
  readonly nameCall?: (tool: string, args: JsonObject, language: Language) => Promise<string | undefined>;
  /** Lines below `/why` in a chat, or one question with choices; of one feature at most. */
  readonly offer?: (told: ToldSignal, context: LookContext) => Promise<Pick<LookAnswer<unknown>, 'lines' | 'choices'>>;
  /** For `/undo`, by the kind of record that a tool of the feature changes. */
  readonly changes?: { readonly [K in ChangedRecord]?: LookAtChange };
}

/** The names of a setting that no feature knows. */
export const findMissing = async (
  views: readonly FeatureViews[],
  setting: string,
  ...given: Parameters<FindMissing>
): Promise<Awaited<ReturnType<FindMissing>>> =>
  (await Promise.all(views.map(async ({ missing }) => (await missing?.[setting]?.(...given)) ?? []))).flat();

/** The work of a feature beside the stack of this machine, from its start to its end. */
import type { StackAccess } from '../cli/client.ts';
import type { TablePlace } from './database.ts';
import type { LocalSettings } from './settings.ts';
import type { Storage } from './table-server/storage.ts';

export interface RunningStack {
  readonly access: StackAccess;
  /** Tells the person at the terminal. */
  readonly say: (line: string) => void;
}

/** @returns what ends it; undefined if the settings ask for nothing */
export type Beside = (settings: LocalSettings, running: RunningStack) => Promise<(() => void) | undefined>;

/** A route that only a local stack has, for approvers. */
export interface LocalRoute {
  readonly prefix: string;
  readonly answer: (method: string, place: TablePlace) => object | Promise<object>;
}

/** Works on the open table of the folder. */
export type BesideTable = (
  storage: Storage,
  folder: string,
) => { readonly routes: readonly LocalRoute[]; readonly end: () => void };

/** The work of a feature beside the stack of this machine, from its start to its end. */
import type { StackAccess } from '../cli/client.ts';
import type { LocalSettings } from './settings.ts';

export interface RunningStack {
  readonly access: StackAccess;
  /** Tells the person at the terminal. */
  readonly say: (line: string) => void;
}

/** @returns what ends it; undefined if the settings ask for nothing */
export type Beside = (settings: LocalSettings, running: RunningStack) => Promise<(() => void) | undefined>;

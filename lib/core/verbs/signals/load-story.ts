/** Reads the story of one signal: all that is stored about it, and about what it caused. */
import { DEPTH_MAX } from '../../base/limits.ts';
import type { Table } from '../../store/table.ts';
import { loadLazy } from './findings.ts';
import { buildSignalView, buildTurnView, turnChildrenOf } from './signal-view.ts';
import { loadStoredSignal, type StoredSignal } from './stored-signal.ts';
import type { SignalView, TurnView } from './view.ts';

/** Signals read of one turn: far more than depth and actions make in practice. */
const TURN_SIGNALS_MAX = 64;

/** The other signals of a turn, nearest first, bounded. One not stored yet is left out. */
export const loadDescendants = async (
  load: (id: string) => Promise<StoredSignal | undefined>,
  stored: StoredSignal,
): Promise<readonly StoredSignal[]> => {
  const found: StoredSignal[] = [];
  let level: readonly StoredSignal[] = [stored];
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth += 1) {
    const ids = level.flatMap(turnChildrenOf).slice(0, TURN_SIGNALS_MAX - found.length);
    const children = await Promise.all(ids.map(load));
    level = children.filter((child) => child !== undefined);
    found.push(...level);
  }
  return found;
};

/** @returns undefined if there is no such signal */
export const loadTurn = async (
  table: Pick<Table, 'query'>,
  space: string,
  id: string,
): Promise<{ readonly stored: StoredSignal; readonly turn: TurnView } | undefined> => {
  const load = (one: string) => loadStoredSignal(table, space, one);
  const stored = await load(id);
  return stored && { stored, turn: buildTurnView(stored, await loadDescendants(load, stored)) };
};

/** The same with the whole view. The catalogue of tools, which names actions, is loaded for it. */
export const buildStory = async (
  { stored, turn }: { readonly stored: StoredSignal; readonly turn: TurnView },
  now: number,
): Promise<SignalView> => {
  const { actionSentence } = await loadLazy();
  return buildSignalView(stored, turn, actionSentence, now);
};

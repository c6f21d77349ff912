/**
 * Values that this browser keeps for the page. An entry that is not whole, as a crash or a person
 * may leave one, is taken away, and one sentence tells the loss.
 */
import { signal } from '@preact/signals';
import type { PlainKey } from './texts.ts';

/** Sentences about damaged entries, until the page is loaded again. */
export const losses = signal<readonly PlainKey[]>([]);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface WantedEntry<T> {
  readonly name: string;
  readonly isWhole: (value: unknown) => value is T;
  /** The sentence for a damaged entry. */
  readonly loss: PlainKey;
}

/** @returns undefined if there is no entry, or a damaged one */
export const readStored = <T>(storage: Storage, { name, isWhole, loss }: WantedEntry<T>): T | undefined => {
  const text = storage.getItem(name);
  if (text === null) return undefined;
  const value = parse(text);
  if (isWhole(value)) return value;
  storage.removeItem(name);
  losses.value = [...losses.value, loss];
  return undefined;
};

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The type of a feature: a folder of `lib/features`, switched in by its rows in the lists alone.
 * Take away both, and the rest builds, starts and answers. Its part in Act is in `act-feature.ts`.
 */
import type { Language } from '../base/language.ts';
import type { Handler, Operation } from './operation.ts';

export interface Feature {
  /** That of its folder. */
  readonly name: string;
  /** The other features that it may import; they know nothing of it. */
  readonly needs?: readonly string[];
  /** One sentence for each noun that has several verbs. */
  readonly nouns?: Readonly<Record<string, string>>;
  readonly operations: readonly Operation[];
  /** Answers a question behind `/help`; no line if it cannot. Of one feature at most. */
  readonly findHelp?: (words: string, language: Language) => Promise<readonly string[]>;
  /** Loads the code behind the operations, once one of them is used. */
  readonly loadHandlers: () => Promise<readonly Handler[]>;
}

export const operationsIn = (features: readonly Feature[]): readonly Operation[] =>
  features.flatMap((feature) => feature.operations);

export const nounsIn = (operations: readonly Operation[]): readonly string[] => [
  ...new Set(operations.map(({ name }) => name.split(' ')[0] ?? '')),
];

/** One sentence about a noun: its own, or that of its last verb. */
export const summaryOf = (features: readonly Feature[], noun: string): string =>
  features.map(({ nouns = {} }) => nouns[noun]).find((words) => words !== undefined) ??
  operationsIn(features).findLast(({ name }) => name === noun)?.summary ??
  '';

/** The code behind an operation. @throws Error for an operation without one: a mistake of ours */
export const loadHandler = async (features: readonly Feature[], operation: Operation): Promise<Handler> => {
  const feature = features.find(({ operations }) => operations.includes(operation));
  const found = (await feature?.loadHandlers())?.find((handler) => handler.operation === operation);
  if (found === undefined) throw new Error(`the operation ${operation.name} has no handler`);
  return found;
};

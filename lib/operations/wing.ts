/** A wing is a feature in one folder, such as jobs; stages and console know none by name. */
import type { Handler, Operation } from './operation.ts';

export interface Wing {
  readonly name: string;
  /** One sentence for each noun that has several verbs. */
  readonly nouns?: Readonly<Record<string, string>>;
  readonly operations: readonly Operation[];
  /** Loads the code behind the operations, once one of them is used. */
  readonly loadHandlers: () => Promise<readonly Handler[]>;
}

export const operationsIn = (wings: readonly Wing[]): readonly Operation[] => wings.flatMap((wing) => wing.operations);

export const nounsIn = (operations: readonly Operation[]): readonly string[] => [
  ...new Set(operations.map(({ name }) => name.split(' ')[0] ?? '')),
];

/** One sentence about a noun: its own, or that of its last verb. */
export const summaryOf = (wings: readonly Wing[], noun: string): string =>
  wings.map(({ nouns = {} }) => nouns[noun]).find((words) => words !== undefined) ??
  operationsIn(wings).findLast(({ name }) => name === noun)?.summary ??
  '';

/** The code behind an operation. @throws Error for an operation without one: a mistake of ours */
export const loadHandler = async (wings: readonly Wing[], operation: Operation): Promise<Handler> => {
  const wing = wings.find(({ operations }) => operations.includes(operation));
  const found = (await wing?.loadHandlers())?.find((handler) => handler.operation === operation);
  if (found === undefined) throw new Error(`the operation ${operation.name} has no handler`);
  return found;
};

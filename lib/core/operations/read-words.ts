/** Finds the operation that words name, and reads its arguments from them. Pure. */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { describeIssues, JsonObject, parseJson, readJson } from '../base/json.ts';
import type { Operation } from './operation.ts';

/** The first word in lower case, and the rest. */
const splitWord = (text: string): readonly [string, string] => {
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  return [word.toLowerCase(), rest.trim()];
};

const nounOf = ({ name }: Operation): string => name.split(' ')[0] ?? '';
const verbOf = ({ name }: Operation): string => name.split(' ')[1] ?? '';

/** All operations of a noun; none if there is no such noun. */
export const operationsOf = (all: readonly Operation[], noun: string): readonly Operation[] =>
  all.filter((operation) => nounOf(operation) === noun);

const takesWords = ({ words = [], readWords }: Operation): boolean => words.length > 0 || readWords !== undefined;

/**
 * The operation that a noun and the words behind it name, with the words that are its arguments.
 * Of two with one name, words choose the one that takes words: `/focus` looks, `/focus <id>`
 * changes. @returns undefined if no operation has this noun and verb
 */
export const findOperation = (
  all: readonly Operation[],
  noun: string,
  rest: string,
): { readonly operation: Operation; readonly words: string } | undefined => {
  const [verb, behind] = splitWord(rest);
  const known = operationsOf(all, noun);
  const named = verb === '' ? [] : known.filter((operation) => verbOf(operation) === verb);
  const words = named.length > 0 ? behind : rest.trim();
  const found =
    named.length > 0
      ? named
      : known.filter((one) => (verbOf(one) === '' || one.isDefault === true) && (words === '' || takesWords(one)));
  const operation = found.find((one) => takesWords(one) === (words !== '')) ?? found[0];
  return operation === undefined ? undefined : { operation, words };
};

const fieldOf = (word: string): string => word.replace('…', '');

const isOptional = ({ args }: Operation, word: string): boolean => {
  const field = args.shape[fieldOf(word)];
  return field !== undefined && z.safeParse(field, undefined).success;
};

export const usageOf = (operation: Operation): string => {
  const { name, words = [], form } = operation;
  const shown = words.map((word) => (isOptional(operation, word) ? `[${word}]` : `<${word}>`));
  return [name, form ?? shown.join(' ')].filter((part) => part !== '').join(' ');
};

/** All verbs of a noun, as a chat shows them; a long form is left to the verb itself. */
export const usageLines = (all: readonly Operation[], noun: string): string =>
  operationsOf(all, noun)
    .map((operation) => `/${operation.form === undefined ? usageOf(operation) : `${operation.name} …`}`)
    .join('\n');

/** Words that do not fit the form of an operation. */
export class UsageError extends ProtocolError {
  override readonly name: string = 'UsageError';
}

/** The arguments that the words behind an operation's name stand for. @throws ProtocolError */
export const readWords = (operation: Operation, rest: string): unknown => {
  if (rest.startsWith('{')) {
    const given = readJson(rest);
    const isFreeText = operation.words?.some((word) => word.endsWith('…')) === true;
    // A note may begin with a brace.
    if (!isFreeText) return parseJson('the arguments', rest, JsonObject);
    if (z.safeParse(operation.args, given).success) return given;
  }
  if (operation.readWords !== undefined) {
    if (rest === '' && operation.form !== undefined) throw new UsageError(usageOf(operation));
    return operation.readWords(rest);
  }
  const given: Record<string, string> = {};
  let left = rest;
  for (const word of operation.words ?? []) {
    if (left === '' && !isOptional(operation, word)) throw new UsageError(usageOf(operation));
    if (left === '') break;
    const takesAll = word.endsWith('…');
    const [, first = '', behind = ''] = /^(\S+)\s*([\s\S]*)$/.exec(left) ?? [];
    given[fieldOf(word)] = takesAll ? left : first;
    left = takesAll ? '' : behind;
  }
  if (left !== '') throw new UsageError(usageOf(operation));
  return given;
};

/** Arguments as the operation declares them. @throws ProtocolError that names each fault */
export const readArgs = <A extends z.ZodMiniObject>({ args }: { readonly args: A }, given: unknown): z.output<A> => {
  const parsed = z.safeParse(args, given);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(describeIssues(parsed.error.issues));
};

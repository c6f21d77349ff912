/**
 * The words of an expression, read one after the other. Collects the placeholders an expression
 * uses, because DynamoDB refuses a request that gives a name or value no expression uses, or uses
 * one that is not given.
 */
import type { AttributeValue } from './attribute-value.ts';
import { invalid, notImplemented } from './table-error.ts';

export interface Bindings {
  /** `#placeholder` → attribute name. */
  readonly names: ReadonlyMap<string, string>;
  /** `:placeholder` → value. */
  readonly values: ReadonlyMap<string, AttributeValue>;
}

/** An attribute of the item, or one element of a list. */
export interface Path {
  readonly name: string;
  readonly position: number | undefined;
}

/** Checks that need only the request, made before any item is looked at. */
export type Check = (bindings: Bindings) => void;

export interface Tokens {
  readonly usedNames: Set<string>;
  readonly usedValues: Set<string>;
  readonly checks: Check[];
  readonly peek: (ahead?: number) => string | undefined;
  readonly next: () => string;
  /** Takes the next word if it is this one; keywords in any case. */
  readonly accept: (word: string) => boolean;
  readonly expect: (word: string) => void;
  readonly fail: () => never;
  /** Refuses words that are left over. */
  readonly end: () => void;
}

const TOKEN = /\s*(#\w+|:\w+|[A-Za-z_]\w*|\d+|<>|<=|>=|[=<>(),.[\]+-])/y;

export const readTokens = (kind: string, text: string): Tokens => {
  const words: string[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at;
    const word = TOKEN.exec(text)?.[1];
    if (word === undefined) throw invalid(`Invalid ${kind}: Syntax error; token: "${text.slice(at).trim()[0]}"`);
    words.push(word);
    at = TOKEN.lastIndex;
  }
  if (words.length === 0) throw invalid(`Invalid ${kind}: The expression can not be empty;`);
  let position = 0;
  const fail = (): never => {
    throw invalid(`Invalid ${kind}: Syntax error; token: "${words[position] ?? '<EOF>'}"`);
  };
  const tokens: Tokens = {
    usedNames: new Set(),
    usedValues: new Set(),
    checks: [],
    peek: (ahead = 0) => words[position + ahead],
    next: () => {
      const word = words[position] ?? fail();
      position += 1;
      return word;
    },
    accept: (word) => {
      if (words[position]?.toUpperCase() !== word) return false;
      position += 1;
      return true;
    },
    expect: (word) => {
      if (!tokens.accept(word)) fail();
    },
    fail,
    end: () => {
      if (words[position] !== undefined) fail();
    },
  };
  return tokens;
};

/** `name`, `#name`, `#name[0]`. */
export const readPath = (tokens: Tokens): ((bindings: Bindings) => Path) => {
  const word = tokens.next();
  if (!/^[#A-Za-z_]/.test(word)) tokens.fail();
  if (word.startsWith('#')) tokens.usedNames.add(word);
  let position: number | undefined;
  if (tokens.accept('[')) {
    position = Number(tokens.next());
    if (!Number.isSafeInteger(position)) tokens.fail();
    tokens.expect(']');
  }
  if (['.', '['].includes(tokens.peek() ?? '')) throw notImplemented('a path into maps or nested lists');
  return ({ names }) => ({ name: names.get(word) ?? word, position });
};

/** `:value`. */
export const readValue = (tokens: Tokens): ((bindings: Bindings) => AttributeValue) => {
  const word = tokens.next();
  if (!word.startsWith(':')) tokens.fail();
  tokens.usedValues.add(word);
  return ({ values }) => values.get(word) ?? missingValue(word);
};

const missingValue = (word: string): never => {
  throw invalid(
    `1 validation error detected: An expression attribute value used in expression is not defined; attribute value: ${word}`,
  );
};
const missingName = (word: string): never => {
  throw invalid(
    `1 validation error detected: An expression attribute name used in the document path is not defined; attribute name: ${word}`,
  );
};

/** @throws TableError when an expression and the placeholders given beside it do not fit */
export const checkPlaceholders = (expressions: readonly Tokens[], bindings: Bindings): void => {
  const names = new Set(expressions.flatMap(({ usedNames }) => [...usedNames]));
  const values = new Set(expressions.flatMap(({ usedValues }) => [...usedValues]));
  for (const name of names) if (!bindings.names.has(name)) missingName(name);
  for (const value of values) if (!bindings.values.has(value)) missingValue(value);
  const idle = (given: Iterable<string>, used: ReadonlySet<string>, field: string): void => {
    const unused = [...given].filter((word) => !used.has(word));
    if (unused.length > 0)
      throw invalid(`Value provided in ${field} unused in expressions: keys: {${unused.join(', ')}}`);
  };
  idle(bindings.names.keys(), names, 'ExpressionAttributeNames');
  idle(bindings.values.keys(), values, 'ExpressionAttributeValues');
  for (const { checks } of expressions) for (const check of checks) check(bindings);
};

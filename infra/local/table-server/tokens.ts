/**
 * The words of an expression. Collects its placeholders: DynamoDB refuses one that is not given,
 * and one that is given and not used.
 */
import { type AttributeValue, attributeOf, type Item } from './attribute-value.ts';
import { invalid, notImplemented } from './inputs.ts';

/** Undefined where an attribute is missing. */
export type Value = AttributeValue | undefined;
export type Operand<T = Value> = (item: Item, bindings: Bindings) => T;

interface FunctionRule<T> {
  readonly arity: 1 | 2;
  /** Whether the first argument has to be an attribute. */
  readonly takesPath: boolean;
  readonly give: (first: Value, second: Value) => T;
}
export type Rules<T = Value> = Readonly<Record<string, FunctionRule<T>>>;

const valueAt = (item: Item, { name, position }: Path): Value => {
  const value = attributeOf(item, name);
  if (position === undefined || value === undefined) return value;
  return 'L' in value ? value.L[position] : undefined;
};

const readAttribute = (tokens: Tokens): Operand => {
  const path = readPath(tokens);
  return (item, bindings) => valueAt(item, path(bindings));
};

/** @param inner functions that may stand among the arguments */
export const readCall = <T>(tokens: Tokens, rules: Rules<T>, inner: Rules): Operand<T> => {
  const name = tokens.next();
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) throw notImplemented(`the function ${name} in this expression`);
  tokens.expect('(');
  const first = rule.takesPath ? readAttribute(tokens) : readOperand(tokens, inner);
  if (rule.arity === 2) tokens.expect(',');
  const second = rule.arity === 2 ? readOperand(tokens, inner) : undefined;
  tokens.expect(')');
  return (item, bindings) => rule.give(first(item, bindings), second?.(item, bindings));
};

export const readOperand = (tokens: Tokens, rules: Rules): Operand => {
  if (tokens.peek()?.startsWith(':') === true) {
    const value = readValue(tokens);
    return (_, bindings) => value(bindings);
  }
  return tokens.peek(1) === '(' ? readCall(tokens, rules, rules) : readAttribute(tokens);
};

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

export interface Placeholders {
  readonly names: Set<string>;
  readonly values: Set<string>;
  /** Checks that need only the request, made before any item is looked at. */
  readonly checks: ((bindings: Bindings) => void)[];
}

export interface Tokens {
  readonly used: Placeholders;
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
    used: { names: new Set(), values: new Set(), checks: [] },
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
  if (word.startsWith('#')) tokens.used.names.add(word);
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
  tokens.used.values.add(word);
  return (bindings) => boundValue(bindings, word);
};

/** The value of a placeholder. @throws TableError when it is not given */
export const boundValue = ({ values }: Bindings, word: string): AttributeValue => {
  const value = values.get(word);
  if (value === undefined) throw invalid(`an expression attribute value is not defined: ${word}`);
  return value;
};

/** @throws TableError when an expression and the placeholders given beside it do not fit */
export const checkPlaceholders = (expressions: readonly Placeholders[], bindings: Bindings): void => {
  for (const field of ['names', 'values'] as const) {
    const given = [...bindings[field].keys()];
    const used = new Set(expressions.flatMap((expression) => [...expression[field]]));
    const missing = [...used].filter((word) => !given.includes(word));
    if (missing.length > 0) throw invalid(`the expression attribute ${field} ${missing.join(', ')} are not defined`);
    const unused = given.filter((word) => !used.has(word));
    if (unused.length > 0) throw invalid(`expression attribute ${field} unused in expressions: ${unused.join(', ')}`);
  }
  for (const { checks } of expressions) for (const check of checks) check(bindings);
};

/** Parsed expressions that are kept by their text; the project's own are some dozens. */
const EXPRESSIONS_MAX = 1_000;

/** DynamoDB's limit for one expression. */
const EXPRESSION_BYTES_MAX = 4_096;

/** Parses a text once, until there are too many of them. */
export const buildCache = <T>(parse: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const bytes = Buffer.byteLength(text);
    if (bytes > EXPRESSION_BYTES_MAX)
      throw invalid(`Expression size has exceeded the maximum allowed size; expression size: ${bytes}`);
    const parsed = parse(text);
    if (known.size >= EXPRESSIONS_MAX) known.clear();
    known.set(text, parsed);
    return parsed;
  };
};

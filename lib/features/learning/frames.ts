/** The shape of an action: what must be the same, and its arguments. Pure. */
import type { Loosened } from '../../core/approvals/grant.ts';
import { canonicalJson } from '../../core/base/canonical.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import type { AskedAction } from './habit-evidence.ts';

/** Arguments of one action that are looked at one by one. */
const HABIT_ARGUMENTS_MAX = 32;
/** A shorter common beginning says nothing. */
const HABIT_PREFIX_CHARS_MIN = 3;
const HABIT_PREFIX_CHARS_MAX = 200;

const escapeStep = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** RFC 6901 pointers of the plain values, each with its value. A list counts as one value. */
const leavesOf = (args: JsonObject): ReadonlyMap<string, unknown> => {
  const walk = (value: unknown, path: string): readonly (readonly [string, unknown])[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, inner]) => walk(inner, `${path}/${escapeStep(key)}`))
      : [[path, value]];
  return new Map(walk(args, '').slice(0, HABIT_ARGUMENTS_MAX));
};

/** The arguments with one value left out, as text to compare; all of them without a path. */
export const argsWithout = (args: JsonObject, path: string): string =>
  canonicalJson([...leavesOf(args)].map(([at, value]) => [at, at === path ? 'anything' : value]));

/** Actions of one frame that are the same but for the value at `path`; all of them if it is ''. */
export interface Group {
  readonly path: string;
  readonly actions: readonly AskedAction[];
}

/** @param frameOf names all that must be the same besides the arguments */
export const groupActions = (
  asked: readonly AskedAction[],
  frameOf: (asked: AskedAction) => string,
): readonly Group[] =>
  [...Map.groupBy(asked, frameOf).values()].flatMap((framed) => {
    const paths = new Set(['', ...framed.flatMap(({ action }) => [...leavesOf(action.args ?? {}).keys()])]);
    return [...paths].flatMap((path) =>
      [...Map.groupBy(framed, ({ action }) => argsWithout(action.args ?? {}, path)).values()]
        .filter(([first]) => path === '' || leavesOf(first?.action.args ?? {}).has(path))
        .map((actions) => ({ path, actions })),
    );
  });

export const valuesAt = ({ path, actions }: Group): readonly unknown[] => {
  const values = actions.map(({ action }) => leavesOf(action.args ?? {}).get(path));
  return [...new Map(values.map((value) => [canonicalJson(value ?? null), value])).values()];
};

/** The common beginning of texts, cut behind the last `/`, `:`, `-` or space. */
const commonPrefix = (values: readonly string[]): string => {
  const [first = ''] = values;
  let length = 0;
  while (length < first.length && values.every((value) => value[length] === first[length])) length += 1;
  return /^.*[/: -]/su.exec(first.slice(0, Math.min(length, HABIT_PREFIX_CHARS_MAX)))?.[0] ?? '';
};

/** How a grant loosens the value that differs: to what the values have in common, else to any. */
export const loosenedFor = (group: Group): Loosened => {
  const values = valuesAt(group);
  const texts = values.filter((value): value is string => typeof value === 'string');
  const prefix = texts.length === values.length ? commonPrefix(texts) : '';
  return prefix.length < HABIT_PREFIX_CHARS_MIN
    ? { path: group.path, kind: 'any' }
    : { path: group.path, kind: 'prefix', prefix };
};

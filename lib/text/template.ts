/**
 * Fills templates `{{path}}` in the values of a step. A path leads through members of the scope,
 * such as `steps.list.data.items.0.title`. A text that is one template becomes the value itself, of
 * any type; within a longer text the value becomes words. A filled value is never read for
 * templates again. A step that was left out has an empty output. Pure.
 */
import { ProtocolError } from '../base/errors.ts';
import { isObject, type Json, JsonObject, readJson } from '../base/json.ts';

/** Characters that templates put into one step: an action carries no more. */
const FILLED_CHARS_MAX = 32_000;

const TEMPLATE = /\{\{([^{}]*)\}\}/g;
const ONE_TEMPLATE = /^\{\{([^{}]*)\}\}$/;
const PATH = /^[A-Za-z_]\w*(\.[\w-]+)*$/;

export type StepResult = {
  readonly output: string;
  /** The output as JSON; missing if it is none. */
  readonly data?: Json;
  /** The output differs from that of the last run. */
  readonly isNew: boolean;
  /** Status of a webhook's answer. */
  readonly status?: number;
};

/** Values that templates and expressions may name. */
export type Scope = {
  readonly inputs: Readonly<Record<string, string>>;
  /** By the steps' ids. A step that was not performed is missing. */
  readonly steps: Readonly<Record<string, StepResult>>;
  /** Entry of the innermost `each`; missing outside of one. */
  readonly item?: Json;
  /** Event that started the run; missing if none did. */
  readonly event?: JsonObject;
};

export type Filled<T extends Json> =
  | { readonly kind: 'value'; readonly value: T }
  /** Continues a sentence that begins with the step: `names {{inputs.x}}, which …`. */
  | { readonly kind: 'problem'; readonly problem: string };

const textsOf = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsOf);
};

/** Templates of a value: their paths, and those that are no path. */
export const findTemplates = (value: Json): { readonly paths: readonly string[]; readonly bad: readonly string[] } => {
  const texts = textsOf(value);
  const found = texts.flatMap((text) => [...text.matchAll(TEMPLATE)].map(([, path = '']) => path.trim()));
  const open = texts.map((text) => text.replace(TEMPLATE, '')).filter((rest) => /\{\{|\}\}/.test(rest));
  return {
    paths: found.filter((path) => PATH.test(path)),
    bad: [...found.filter((path) => !PATH.test(path)).map((path) => `{{${path}}}`), ...open.map(() => '{{ without }}')],
  };
};

/** Own members only. */
const memberOf = (value: Json, name: string): Json | undefined =>
  value === null || typeof value !== 'object' ? undefined : Object.entries(value).find(([one]) => one === name)?.[1];

/** A step that was left out said nothing. */
const OUTPUT = /^steps\.\w+\.output$/;

/** The value at a path such as `event.id`. Undefined if the path leads nowhere. */
export const lookUp = (scope: JsonObject | Scope, path: string): Json | undefined => {
  let value: Json = scope;
  for (const name of path.split('.')) {
    const next = memberOf(value, name);
    if (next === undefined) return undefined;
    value = next;
  }
  return value;
};

const wordsOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value of a path. @throws ProtocolError if there is none */
const valueAt = (scope: Scope, path: string): Json => {
  const value = lookUp(scope, path);
  if (value !== undefined) return value;
  if (OUTPUT.test(path)) return '';
  throw new ProtocolError(`names {{${path}}}, and there is no such value in this run`);
};

/** Fills texts and counts the characters. @throws ProtocolError */
const buildFiller = (scope: Scope, find: typeof valueAt) => {
  let left = FILLED_CHARS_MAX;
  const take = (path: string): Json => {
    const value = find(scope, path.trim());
    left -= wordsOf(value).length;
    if (left < 0) throw new ProtocolError(`would hold more than ${FILLED_CHARS_MAX} characters of other steps`);
    return value;
  };
  const fillText = (text: string): Json => {
    const one = ONE_TEMPLATE.exec(text)?.[1];
    return one === undefined ? text.replace(TEMPLATE, (_, path: string) => wordsOf(take(path))) : take(one);
  };
  const fill = (value: Json): Json => {
    if (typeof value === 'string') return fillText(value);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(fill);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]));
  };
  return fill;
};

const attempt = <T extends Json>(fill: () => T): Filled<T> => {
  try {
    return { kind: 'value', value: fill() };
  } catch (error) {
    if (error instanceof ProtocolError) return { kind: 'problem', problem: error.problem };
    throw error;
  }
};

/** Arguments of a call, with every template filled in. */
export const fillArgs = (args: JsonObject, scope: Scope): Filled<JsonObject> => {
  const fill = buildFiller(scope, valueAt);
  return attempt(() => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, fill(value)])));
};

/** A text with every template filled in; a value that is no text becomes its JSON. */
export const fillText = (text: string, scope: Scope): Filled<string> => {
  const fill = buildFiller(scope, valueAt);
  return attempt(() => wordsOf(fill(text)));
};

/** For a dry run: values that are not known yet stay as their templates. */
export const fillKnown = (args: JsonObject, scope: Scope): Filled<JsonObject> => {
  const fill = buildFiller(scope, (all, path) => lookUp(all, path) ?? `{{${path}}}`);
  return attempt(() => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, fill(value)])));
};

/** A text, number or yes or no at a path through a text that is JSON itself, such as `Message`. */
const lookThrough = (values: JsonObject, path: string): Json | undefined => {
  const names = path.split('.');
  const n = names.findIndex((_, at) => typeof lookUp(values, names.slice(0, at + 1).join('.')) === 'string');
  if (n < 0) return undefined;
  let value: unknown = readJson(String(lookUp(values, names.slice(0, n + 1).join('.'))));
  for (const name of names.slice(n + 1))
    value = typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
};

/** As `lookUp`, also through a text that holds JSON, as Amazon SNS sends it. */
export const lookInto = (values: JsonObject, path: string): Json | undefined =>
  lookUp(values, path) ?? lookThrough(values, path);

/** The events of a body that is a list; a text or a number in it is the member `value`. */
export const listIn = ({ list, ...rest }: JsonObject): readonly JsonObject[] | undefined =>
  Array.isArray(list) && Object.keys(rest).length === 0
    ? list.map((one: Json) => (isObject(one) ? JsonObject.parse(one) : { value: one }))
    : undefined;

/** Members that a line may name: of a list, those of its first. */
export const lineValues = (body: JsonObject): JsonObject => ({ ...listIn(body)?.[0], ...body });

/**
 * A template as one line. A path that leads nowhere says nothing, and quotes around it vanish; if
 * all do, the line is empty.
 * @param charsMax of a value
 */
export const fillLine = (template: string, values: JsonObject, charsMax: number): string => {
  const { paths } = findTemplates(template);
  if (paths.length > 0 && paths.every((path) => lookInto(values, path) === undefined)) return '';
  return template
    .replace(TEMPLATE, (_, path: string) => wordsOf(lookInto(values, path.trim()) ?? '').slice(0, charsMax))
    .replace(/\s+/g, ' ')
    .replaceAll(' ”', '”')
    .replaceAll('“”', '')
    .replaceAll('  ', ' ')
    .trim()
    .toWellFormed();
};

/**
 * Templates `{{path}}` in texts. A path leads through members of values, such as
 * `event.body.items.0.title`. A filled value is never read for templates again. Pure.
 */
import { isObject, type Json, JsonObject, readJson } from '../base/json.ts';

export const TEMPLATE = /\{\{([^{}]*)\}\}/g;
const PATH = /^[A-Za-z_]\w*(\.[\w-]+)*$/;

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

/** The value at a path such as `event.id`. Undefined if the path leads nowhere. */
export const lookUp = (scope: JsonObject, path: string): Json | undefined => {
  let value: Json = scope;
  for (const name of path.split('.')) {
    const next = memberOf(value, name);
    if (next === undefined) return undefined;
    value = next;
  }
  return value;
};

export const wordsOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

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

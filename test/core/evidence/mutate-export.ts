/**
 * Changes one thing in an export, as a forger with a text editor would: a member added, dropped,
 * changed, swapped, repeated or dated anew, at any depth of any line, or a whole line dropped,
 * repeated, moved or exchanged. The same draws give the same change.
 */
export interface Mutation {
  readonly lines: readonly string[];
  /** Kind of change and where, for a failure's message. */
  readonly what: string;
  /**
   * The record within which something was changed; undefined for a whole line, and for what places
   * it.
   */
  readonly record: { readonly kind: Json; readonly id: Json } | undefined;
}

type Draw = () => number;
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const pick = <T>(draw: Draw, list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;

/** Objects and lists of a value, at any depth, each with its path. */
const containersOf = (value: Json, path = ''): readonly (readonly [path: string, value: Json])[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [[path, value], ...Object.entries(value).flatMap(([name, one]) => containersOf(one, `${path}.${name}`))];
};

const changed = (draw: Draw, value: Json): Json => {
  switch (typeof value) {
    case 'string':
      return pick(draw, ['', `${value}x`, value.slice(1), [...value].reverse().join(''), 1, null, [value]]);
    case 'number':
      return pick(draw, [value + 1, value - 1, value * 2 + 1, -value - 1, String(value), null]);
    case 'boolean':
      return pick(draw, [!value, null, String(value)]);
    default:
      return value === null ? pick(draw, [0, '', 'a']) : pick<Json>(draw, [null, '', [], {}, [value]]);
  }
};

const ADDED: readonly (readonly [string, Json])[] = [
  ['isWithheld', true],
  ['isForgotten', true],
  ['note', 'all is well'],
  ['leaf', 0],
  ['content', {}],
  ['output', 'sent'],
  ['reason', ''],
  ['v', 2],
  ['__proto__', { isWithheld: true }],
];
const DAY_MS = 86_400_000;

/** One member of an object, or place of a list. */
const mutateWithin = (draw: Draw, container: Json, others: readonly Json[]): string => {
  const target = container as { [name: string]: Json } | Json[];
  const names = Object.keys(target);
  const name = pick(draw, names);
  const put = (at: string, value: Json): void => {
    Object.defineProperty(target, at, { value, enumerable: true, configurable: true, writable: true });
  };
  const kind = pick(draw, ['add', 'drop', 'change', 'change', 'swap', 'repeat', 're-date', 'withhold']);
  if (kind === 'add' || names.length === 0) {
    const [added, value] = pick(draw, ADDED);
    if (Array.isArray(target)) target.push(value);
    else put(added, value);
    return `add ${added}`;
  }
  if (kind === 'withhold' && !Array.isArray(target) && 'action' in target) {
    if (draw() < 0.5) delete target.action;
    put('isWithheld', true);
    return 'withhold';
  }
  if (kind === 'drop') {
    if (Array.isArray(target)) target.splice(Number(name), 1);
    else delete target[name];
    return `drop ${name}`;
  }
  if (kind === 'repeat' && Array.isArray(target)) {
    target.push(target[Number(name)] as Json);
    return `repeat ${name}`;
  }
  const value = Reflect.get(target, name) as Json;
  if (kind === 'swap') {
    const other = pick(draw, others);
    put(name, structuredClone(other));
    return `swap ${name}`;
  }
  if (kind === 're-date' && typeof value === 'number') {
    put(name, value + pick(draw, [-1, 1]) * Math.floor(1 + draw() * DAY_MS));
    return `re-date ${name}`;
  }
  put(name, changed(draw, value));
  return `change ${name}`;
};

interface Changed {
  readonly text: string;
  readonly what: string;
  readonly record?: Mutation['record'];
}

const mutateText = (draw: Draw, text: string, lines: readonly string[]): Changed => {
  const line = JSON.parse(text) as { [name: string]: Json };
  const isLeaf = line.type === 'leaf' && draw() < 0.7;
  const root = isLeaf ? (JSON.parse(String(line.leaf)) as Json) : line;
  const raw = draw();
  // A member twice, or a space: JSON reads the same.
  if (raw < 0.03) return { text: text.replace('{', '{"type":"end",'), what: 'repeat a member' };
  if (raw < 0.06) return { text: text.replace(',"', ', "'), what: 'add a space' };
  const [path, container] = pick(draw, containersOf(root));
  const other = JSON.parse(pick(draw, lines)) as Json;
  const others = containersOf(other).flatMap(([, value]) => Object.values(value as object) as Json[]);
  const how = mutateWithin(draw, container, others);
  const result = isLeaf ? JSON.stringify({ ...line, leaf: JSON.stringify(root) }) : JSON.stringify(root);
  const what = `${String(line.type)} ${path} ${how}`;
  const isWithin = line.type === 'record' && path !== '';
  return { text: result, what, record: isWithin ? { kind: line.kind ?? null, id: line.id ?? null } : undefined };
};

/** Undefined where the change made no difference. */
export const mutateExport = (draw: Draw, lines: readonly string[]): Mutation | undefined => {
  const types = [...new Set(lines.map((line) => /"type":"([a-z-]+)"/.exec(line)?.[1]))];
  const type = pick(draw, [...types, 'record', 'record', 'record', 'record']);
  const at = lines.indexOf(
    pick(
      draw,
      lines.filter((line) => line.startsWith(`{"type":"${type}"`)),
    ),
  );
  const text = lines[at] as string;
  const kind = pick(draw, ['field', 'field', 'field', 'field', 'field', 'field', 'drop', 'repeat', 'move', 'swap']);
  const to = Math.floor(draw() * lines.length);
  const mutate = (): Mutation => {
    const record = undefined;
    switch (kind) {
      case 'drop':
        return { lines: lines.toSpliced(at, 1), what: `drop ${type} line ${at}`, record };
      case 'repeat':
        return { lines: lines.toSpliced(at, 0, text), what: `repeat ${type} line ${at}`, record };
      case 'move':
        return {
          lines: lines.toSpliced(at, 1).toSpliced(to, 0, text),
          what: `move ${type} line ${at} to ${to}`,
          record,
        };
      case 'swap':
        return {
          lines: lines.with(at, lines[to] as string).with(to, text),
          what: `swap lines ${at} and ${to}`,
          record,
        };
      default: {
        const one = mutateText(draw, text, lines);
        return { lines: lines.with(at, one.text), what: one.what, record: one.record };
      }
    }
  };
  const mutation = mutate();
  const isSame = mutation.lines.length === lines.length && mutation.lines.every((line, n) => line === lines[n]);
  return isSame ? undefined : mutation;
};

/** The words of `/edit <id> …`: a field a line, `text` takes the rest, `-` a field away. Pure. */
import type { LiveObject } from '../../core/memory/object.ts';
import { MemoryScope } from '../../core/memory/object-parts.ts';
import type { NoteChange } from '../../core/memory/plan-edit.ts';

type ReadField = (value: string, object: LiveObject, before: NoteChange) => NoteChange | undefined;

const orNone = (value: string): string => (value === '-' ? '' : value);

const tagOf = (word: string): string => word.replace(/^[+-]?#?/, '').normalize('NFC');

/** `#a #b` are all its tags; `+#a -#b` come and go. */
const changedTags = ({ attributes }: LiveObject, value: string): readonly string[] => {
  const words = value === '-' ? [] : value.split(/\s+/);
  if (!words.some((word) => /^[+-]/.test(word))) return words.map(tagOf);
  const gone = new Set(words.filter((word) => word.startsWith('-')).map(tagOf));
  const come = words.filter((word) => !word.startsWith('-')).map(tagOf);
  return [...attributes.tags.filter((tag) => !gone.has(tag)), ...come];
};

const readProperty: ReadField = (value, _, { properties }) => {
  const [, name, words] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  return name === undefined || words === undefined
    ? undefined
    : { properties: { ...properties, [name]: orNone(words) } };
};

const readScope: ReadField = (value) => {
  const scope = MemoryScope.safeParse(value.toLowerCase());
  return scope.success ? { scope: scope.data } : undefined;
};

const FIELDS: Readonly<Record<string, ReadField>> = {
  title: (value) => ({ title: orNone(value) }),
  state: (value) => ({ state: orNone(value) }),
  tags: (value, object) => ({ tags: changedTags(object, value) }),
  property: readProperty,
  parent: (value) => ({ parent: value.toLowerCase() }),
  order: (value) => (/^[1-9]\d{0,5}$/.test(value) ? { order: Number(value) } : undefined),
  scope: readScope,
};

/** @returns undefined if a line has no form that `/edit` knows */
export const parseEdit = (object: LiveObject, words: string): NoteChange | undefined => {
  let change: NoteChange = {};
  for (let rest = words.trimStart(); rest !== ''; ) {
    const [, name = '', after = ''] = /^(\S+)[ \t]*([\s\S]*)$/.exec(rest) ?? [];
    const field = name.toLowerCase();
    const text = after.trimEnd();
    if (field === 'text') return text === '' ? undefined : { ...change, text: orNone(text) };
    const [line = '', ...more] = after.split('\n');
    const value = line.trim();
    const read = Object.hasOwn(FIELDS, field) && value !== '' ? FIELDS[field]?.(value, object, change) : undefined;
    if (read === undefined) return undefined;
    change = { ...change, ...read };
    rest = more.join('\n').trimStart();
  }
  return Object.keys(change).length === 0 ? undefined : change;
};

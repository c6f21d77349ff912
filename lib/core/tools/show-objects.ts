/**
 * Memory objects for the model: one line of JSON each, so that no note's text can pass for another
 * note or for its origin. Long texts are cut and say so; objects that do not fit are counted. Pure.
 */
import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { readJson } from '../base/json.ts';
import { TOOL_OUTPUT_CHARS_MAX } from '../base/limits.ts';
import type { LiveObject } from '../memory/object.ts';
import type { SeenObject } from '../signal/decision.ts';
import { DELEGATE } from '../signal/job-run.ts';
import type { ActionResult } from '../signal/signal.ts';

/** At least four whole notes fit into one output. */
export const RECALLED_TEXT_CHARS_MAX = Math.floor(TOOL_OUTPUT_CHARS_MAX / 5);
/** Enough to recognise a note by. */
export const OUTLINE_TEXT_CHARS_MAX = 160;
/** Room for the line that counts the rest. */
const NOTE_CHARS = 80;

const lineOf = (object: LiveObject, textCharsMax: number): string => {
  const isCut = object.content.length > textCharsMax;
  return JSON.stringify({
    id: object.id,
    version: object.version,
    written: new Date(object.updatedAt).toISOString(),
    ...defined({ title: object.attributes.title }),
    tags: object.attributes.tags,
    origin: object.origin,
    text: isCut ? object.content.slice(0, textCharsMax).toWellFormed() : object.content,
    ...(isCut ? { cut: true } : {}),
  });
};

/** @param textCharsMax characters shown of each object. */
export const showObjects = (objects: readonly LiveObject[], textCharsMax: number): string => {
  const lines: string[] = [];
  let room = TOOL_OUTPUT_CHARS_MAX - NOTE_CHARS;
  for (const object of objects) {
    const line = lineOf(object, textCharsMax);
    if (line.length + 1 > room) break;
    lines.push(line);
    room -= line.length + 1;
  }
  const left = objects.length - lines.length;
  return [...lines, ...(left > 0 ? [`(${left} more did not fit)`] : [])].join('\n');
};

/** An object as JSON outputs name it: `<id> v<n>`. */
export const nameShown = ({ id, version }: Pick<SeenObject, 'id' | 'version'>): string => `${id} v${version}`;

/** Tools whose output is JSON that names what it shows or holds. */
export const NAMING: ReadonlySet<string | undefined> = new Set([
  'tend-memory',
  'mend-memory',
  'gather-turns',
  'keep-notes',
  'pick-notes',
  'look-for-habits',
  DELEGATE,
]);

const Named = z.object({
  shown: z.optional(z.array(z.string())),
  turns: z.optional(z.array(z.string())),
});

/** The objects and the turns (by root) whose words an output of such a tool holds. */
export const namedInOutput = (
  output: string,
): { readonly objects: readonly SeenObject[]; readonly turns: readonly string[] } => {
  const { shown = [], turns = [] } = parseNamed(output) ?? {};
  const objects = shown.flatMap((name) => {
    const [, id, version] = /^([0-9a-f]{32}) v(\d{1,9})$/.exec(name) ?? [];
    return id === undefined ? [] : [{ id, version: Number(version) }];
  });
  return { objects, turns };
};

/** Undefined for a text that is no such output, as one that was erased. */
const parseNamed = (output: string): z.infer<typeof Named> | undefined => Named.safeParse(readJson(output)).data;

/** Tools whose output has a line of JSON for each object. */
const SHOWING: ReadonlySet<string | undefined> = new Set(['recall', 'list-memory', 'read-notes']);

/** Objects that these results show. Other tools' texts may imitate them, and do not count. */
export const shownInResults = (results: readonly Pick<ActionResult, 'tool' | 'output'>[]): readonly SeenObject[] =>
  results.flatMap(({ tool, output }) => {
    if (NAMING.has(tool)) return namedInOutput(output).objects;
    return SHOWING.has(tool) ? shownObjects(output) : [];
  });

const shownObjects = (output: string): readonly SeenObject[] =>
  output.split('\n').flatMap((line) => {
    const id = /^\{"id":"([0-9a-f]{32})","version":(\d{1,9}),/.exec(line);
    return id?.[1] === undefined ? [] : [{ id: id[1], version: Number(id[2]) }];
  });

/**
 * Memory objects for the model: one line of JSON each, so that no note's text can pass for another
 * note or for its origin. Long texts are cut and say so; objects that do not fit are counted. Pure.
 */
import { defined } from '../base/defined.ts';
import { TOOL_OUTPUT_CHARS_MAX } from '../base/limits.ts';
import type { LiveObject } from '../memory/object.ts';
import type { SeenObject } from '../signal/decision.ts';
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

/** Tools with such outputs. */
const SHOWING: ReadonlySet<string | undefined> = new Set(['recall', 'list-memory']);

/**
 * The objects that these results show. Only outputs of those tools count: other texts may imitate
 * them.
 */
export const shownInResults = (results: readonly Pick<ActionResult, 'tool' | 'output'>[]): readonly SeenObject[] =>
  results.filter(({ tool }) => SHOWING.has(tool)).flatMap(({ output }) => shownObjects(output));

/** Version 0 for lines of earlier releases, which did not name it. */
const shownObjects = (output: string): readonly SeenObject[] =>
  output.split('\n').flatMap((line) => {
    const id = /^\{"id":"([0-9a-f]{32})"(?:,"version":(\d{1,9}))?,/.exec(line);
    return id?.[1] === undefined ? [] : [{ id: id[1], version: Number(id[2] ?? 0) }];
  });

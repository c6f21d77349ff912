/**
 * Notes as people import them, files of `notes/`, through the real reader of files and its parser.
 * What was read comes back from an export, whatever it was.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findNotes, loadNote } from '../../infra/cli/notes/folder.ts';
import type { NoteNode } from '../../infra/cli/notes/note.ts';
import { parseNote, renderNote } from '../../infra/cli/notes/parse-note.ts';
import { isMarkedPrivate } from '../../lib/core/text/privacy.ts';
import { readCases } from './read-cases.ts';

const Note = z.strictObject({
  title: z.string().optional(),
  tags: z.array(z.string()).optional(),
  todo: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  /** All of them, if their values are of no interest. */
  propertyNames: z.array(z.string()).optional(),
  content: z.string().optional(),
  contentEnds: z.string().optional(),
  get children() {
    return z.array(Note).optional();
  },
});
const Case = z.strictObject({
  by: z.string(),
  file: z.string().default('f.md'),
  text: z.string().optional(),
  base64: z.string().optional(),
  expect: z.strictObject({
    ...Note.shape,
    /** `line: words` */
    problems: z.array(z.string()).default([]),
    isBad: z.boolean().default(false),
    isPrivate: z.boolean().optional(),
    /** The file of an export. */
    written: z.string().optional(),
  }),
});

let root = '';
afterEach(() => rmSync(root, { recursive: true }));

const read = async (file: string, bytes: Buffer | string) => {
  root = mkdtempSync(join(tmpdir(), 'notes-'));
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), bytes);
  const [found] = (await findNotes(root, [])).found;
  if (found === undefined) throw new Error('no note');
  const loaded = await loadNote(root, found);
  if ('problem' in loaded) return { kind: 'bad' as const, problems: [loaded] };
  const parsed = parseNote(loaded.text, loaded.file, loaded.format);
  return { ...parsed, problems: [...loaded.remarks, ...parsed.problems] };
};

const check = (node: NoteNode, expected: z.output<typeof Note>): void => {
  const { title, tags, todo, properties, propertyNames, content, contentEnds, children } = expected;
  if (title !== undefined) expect(node.title).toBe(title);
  if (tags !== undefined) expect(node.tags).toStrictEqual(tags);
  if (todo !== undefined) expect(node.todo).toBe(todo);
  if (properties !== undefined) expect(node.properties).toStrictEqual(properties);
  if (propertyNames !== undefined) expect(Object.keys(node.properties)).toStrictEqual(propertyNames);
  if (content !== undefined) expect(node.content).toBe(content);
  if (contentEnds !== undefined) expect(node.content.endsWith(contentEnds), node.content).toBe(true);
  if (children === undefined) return;
  expect(node.children.map((child) => child.title)).toStrictEqual(children.map((child) => child.title));
  for (const [n, child] of children.entries()) check(node.children[n] as NoteNode, child);
};

const withoutPlace = ({ source: _, key: __, children, ...rest }: NoteNode): object => ({
  ...rest,
  children: children.map(withoutPlace),
});

describe('a note of another program', () => {
  it.each(readCases('notes', Case))('$name', async ({ file, text, base64 = '', expect: expected }) => {
    const parsed = await read(file, text ?? Buffer.from(base64, 'base64'));
    expect(parsed.problems.map(({ line, problem }) => `${line}: ${problem}`)).toStrictEqual(expected.problems);
    expect(parsed.kind).toBe(expected.isBad ? 'bad' : 'notes');
    if (parsed.kind === 'bad') return;
    check(parsed.node, expected);
    const { title, tags, content } = parsed.node;
    const isPrivate = isMarkedPrivate({ attributes: { title, tags: [...tags] }, content }, []);
    if (expected.isPrivate !== undefined) expect(isPrivate).toBe(expected.isPrivate);
    const written = renderNote(parsed.node);
    if (expected.written !== undefined) expect(written).toBe(expected.written);
    const again = parseNote(written, file, parsed.node.format);
    expect(again.kind === 'notes' ? withoutPlace(again.node) : again).toStrictEqual(withoutPlace(parsed.node));
  });
});

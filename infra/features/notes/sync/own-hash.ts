/**
 * A note's own words as one hash, the same whether a file or memory gave it. Marks of a
 * synchronisation and line ends do not count. Pure.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../lib/core/base/canonical.ts';
import type { NoteNode } from '../../../cli/notes/note.ts';

/** Property in a file of a note that memory counts as text of others; its value is `outside`. */
export const ORIGIN_MARK = 'passepartout-origin';
/** Property in memory by which a person answers a question: `file` or `memory`. */
export const KEEP_PROPERTY = 'sync-keep';

const MARKS: readonly string[] = [ORIGIN_MARK, KEEP_PROPERTY];

export const hasOriginMark = ({ properties }: NoteNode): boolean =>
  Object.entries(properties).some(([name, value]) => name.toLowerCase() === ORIGIN_MARK && value === 'outside');

/** Without marks, and without an id that only repeats the key. Notes below it too. */
export const withoutMarks = (node: NoteNode): NoteNode => ({
  ...node,
  properties: Object.fromEntries(
    Object.entries(node.properties).filter(
      ([name, value]) => !MARKS.includes(name.toLowerCase()) && !(name.toLowerCase() === 'id' && value === node.key),
    ),
  ),
  children: node.children.map(withoutMarks),
});

/** @param node without marks */
export const ownHash = ({ title, content, tags, todo, properties }: NoteNode): string =>
  createHash('sha256')
    .update(
      `passepartout/sync-note\n${canonicalJson([
        title.toWellFormed(),
        content.toWellFormed().replace(/\r\n?/g, '\n'),
        tags,
        todo ?? null,
        properties,
      ])}`,
    )
    .digest('hex');

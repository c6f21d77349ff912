/**
 * Parses and renders one file. A parser that gives up makes the file bad and not the import. Pure.
 */
import { parseMarkdown, renderMarkdown } from './markdown.ts';
import type { NoteFormat, NoteNode, ParsedNotes } from './note.ts';
import { parseOrg, renderOrg } from './org.ts';

export const parseNote = (text: string, file: string, format: NoteFormat): ParsedNotes => {
  try {
    return format === 'org' ? parseOrg(text, file) : parseMarkdown(text, file);
  } catch {
    return { kind: 'bad', problems: [{ file, line: 1, problem: 'cannot be taken apart' }] };
  }
};

export const renderNote = (document: NoteNode): string =>
  document.format === 'org' ? renderOrg(document) : renderMarkdown(document);

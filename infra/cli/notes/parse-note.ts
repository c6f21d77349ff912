/**
 * Parses and renders one file. A parser that gives up makes the file bad and not the import. Pure.
 */
import { parseMarkdown, renderMarkdown, renderMarkdownPart } from './markdown.ts';
import type { NoteFormat, NoteNode, ParsedNotes } from './note.ts';
import { parseOrg, renderOrg, renderOrgPart } from './org.ts';

export const parseNote = (text: string, file: string, format: NoteFormat): ParsedNotes => {
  try {
    return format === 'org' ? parseOrg(text, file) : parseMarkdown(text, file);
  } catch {
    return { kind: 'bad', problems: [{ file, line: 1, problem: 'cannot be taken apart' }] };
  }
};

export const renderNote = (document: NoteNode): string =>
  document.format === 'org' ? renderOrg(document) : renderMarkdown(document);

/** One note without those below it. @param level of its heading; 0 for a document */
export const renderPart = (node: NoteNode, level: number): string =>
  node.format === 'org' ? renderOrgPart(node, level) : renderMarkdownPart(node, level);

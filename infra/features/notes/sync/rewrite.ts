/**
 * The text of a file with some notes changed: each untouched one keeps its bytes. The result is
 * read back; if it does not say exactly the wanted tree, the whole file is written anew, and if
 * that does not say it either, there is no result. Pure.
 */
import { listNodes, type NoteFormat, type NoteNode } from '../../../cli/notes/note.ts';
import { parseNote, renderNote, renderPart } from '../../../cli/notes/parse-note.ts';
import { ORIGIN_MARK, ownHash, withoutMarks } from './own-hash.ts';

export interface Rewriting {
  readonly file: string;
  readonly format: NoteFormat;
  /** As it is, with the tree that was read of it; absent for a new file. */
  readonly old?: { readonly text: string; readonly tree: NoteNode };
  /** Without marks. */
  readonly target: NoteNode;
  /** Notes that are known by an id of memory's, which stands in the file. */
  readonly needsId: (key: string) => boolean;
  /** Notes that are marked as text of others. */
  readonly isOutside: (key: string) => boolean;
}

export interface Rewritten {
  readonly text: string;
  /** The file as it is read now: its notes in the order of the target's. */
  readonly tree: NoteNode;
}

interface Piece {
  readonly node: NoteNode;
  readonly text: string;
  /** Marks of its heading; 0 for a document. */
  readonly depth: number;
}

const LINE = /[^\r\n]*(?:\r\n|\n|\r|$)/y;

const lineStarts = (text: string): readonly number[] => {
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    starts.push(at);
    LINE.lastIndex = at;
    at += LINE.exec(text)?.[0].length ?? 1;
  }
  return starts;
};

const depthOf = (text: string, format: NoteFormat): number => {
  if (format === 'org') return /^\*+/.exec(text)?.[0].length ?? 1;
  const marks = /^ {0,3}(#{1,6})(?=[ \t\r\n]|$)/.exec(text)?.[1];
  if (marks !== undefined) return marks.length;
  return /^ {0,3}=+[ \t]*$/m.test(text) ? 1 : 2;
};

/** The file, cut before each heading. */
const cut = (text: string, tree: NoteNode, format: NoteFormat): ReadonlyMap<string, Piece> => {
  const starts = lineStarts(text);
  const nodes = listNodes(tree);
  return new Map(
    nodes.map((node, n) => {
      const next = nodes[n + 1];
      const from = n === 0 ? 0 : (starts[node.source.line - 1] ?? text.length);
      const piece = text.slice(from, next === undefined ? text.length : (starts[next.source.line - 1] ?? text.length));
      return [node.key, { node, text: piece, depth: n === 0 ? 0 : depthOf(piece, format) }] as const;
    }),
  );
};

/** With what a file says of a note beside its words. */
const withMarks = (node: NoteNode, { format, needsId, isOutside }: Rewriting): NoteNode => ({
  ...node,
  format,
  properties: {
    ...node.properties,
    ...(needsId(node.key) ? { [format === 'org' ? 'ID' : 'id']: node.key } : {}),
    ...(isOutside(node.key) ? { [ORIGIN_MARK]: 'outside' } : {}),
  },
  children: [],
});

const without = (node: NoteNode): NoteNode => ({ ...node, content: '' });

/** A changed note: its heading or its text keeps the bytes if only the other changed. */
const change = (piece: Piece, wanted: NoteNode, depth: number): string => {
  const { node: was, text } = piece;
  const trail = /[\r\n\t ]*$/.exec(text)?.[0] ?? '';
  const whole = renderPart(wanted, depth);
  const head = renderPart(without(wanted), depth);
  const at = was.content === '' ? -1 : text.lastIndexOf(was.content);
  const isTextAlone = ownHash(without(was)) === ownHash(without(wanted));
  if (isTextAlone && at >= 0 && depth === piece.depth && whole.startsWith(head))
    return text.slice(0, at) + whole.slice(head.length).replace(/^[\r\n]+/, '') + trail;
  return whole + trail;
};

const write = (rewriting: Rewriting, pieces: ReadonlyMap<string, Piece>): string => {
  const { format, target, old } = rewriting;
  let out = '';
  let isFresh = false;
  const add = (node: NoteNode, depth: number): void => {
    const piece = pieces.get(node.key);
    // In Markdown a text goes on until an empty line, if what follows is no plain heading.
    const isNew = piece === undefined || isFresh;
    if (out !== '' && !/[\r\n]$/.test(out)) out += '\n';
    if (isNew && format === 'markdown' && out !== '' && !/\n\r?\n$/.test(out)) out += '\n';
    const isSame =
      piece !== undefined &&
      depth === piece.depth &&
      ownHash(withoutMarks({ ...piece.node, key: node.key })) === ownHash(node);
    isFresh = !isSame;
    if (isSame) {
      out += piece.text;
      return;
    }
    const marked = withMarks(node, rewriting);
    const text = piece === undefined ? `${renderPart(marked, depth)}\n` : change(piece, marked, depth);
    out += text.trim() === '' && depth === 0 ? '' : text;
  };
  const visit = (node: NoteNode, depth: number): void => {
    add(node, depth);
    let most = Number.POSITIVE_INFINITY;
    for (const [n, child] of node.children.entries()) {
      const known = node.children.slice(n).find(({ key }) => pieces.has(key));
      const own = known === undefined ? undefined : pieces.get(known.key)?.depth;
      const level = own !== undefined && own > depth && own <= most ? own : Math.min(most, depth + 1);
      visit(child, level);
      most = level;
    }
  };
  visit(target, 0);
  const eol = old !== undefined && /\r\n/.test(old.text) && !/[^\r]\n/.test(old.text) ? '\r\n' : '\n';
  return eol === '\n' ? out : out.replace(/\r?\n/g, eol);
};

const levelsOf = (node: NoteNode, level = 0): readonly number[] => [
  level,
  ...node.children.flatMap((child) => levelsOf(child, level + 1)),
];

/** The tree that a text says, if it is the wanted one. */
const readBack = (text: string, { file, format, target }: Rewriting): NoteNode | undefined => {
  const parsed = parseNote(text, file, format);
  if (parsed.kind === 'bad') return undefined;
  const wanted = listNodes(target);
  const found = listNodes(parsed.node);
  const isWanted =
    levelsOf(target).join() === levelsOf(parsed.node).join() &&
    found.every((node, n) => {
      const other = wanted[n];
      return other !== undefined && ownHash(withoutMarks({ ...node, key: other.key, children: [] })) === ownHash(other);
    });
  return isWanted ? parsed.node : undefined;
};

/** Writes all of it anew, as an export does. */
const writeWhole = (rewriting: Rewriting): string => {
  const build = (node: NoteNode): NoteNode => ({
    ...withMarks(node, rewriting),
    source: { file: rewriting.file, line: 1 },
    children: node.children.map(build),
  });
  return renderNote(build(rewriting.target));
};

/** @returns undefined if a file of this format cannot say the target */
export const rewrite = (rewriting: Rewriting): Rewritten | undefined => {
  const { old, format } = rewriting;
  const tries = [
    ...(old === undefined ? [] : [() => write(rewriting, cut(old.text, old.tree, format))]),
    () => writeWhole(rewriting),
  ];
  for (const attempt of tries) {
    const text = attempt();
    const tree = readBack(text, rewriting);
    if (tree !== undefined) return { text, tree };
  }
  return undefined;
};

/** The source of some notes of a file, for what is taken out of it. */
export const sourceOf = (text: string, tree: NoteNode, keys: ReadonlySet<string>): string =>
  [...cut(text, tree, tree.format).values()]
    .filter(({ node }) => keys.has(node.key))
    .map((piece) => piece.text)
    .join('');

/**
 * The part of memory a model is shown: in full what it looks at, in outline what lies around it (foveal and peripheral sight).
 * Every piece says its object's id, scope and origin; what came from outside stands in a block. Private objects and all below
 * them are never shown, nor counted. A budget of tokens is kept exactly: pieces are taken in order of worth until the next one
 * does not fit, and the text says what that left out. More budget never shows less. Notes from
 * outside have a share of the room, beyond which they take only what the owner's leave. Of a veiled
 * one no word is shown, so that it neither taints nor counts as seen; a few are named, the rest
 * counted. Pure, and the same for equal inputs.
 */

import { estimateTokens } from '../base/estimate-tokens.ts';
import { joinOrigins, type Origin } from '../signal/signal.ts';
import { cleanText, showText } from './blocks.ts';
import { type Candidate, type Gaze, selectContext } from './foveal-select.ts';
import { buildContextTree, type ContextNode } from './foveal-tree.ts';
import { CONTEXT_TITLE_CHARS_MAX } from './limits.ts';

/** Of the room for memory, what notes from outside may take of it beside the owner's. */
const CONTEXT_OUTSIDE_PERCENT_MAX = 30;
/** Lines that say "a note from outside"; the rest of them is one number. */
export const CONTEXT_VEILED_MAX = 3;
const CONTEXT_BODY_PIECE_CHARS = 600;

export interface ContextView extends Gaze {
  /** Every object that may be shown, with their ancestors: an ancestor that is missing hides nothing. */
  readonly nodes: readonly ContextNode[];
  /** The space's private tags. */
  readonly privacyTags: readonly string[];
  readonly tokensMax: number;
}

/** A view but for how much room there is. */
export type MemoryContext = Omit<ContextView, 'tokensMax'>;

export interface ContextPiece {
  readonly id: string;
  readonly version: number;
  readonly scope: ContextNode['scope'];
  /** Of its words; `agent` where it is veiled: then they are ours. */
  readonly origin: Origin;
  readonly isVeiled: boolean;
  readonly text: string;
  /** Characters of the body that are shown; 0 in an outline. */
  readonly bodyChars: number;
}

export interface RenderedContext {
  readonly pieces: readonly ContextPiece[];
  /** Empty where not even its frame fits. */
  readonly text: string;
  /** The exact versions shown, in any part: what a decision names as seen. */
  readonly seen: readonly { readonly id: string; readonly version: number; readonly origin?: 'outside' }[];
  /** Worst origin of what is shown; undefined where nothing is. */
  readonly origin?: Origin | undefined;
  readonly leftOut: {
    /** Objects for which there was no room. */
    readonly objects: readonly string[];
    /** Objects whose body is cut or left out. */
    readonly bodies: readonly string[];
    /** Veiled objects that are counted and not named. */
    readonly veiledCount: number;
    /** Deeper objects of active projects, shown only when looked at. */
    readonly peripheralCount: number;
  };
}

const HEADER = 'What you remember, in outline; in full what is close to this. recall finds more, by words or by id.';
const NONE = 'No active projects, and nothing close to this.';
/** The longest that `leftOutLine` becomes. */
const LEFT_OUT_CHARS_MAX = 160;

const leftOutLine = (objects: number, bodies: number, veiled: number, peripheral: number): string => {
  const parts = [
    ...(objects > 0 ? [`${objects} objects`] : []),
    ...(bodies > 0 ? [`the rest of ${bodies} texts`] : []),
  ];
  const room = parts.length === 0 ? '' : `Left out for lack of room: ${parts.join(', ')}.`;
  const deep = peripheral === 0 ? '' : `Not shown: ${peripheral} deeper objects.`;
  const outside = veiled === 0 ? '' : `And ${veiled} more notes from outside.`;
  return [room, outside, deep].filter((part) => part !== '').join(' ');
};

/** Whole characters only: never half of a pair. */
const cut = (text: string, charsMax: number): string => {
  const isInside = text.length > charsMax && /[\ud800-\udbff]/.test(text[charsMax - 1] ?? '');
  return text.slice(0, isInside ? charsMax - 1 : charsMax);
};

const titleOf = ({ title }: ContextNode): string =>
  cut(title.replace(/\s+/gu, ' ').trim(), CONTEXT_TITLE_CHARS_MAX) || 'Untitled';

const bodyOf = ({ content }: ContextNode): string => content.trim();

const VEILED = 'a note from outside';

const renderPiece = ({ node, depth, similarity }: Candidate, bodyChars: number): string => {
  const start = `${'  '.repeat(Math.min(depth, 8) - 1)}- ${cleanText(node.id)} v${node.version}`;
  if (node.isVeiled === true) return `${start} (${node.scope}, ${node.origin}): ${VEILED}`;
  const labels = [node.scope, node.origin, ...(similarity === undefined ? [] : [`close ${similarity.toFixed(2)}`])];
  const body = bodyOf(node);
  const shownBody = cut(body, bodyChars);
  const more = bodyChars > 0 && shownBody.length < body.length ? ' […]' : '';
  const words = [node.todo ?? '', titleOf(node)].filter((word) => word !== '').join(' ');
  const content = bodyChars === 0 ? words : `${words}\n${shownBody}${more}`;
  const shown = showText(content, node.origin, `memory ${node.id}`);
  return `${start} (${labels.join(', ')}): ${shown}`;
};

interface Step {
  readonly candidate: Candidate;
  readonly worth: number;
  /** Characters of the body shown once this step is taken. */
  readonly bodyChars: number;
  /** Tokens this step adds, rounded up. */
  readonly tokens: number;
}

/** Worth of a body's pieces: the first right after the titles of its kind, later ones ever less. */
const bodyWorth = (worth: number, piece: number): number => (piece === 0 ? worth - 0.5 : worth / (2 + piece));

const stepsOf = (candidate: Candidate): readonly Step[] => {
  const sizeOf = (bodyChars: number): number => estimateTokens(`${renderPiece(candidate, bodyChars)}\n`);
  const { worth } = candidate;
  const steps: Step[] = [{ candidate, worth, bodyChars: 0, tokens: sizeOf(0) }];
  if (!candidate.hasBody) return steps;
  const body = bodyOf(candidate.node);
  // Each piece is counted by itself, so that the whole stays linear; the mark of a cut is in the first piece's count.
  for (let at = 0, piece = 0; at < body.length; piece += 1) {
    const next = Math.min(body.length, at + CONTEXT_BODY_PIECE_CHARS);
    const tokens = estimateTokens(`${cleanText(body.slice(at, next))}${piece === 0 ? '\n […]' : ''}`) + 2;
    steps.push({ candidate, worth: bodyWorth(worth, piece), bodyChars: next, tokens });
    at = next;
  }
  return steps;
};

/** Most worth first; equal ones as they stand in the outline, a title before its body. */
const byWorth = (a: Step, b: Step): number =>
  b.worth - a.worth || a.candidate.order - b.candidate.order || a.bodyChars - b.bodyChars;

/** Characters of the body by object, for those that are shown. */
const takeSteps = (steps: readonly Step[], room: number): ReadonlyMap<string, number> => {
  const taken = new Map<string, number>();
  let tokens = 0;
  for (const step of steps) {
    tokens += step.tokens;
    if (tokens > room) break;
    taken.set(step.candidate.node.id, step.bodyChars);
  }
  return taken;
};

const tokensOf = (steps: readonly Step[]): number => steps.reduce((sum, { tokens }) => sum + tokens, 0);

const stepsInOrder = (candidates: readonly Candidate[]): readonly Step[] => candidates.flatMap(stepsOf).sort(byWorth);

const isOutside = ({ node }: Candidate): boolean => node.isOutside === true || node.isVeiled === true;

/** Notes from outside, asked for ones first, and a few veiled ones. */
const outsideSteps = (candidates: readonly Candidate[]): readonly Step[] => {
  const outside = candidates.filter(isOutside);
  const veiled = outside.filter(({ node }) => node.isVeiled === true).slice(0, CONTEXT_VEILED_MAX);
  return [...stepsInOrder(outside.filter(({ node }) => node.isVeiled !== true)), ...stepsInOrder(veiled)];
};

/** Shares the room: both parts grow with it, so that more room never shows less of either. */
const takeShared = (candidates: readonly Candidate[], room: number): ReadonlyMap<string, number> => {
  const own = stepsInOrder(candidates.filter((one) => !isOutside(one)));
  const outside = outsideSteps(candidates);
  const kept = Math.min(tokensOf(outside), Math.floor((Math.max(0, room) * CONTEXT_OUTSIDE_PERCENT_MAX) / 100));
  return new Map([...takeSteps(own, room - kept), ...takeSteps(outside, Math.max(kept, room - tokensOf(own)))]);
};

export const renderContext = (view: ContextView): RenderedContext => {
  const tree = buildContextTree(view.nodes, view.privacyTags);
  const { candidates, peripheralCount } = selectContext(tree, view);
  const frame = estimateTokens(`${HEADER}\n`) + estimateTokens('x'.repeat(LEFT_OUT_CHARS_MAX));
  const taken = takeShared(candidates, view.tokensMax - frame);
  const shown = candidates.filter(({ node }) => taken.has(node.id));
  const pieces = shown.map((candidate): ContextPiece => {
    const { id, version, scope, origin } = candidate.node;
    const bodyChars = taken.get(id) ?? 0;
    const isVeiled = candidate.node.isVeiled === true;
    const text = renderPiece(candidate, bodyChars);
    return { id, version, scope, origin: isVeiled ? 'agent' : origin, isVeiled, text, bodyChars };
  });
  const missing = candidates.filter(({ node }) => !taken.has(node.id));
  const objects = missing.filter(({ node }) => node.isVeiled !== true).map(({ node }) => node.id);
  const veiledCount = missing.length - objects.length;
  const bodies = shown
    .filter(({ node, hasBody }) => hasBody && (taken.get(node.id) ?? 0) < bodyOf(node).length)
    .map(({ node }) => node.id);
  const lines = [
    candidates.length === 0 ? NONE : HEADER,
    ...pieces.map(({ text }) => text),
    leftOutLine(objects.length, bodies.length, veiledCount, peripheralCount),
  ].filter((line) => line !== '');
  return {
    pieces,
    text: view.tokensMax < frame ? '' : lines.join('\n'),
    seen: pieces
      .filter(({ isVeiled }) => !isVeiled)
      .map(({ id, version, origin }) => ({ id, version, ...(origin === 'outside' ? { origin } : {}) })),
    ...(pieces.length === 0 ? {} : { origin: joinOrigins(pieces.map(({ origin }) => origin)) }),
    leftOut: { objects, bodies, veiledCount, peripheralCount },
  };
};

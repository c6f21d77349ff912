/**
 * Renders the part of memory a model is shown: in full what it looks at, in outline what lies
 * around it. Pieces are taken in order of worth until the next one does not fit, so that a larger
 * budget never shows less. Notes from outside have a share of the room, and beyond it only what the
 * owner's notes leave. A hidden note shows no word, so it neither taints nor counts as seen. Pure.
 */
import { estimateTokens } from '../base/estimate-tokens.ts';
import { joinOrigins, type Origin } from '../signal/signal.ts';
import { cleanText, showText } from './blocks.ts';
import { buildContextTree, type Candidate, type ContextNode, type Gaze, selectContext } from './foveal-select.ts';

/** Percent of the room that notes from outside may take from the owner's. */
const CONTEXT_OUTSIDE_PERCENT_MAX = 30;
/** Lines that say "a note from outside". The rest are counted. */
export const CONTEXT_HIDDEN_MAX = 3;
export const CONTEXT_TITLE_CHARS_MAX = 200;
/** A body is shown in pieces of this length. */
const CONTEXT_BODY_PIECE_CHARS = 600;

export interface ContextView extends Gaze {
  /** Every object that may be shown. An ancestor that is missing hides nothing. */
  readonly nodes: readonly ContextNode[];
  readonly privacyTags: readonly string[];
  readonly tokensMax: number;
}

export type MemoryContext = Omit<ContextView, 'tokensMax'>;

interface ContextPiece {
  readonly id: string;
  readonly version: number;
  readonly scope: ContextNode['scope'];
  /** Origin of the words. `agent` for a hidden note, because code wrote its line. */
  readonly origin: Origin;
  readonly isHidden: boolean;
  readonly text: string;
  /** Characters of the body shown; 0 in an outline. */
  readonly bodyChars: number;
}

export interface RenderedContext {
  readonly pieces: readonly ContextPiece[];
  /** Empty if not even its frame fits. */
  readonly text: string;
  /** The exact versions shown, in full or in part. A decision names them. */
  readonly seen: readonly { readonly id: string; readonly version: number; readonly origin?: 'outside' }[];
  /** Worst origin of the pieces; undefined if there are none. */
  readonly origin?: Origin | undefined;
  readonly leftOut: {
    /** Objects without room. */
    readonly objects: readonly string[];
    /** Objects whose body is cut or left out. */
    readonly bodies: readonly string[];
    /** Hidden notes that are only counted. */
    readonly hiddenCount: number;
    /** Deeper objects of active projects. */
    readonly peripheralCount: number;
  };
}

const HEADER = 'What you remember, in outline; in full what is close to this. recall finds more, by words or by id.';
const NONE = 'No active projects, and nothing close to this.';
/** Longest `leftOutLine`. */
const LEFT_OUT_CHARS_MAX = 160;

const leftOutLine = (objects: number, bodies: number, hidden: number, peripheral: number): string => {
  const parts = [
    ...(objects > 0 ? [`${objects} objects`] : []),
    ...(bodies > 0 ? [`the rest of ${bodies} texts`] : []),
  ];
  const room = parts.length === 0 ? '' : `Left out for lack of room: ${parts.join(', ')}.`;
  const deep = peripheral === 0 ? '' : `Not shown: ${peripheral} deeper objects.`;
  const outside = hidden === 0 ? '' : `And ${hidden} more notes from outside.`;
  return [room, outside, deep].filter((part) => part !== '').join(' ');
};

/** Never cuts a surrogate pair. */
const cut = (text: string, charsMax: number): string => {
  const isInside = text.length > charsMax && /[\ud800-\udbff]/.test(text[charsMax - 1] ?? '');
  return text.slice(0, isInside ? charsMax - 1 : charsMax);
};

const titleOf = ({ title }: ContextNode): string =>
  cut(title.replace(/\s+/gu, ' ').trim(), CONTEXT_TITLE_CHARS_MAX) || 'Untitled';

const bodyOf = ({ content }: ContextNode): string => content.trim();

const HIDDEN = 'a note from outside';

const renderPiece = ({ node, depth, similarity }: Candidate, bodyChars: number): string => {
  const start = `${'  '.repeat(Math.min(depth, 8) - 1)}- ${cleanText(node.id)} v${node.version}`;
  if (node.isHidden === true) return `${start} (${node.scope}, ${node.origin}): ${HIDDEN}`;
  const labels = [node.scope, node.origin, ...(similarity === undefined ? [] : [`close ${similarity.toFixed(2)}`])];
  const body = bodyOf(node);
  const shownBody = cut(body, bodyChars);
  const more = bodyChars > 0 && shownBody.length < body.length ? ' […]' : '';
  const words = [node.todo ?? '', titleOf(node)].filter((word) => word !== '').join(' ');
  const content = bodyChars === 0 ? words : `${words}\n${shownBody}${more}`;
  const shown = showText(content, node.origin, `memory ${node.id}`);
  return `${start} (${labels.join(', ')}): ${shown}`;
};

interface DepthStep {
  readonly candidate: Candidate;
  readonly worth: number;
  /** Characters of the body shown after this step. */
  readonly bodyChars: number;
  /** Rounded up. */
  readonly tokens: number;
}

/** The first piece comes right after the titles of its kind, later ones are worth less and less. */
const bodyWorth = (worth: number, piece: number): number => (piece === 0 ? worth - 0.5 : worth / (2 + piece));

const stepsOf = (candidate: Candidate): readonly DepthStep[] => {
  const sizeOf = (bodyChars: number): number => estimateTokens(`${renderPiece(candidate, bodyChars)}\n`);
  const { worth } = candidate;
  const steps: DepthStep[] = [{ candidate, worth, bodyChars: 0, tokens: sizeOf(0) }];
  if (!candidate.hasBody) return steps;
  const body = bodyOf(candidate.node);
  // Each piece is counted alone, so that the work stays linear. The first includes the mark of a
  // cut.
  for (let at = 0, piece = 0; at < body.length; piece += 1) {
    const next = Math.min(body.length, at + CONTEXT_BODY_PIECE_CHARS);
    const tokens = estimateTokens(`${cleanText(body.slice(at, next))}${piece === 0 ? '\n […]' : ''}`) + 2;
    steps.push({ candidate, worth: bodyWorth(worth, piece), bodyChars: next, tokens });
    at = next;
  }
  return steps;
};

/** Most worth first; equal ones in the outline's order, a title before its body. */
const byWorth = (a: DepthStep, b: DepthStep): number =>
  b.worth - a.worth || a.candidate.order - b.candidate.order || a.bodyChars - b.bodyChars;

/** Characters of the body by object, for objects that are shown. */
const takeSteps = (steps: readonly DepthStep[], room: number): ReadonlyMap<string, number> => {
  const taken = new Map<string, number>();
  let tokens = 0;
  for (const step of steps) {
    tokens += step.tokens;
    if (tokens > room) break;
    taken.set(step.candidate.node.id, step.bodyChars);
  }
  return taken;
};

const tokensOf = (steps: readonly DepthStep[]): number => steps.reduce((sum, { tokens }) => sum + tokens, 0);

const stepsInOrder = (candidates: readonly Candidate[]): readonly DepthStep[] =>
  candidates.flatMap(stepsOf).sort(byWorth);

const isOutside = ({ node }: Candidate): boolean => node.isOutside === true || node.isHidden === true;

/** Notes from outside: those asked for, then a few hidden ones. */
const outsideSteps = (candidates: readonly Candidate[]): readonly DepthStep[] => {
  const outside = candidates.filter(isOutside);
  const hidden = outside.filter(({ node }) => node.isHidden === true).slice(0, CONTEXT_HIDDEN_MAX);
  return [...stepsInOrder(outside.filter(({ node }) => node.isHidden !== true)), ...stepsInOrder(hidden)];
};

/** Both parts grow with the room, so that more room never shows less of either. */
const takeShared = (candidates: readonly Candidate[], room: number): ReadonlyMap<string, number> => {
  const own = stepsInOrder(candidates.filter((one) => !isOutside(one)));
  const outside = outsideSteps(candidates);
  const outsideRoom = Math.min(tokensOf(outside), Math.floor((Math.max(0, room) * CONTEXT_OUTSIDE_PERCENT_MAX) / 100));
  return new Map([
    ...takeSteps(own, room - outsideRoom),
    ...takeSteps(outside, Math.max(outsideRoom, room - tokensOf(own))),
  ]);
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
    const isHidden = candidate.node.isHidden === true;
    const text = renderPiece(candidate, bodyChars);
    return { id, version, scope, origin: isHidden ? 'agent' : origin, isHidden, text, bodyChars };
  });
  const missing = candidates.filter(({ node }) => !taken.has(node.id));
  const objects = missing.filter(({ node }) => node.isHidden !== true).map(({ node }) => node.id);
  const hiddenCount = missing.length - objects.length;
  const bodies = shown
    .filter(({ node, hasBody }) => hasBody && (taken.get(node.id) ?? 0) < bodyOf(node).length)
    .map(({ node }) => node.id);
  const lines = [
    candidates.length === 0 ? NONE : HEADER,
    ...pieces.map(({ text }) => text),
    leftOutLine(objects.length, bodies.length, hiddenCount, peripheralCount),
  ].filter((line) => line !== '');
  return {
    pieces,
    text: view.tokensMax < frame ? '' : lines.join('\n'),
    seen: pieces
      .filter(({ isHidden }) => !isHidden)
      .map(({ id, version, origin }) => ({ id, version, ...(origin === 'outside' ? { origin } : {}) })),
    ...(pieces.length === 0 ? {} : { origin: joinOrigins(pieces.map(({ origin }) => origin)) }),
    leftOut: { objects, bodies, hiddenCount, peripheralCount },
  };
};

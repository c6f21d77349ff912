/**
 * Where what memory holds of an object was said: turns it was written in (its sources), trees of files and buffers that hold it (also
 * those that changed nothing of it) and turns it was shown in, followed by ids and keys alone, and other signals that hold its words literally, which are only named. A turn that merely had it in its prompt among
 * others counts where what came of it has its words, or most of them: else every answer since would go. Reads only.
 */

import { parseDecision, parseRecord } from '../../ledger/ledger.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import { type FeedTable, type WalkedSignal, walkFeed } from '../../ledger/walk-feed.ts';
import { partSignalsOf } from '../../memory/tree-parts.ts';
import type { Decision } from '../../signal/decision.ts';
import { rootOf } from '../../signal/ids.ts';
import { signalKeys } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { keptIdOf, parseOutputId } from '../../tools/kept-output.ts';
import { shownInResults } from '../../tools/show-objects.ts';

/** Shortest text, and line of a text, that is looked for word for word when it is forgotten; and how many. */
const LITERAL_CHARS_MIN = 6;
const LITERAL_LINE_CHARS_MIN = 16;
const LITERALS_MAX = 200;
/** Share of a note's longer words that makes an answer count as made of it. */
const LITERAL_SHARE_PERCENT = 60;

export interface TraceQuestion {
  readonly objectIds: ReadonlySet<string>;
  /** Signals that wrote any version of them. */
  readonly sources: ReadonlySet<string>;
  /** What names them, and nothing else, in trees that were sent. */
  readonly keys: ReadonlySet<string>;
  /** Words to be found again, by `literalsOf`. */
  readonly literals: readonly string[];
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface Traces {
  /** Signals of the turns it was written in. */
  readonly written: readonly string[];
  /** Signals of other turns, in which it was shown. */
  readonly shown: readonly string[];
  /** Signals that hold its words, and no link says why. */
  readonly literal: readonly string[];
  /** All signals looked at, by the root of their turn. */
  readonly turns: ReadonlyMap<string, readonly string[]>;
  /** Commands that made a grant from an approval. */
  readonly granting: readonly string[];
  readonly isWhole: boolean;
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** The text whole, and its longer lines: shorter ones stand everywhere. */
export const literalsOf = (texts: readonly string[]): readonly string[] => {
  const whole = texts.map(plain).filter((text) => text.length >= LITERAL_CHARS_MIN);
  const lines = texts
    .flatMap((text) => text.split('\n').map(plain))
    .filter((line) => line.length >= LITERAL_LINE_CHARS_MIN);
  return [...new Set([...whole, ...lines])].slice(0, LITERALS_MAX);
};

const WORD = /[\p{L}\p{N}]{4,}/gu;

/** Distinct longer words of each text. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(WORD) ?? []);

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object')
    for (const child of Object.values(value)) yield* stringsIn(child);
}

export const holdsLiteral = (value: unknown, literals: readonly string[]): boolean => {
  if (literals.length === 0) return false;
  for (const text of stringsIn(value)) {
    const said = plain(text);
    if (literals.some((literal) => said.includes(literal))) return true;
  }
  return false;
};

/** Whether some text has most of the words of one of these, in whatever order. */
export const resembles = (value: unknown, literals: readonly string[]): boolean => {
  const said = new Set<string>();
  for (const text of stringsIn(value)) for (const word of wordsOf(plain(text))) said.add(word);
  return literals.some((literal) => {
    const words = [...wordsOf(literal)];
    const shared = words.filter((word) => said.has(word)).length;
    return shared > 0 && shared * 100 >= words.length * LITERAL_SHARE_PERCENT;
  });
};

const tolerant = <T>(parse: () => T): T | undefined => {
  try {
    return parse();
  } catch {
    return undefined;
  }
};

interface Looked {
  readonly id: string;
  readonly root: string;
  readonly isShown: boolean;
  /** It was among what its prompt or a tool showed. */
  readonly isThere: boolean;
  /** Asks for a summary of these turns, or of a summary of them. */
  readonly summarised: readonly string[];
  /** A tree, or a part of one, that it is in; and the signals that hold the other parts. */
  readonly isInTree: boolean;
  readonly parts: readonly string[];
  /** What the agent or its tools said holds the words; and what a person or the outside said. */
  readonly isLiteral: boolean;
  readonly isSaid: boolean;
  readonly isGranting: boolean;
}

interface Read {
  readonly id: string;
  readonly record: SignalRecord;
  readonly decision: Decision | undefined;
}

const parseSignal = ({ pk, record: item, decision: decisionItem }: WalkedSignal): readonly Read[] => {
  const id = pk.split('#').slice(2).join('#');
  const record = tolerant(() => parseRecord(id, item));
  if (record === undefined) return [];
  const decided = (stored: Item | undefined) =>
    stored === undefined ? undefined : tolerant(() => parseDecision(id, stored));
  return [{ id, record, decision: decided(decisionItem) }];
};

const resultsOf = ({ payload }: SignalRecord['signal']) => ('results' in payload ? payload.results : []);

/** Long outputs of a turn are kept beside their effects; what the signals hold of them is the beginning. By signal. */
const loadKept = async (
  table: FeedTable,
  space: string,
  signals: readonly Read[],
): Promise<ReadonlyMap<string, readonly unknown[]>> => {
  const named = signals.flatMap(({ id, record }) =>
    resultsOf(record.signal).flatMap(({ output }) => {
      const kept = parseOutputId(keptIdOf(output) ?? '');
      return kept === undefined || rootOf(kept.signalId) !== rootOf(id) ? [] : [{ id, ...kept }];
    }),
  );
  const keys = named.map(({ signalId, n }) => signalKeys.output(space, signalId, n));
  const items = await table.load(keys, { isConsistent: true });
  const texts = new Map<string, unknown[]>();
  for (const [at, { id }] of named.entries()) texts.set(id, [...(texts.get(id) ?? []), items[at]?.text]);
  return texts;
};

/** Trees of any form: what a key names is found also where the rest makes no sense. */
const holdsKey = (payload: SignalRecord['signal']['payload'], keys: ReadonlySet<string>): boolean => {
  const nodes = payload.sensor === 'buffer-update' ? payload.tree.nodes : undefined;
  return (
    Array.isArray(nodes) &&
    nodes.some((node) => node !== null && typeof node === 'object' && 'key' in node && keys.has(String(node.key)))
  );
};

const look = ({ id, record, decision }: Read, kept: readonly unknown[], question: TraceQuestion): Looked => {
  const { payload } = record.signal;
  const results = resultsOf(record.signal);
  const { literals } = question;
  const isOne = ({ id: one }: { readonly id: string }): boolean => question.objectIds.has(one);
  const own = 'results' in payload ? [] : [payload];
  const made = [
    record.replies,
    results,
    kept,
    decision?.attempt?.proposal,
    decision?.actions.map(({ action }) => action),
  ];
  const isTold = shownInResults(results).some(isOne);
  const isSeen = decision?.seen?.some(isOne) === true;
  const isLiteral = holdsLiteral(made, literals);
  const isAnswer = decision?.attempt === undefined;
  return {
    id,
    root: rootOf(id),
    isThere: isTold || isSeen,
    summarised:
      payload.sensor !== 'session-summary'
        ? []
        : [...payload.turns, ...(payload.summary === undefined ? [] : [payload.summary])],
    isInTree: holdsKey(payload, question.keys),
    parts: partSignalsOf(payload),
    isShown: isTold || (isSeen && (isAnswer || isLiteral || resembles(made, literals))),
    isLiteral,
    isSaid: holdsLiteral(own, literals),
    isGranting: payload.sensor === 'command' && payload.name === 'grant-add',
  };
};

export const findTraces = async (table: FeedTable, space: string, question: TraceQuestion): Promise<Traces> => {
  const looked: Looked[] = [];
  const isWhole = await walkFeed(table, space, question.since, async (signals) => {
    const read = signals.flatMap(parseSignal);
    const kept = await loadKept(table, space, read);
    looked.push(...read.map((one) => look(one, kept.get(one.id) ?? [], question)));
  });
  const sourceRoots = [...question.sources].map(rootOf);
  const thereRoots = looked.filter(({ isThere }) => isThere).map(({ root }) => root);
  const sources = new Set([...sourceRoots, ...thereRoots, ...question.objectIds]);
  // Also of a summary that is still under way, and in no memory yet.
  const summaryRoots = looked
    .filter(({ summarised }) => summarised.some((id) => sources.has(id)))
    .map(({ root }) => root);
  const pieces = new Set(looked.filter(({ isInTree }) => isInTree).map(({ id }) => id));
  const treeRoots = looked
    .filter(({ id, parts }) => pieces.has(id) || parts.some((part) => pieces.has(part)))
    .map(({ root }) => root);
  const writtenRoots = new Set([...sourceRoots, ...summaryRoots, ...treeRoots]);
  const shownRoots = new Set(looked.filter(({ isShown }) => isShown).map(({ root }) => root));
  const written = looked.filter(({ root }) => writtenRoots.has(root)).map(({ id }) => id);
  return {
    // A source older than what was walked is there all the same.
    written: [...new Set([...written, ...writtenRoots, ...question.sources])],
    shown: looked.filter(({ root }) => shownRoots.has(root) && !writtenRoots.has(root)).map(({ id }) => id),
    literal: looked
      .filter(
        ({ root, isLiteral, isSaid }) => !writtenRoots.has(root) && (isSaid || (isLiteral && !shownRoots.has(root))),
      )
      .map(({ id }) => id),
    turns: new Map(
      [...Map.groupBy(looked, ({ root }) => root)].map(([root, some]) => [root, some.map(({ id }) => id)]),
    ),
    granting: looked.filter(({ isGranting }) => isGranting).map(({ id }) => id),
    isWhole,
  };
};

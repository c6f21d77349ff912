/**
 * Finds where a note was said: turns that wrote it, trees that hold it, turns that were shown it,
 * and summaries of any of these. Follows recorded links only: ids and keys that code stored. Beside
 * them, one literal search names further signals in which the same words stand. A turn that merely
 * had the note in its prompt, among others, counts as shown only if its answer repeats the note's
 * words: else every answer since would go. Reads only.
 */
import type { JsonObject } from '../../core/base/json.ts';
import { type FeedTable, type WalkedSignal, walkFeed } from '../../core/ledger/walk-feed.ts';
import { partSignalsOf } from '../../core/memory/tree-update.ts';
import { mayChange } from '../../core/signal/changing-tools.ts';
import { rootOf } from '../../core/signal/ids.ts';
import type { Payload } from '../../core/signal/signal.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { longOutputId, parseOutputId } from '../../core/tools/long-output.ts';
import { NAMING, namedInOutput, shownInResults } from '../../core/tools/show-objects.ts';

/** Shorter texts and lines are too common, so they are not searched for. */
const LITERAL_CHARS_MIN = 6;
const LITERAL_LINE_CHARS_MIN = 16;
/** Texts and lines searched for. */
const LITERALS_MAX = 200;

const normalise = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** The words to search for: each text as a whole, and its longer lines. */
export const literalsOf = (texts: readonly string[]): readonly string[] => {
  const whole = texts.map(normalise).filter((text) => text.length >= LITERAL_CHARS_MIN);
  const lines = texts.flatMap((text) => text.split('\n').map(normalise));
  return [...new Set([...whole, ...lines.filter((line) => line.length >= LITERAL_LINE_CHARS_MIN)])].slice(
    0,
    LITERALS_MAX,
  );
};

/** Whether a text anywhere inside the value holds one of the literals. */
export const holdsLiteral = (value: unknown, literals: readonly string[]): boolean => {
  if (typeof value === 'string') {
    const text = normalise(value);
    return literals.some((literal) => text.includes(literal));
  }
  return (
    value !== null && typeof value === 'object' && Object.values(value).some((child) => holdsLiteral(child, literals))
  );
};

export interface TraceQuestion {
  readonly objectIds: ReadonlySet<string>;
  /** Signals that wrote any version of them. */
  readonly sources: ReadonlySet<string>;
  /** Keys that name them, and nothing else, in trees that were sent. */
  readonly keys: ReadonlySet<string>;
  /** Made by `literalsOf`. */
  readonly literals: readonly string[];
  readonly since: number;
}

export interface Traces {
  /** Signals of the turns that wrote it. */
  readonly written: readonly string[];
  /** Signals of other turns, which were shown it. */
  readonly shown: readonly string[];
  /** Signals that hold its words without a recorded link. */
  readonly literal: readonly string[];
  /** All signals that were read, by the root of their turn. */
  readonly turns: ReadonlyMap<string, readonly string[]>;
  /** Commands and accepted offers that made a grant from an approval. */
  readonly granting: readonly string[];
  readonly isWhole: boolean;
}

const resultsOf = (payload: Payload) => ('results' in payload ? payload.results : []);

/** Long outputs, by signal id: signals hold only the beginning. */
const loadLongOutputs = async (table: FeedTable, space: string, signals: readonly WalkedSignal[]) => {
  const outputs = signals.flatMap(({ id, record }) =>
    resultsOf(record.signal.payload).flatMap(({ output }) => {
      const kept = parseOutputId(longOutputId(output) ?? '');
      return kept === undefined || rootOf(kept.signalId) !== rootOf(id) ? [] : [{ id, ...kept }];
    }),
  );
  const items = await table.load(
    outputs.map(({ signalId, n }) => signalKeys.output(space, signalId, n)),
    { isConsistent: true },
  );
  return Map.groupBy(
    outputs.map(({ id }, at) => ({ id, text: items[at]?.text })),
    ({ id }) => id,
  );
};

const holdsKey = (payload: Payload, keys: ReadonlySet<string>): boolean => {
  const nodes = payload.sensor === 'buffer-update' ? payload.tree.nodes : undefined;
  return (
    Array.isArray(nodes) &&
    nodes.some((node) => node !== null && typeof node === 'object' && 'key' in node && keys.has(String(node.key)))
  );
};

/** Outputs that name what they hold, by signal id: a run may end with them. */
const loadNamingOutputs = async (table: FeedTable, space: string, signals: readonly WalkedSignal[]) => {
  const calls = signals.flatMap(({ id, decision }) =>
    (decision?.actions ?? []).flatMap(({ action }, n) => (NAMING.has(action.tool) ? [{ id, n }] : [])),
  );
  const items = await table.load(
    calls.map(({ id, n }) => signalKeys.effect(space, id, n)),
    { isConsistent: true },
  );
  const named = calls.map(({ id }, at) => ({ id, ...namedInOutput(String(items[at]?.output ?? '')) }));
  return Map.groupBy(named, ({ id }) => id);
};

type NamingOutputs = NonNullable<
  Awaited<ReturnType<typeof loadNamingOutputs>> extends Map<string, infer List> ? List : never
>;

/** The tool whose calls name the notes they change. */
const EDIT_TOOL = 'edit-memory';

const hasValue = (args: JsonObject, ids: ReadonlySet<string>): boolean =>
  Object.values(args).some((value) => typeof value === 'string' && ids.has(value));

/** Says what one signal has to do with the note. */
const inspect = (
  { id, record, decision }: WalkedSignal,
  longOutputs: unknown,
  named: NamingOutputs,
  question: TraceQuestion,
) => {
  const { payload } = record.signal;
  const { objectIds, keys, literals } = question;
  const isObject = (one: { readonly id: string }): boolean => objectIds.has(one.id);
  const results = resultsOf(payload);
  const actions = decision?.actions.map(({ action }) => action);
  const tools = actions?.map(({ tool }) => tool) ?? [];
  const saidByAgent = [record.replies, results, longOutputs, decision?.attempt?.proposal, actions];
  const isShownByTool = [...shownInResults(results), ...named.flatMap(({ objects }) => objects)].some(isObject);
  const isInPrompt = decision?.seen?.some(isObject) === true;
  const isSaidByAgent = holdsLiteral(saidByAgent, literals);
  // The card and the answer of a change show the note as it was.
  const isEdited = actions?.some(({ tool, args = {} }) => tool === EDIT_TOOL && hasValue(args, objectIds)) === true;
  return {
    id,
    root: rootOf(id),
    isInTree: holdsKey(payload, keys),
    treeParts: partSignalsOf(payload),
    isPresent: isShownByTool || isInPrompt,
    // An answer without an attempt was made by code from exactly what it shows.
    isShown: isShownByTool || isEdited || (isInPrompt && (decision?.attempt === undefined || isSaidByAgent)),
    isSaidByAgent,
    isSaidByPerson: !('results' in payload) && holdsLiteral(payload, literals),
    summarised: payload.sensor === 'session-summary' ? [...payload.turns, payload.summary ?? ''] : [],
    gathered: named.flatMap(({ turns }) => turns),
    isGranting:
      (payload.sensor === 'command' && ['grants', 'grant-add'].includes(payload.name)) ||
      tools.some((tool = '') => mayChange(tool, 'grant')),
  };
};

export const findTraces = async (table: FeedTable, space: string, question: TraceQuestion): Promise<Traces> => {
  const signals: ReturnType<typeof inspect>[] = [];
  const isWhole = await walkFeed(table, space, question.since, async (walked) => {
    const longOutputs = await loadLongOutputs(table, space, walked);
    const named = await loadNamingOutputs(table, space, walked);
    signals.push(...walked.map((one) => inspect(one, longOutputs.get(one.id), named.get(one.id) ?? [], question)));
  });
  const rootsWhere = (isIn: (one: ReturnType<typeof inspect>) => boolean): readonly string[] =>
    signals.filter(isIn).map(({ root }) => root);
  const sourceRoots = [...question.sources].map(rootOf);
  // A summary that is still under way stands in no memory yet: its signal names what it is made
  // from.
  const summarised = new Set([...sourceRoots, ...rootsWhere(({ isPresent }) => isPresent), ...question.objectIds]);
  const pieces = new Set(signals.filter(({ isInTree }) => isInTree).map(({ id }) => id));
  const first = new Set([
    ...sourceRoots,
    ...rootsWhere((one) => one.summarised.some((id) => summarised.has(id))),
    ...rootsWhere(({ id, treeParts }) => pieces.has(id) || treeParts.some((part) => pieces.has(part))),
  ]);
  const shown = new Set(rootsWhere(({ isShown }) => isShown));
  // A run that gathered an erased turn holds its words.
  const written = new Set([
    ...first,
    ...rootsWhere(({ gathered }) => gathered.some((root) => first.has(root) || shown.has(root))),
  ]);
  const idsWhere = (isIn: (one: ReturnType<typeof inspect>) => boolean): readonly string[] =>
    signals.filter(isIn).map(({ id }) => id);
  const byRoot = Map.groupBy(signals, ({ root }) => root);
  return {
    // A source may be older than the feed that was walked.
    written: [...new Set([...idsWhere(({ root }) => written.has(root)), ...written, ...question.sources])],
    shown: idsWhere(({ root }) => shown.has(root) && !written.has(root)),
    literal: idsWhere(
      ({ root, isSaidByPerson, isSaidByAgent }) =>
        !written.has(root) && (isSaidByPerson || (isSaidByAgent && !shown.has(root))),
    ),
    turns: new Map([...byRoot].map(([root, turn]) => [root, turn.map(({ id }) => id)])),
    granting: idsWhere(({ isGranting }) => isGranting),
    isWhole,
  };
};

/** Gathers the messages since the Scribe's last period. Without news no model is asked (I12). */
import { DAY_MS, TOOL_OUTPUT_CHARS_MAX } from '../../core/base/limits.ts';
import type { SignalRecord } from '../../core/ledger/record.ts';
import type { WalkedSignal } from '../../core/ledger/walk-feed.ts';
import type { MemoryView } from '../../core/memory/read.ts';
import { summarySources } from '../../core/memory/summary.ts';
import { askerOf, isOwnerSpeaking } from '../../core/signal/asker.ts';
import { isGroup } from '../../core/signal/channels.ts';
import { rootOf } from '../../core/signal/ids.ts';
import { isFinal, joinOrigins, type Origin } from '../../core/signal/signal.ts';
import { hasPrivateTag, isPrivateText } from '../../core/text/privacy.ts';
import { powerOf, type ToolContext, type ToolOutput } from '../../core/tools/tool.ts';
import { GATHERED_TURNS_MAX } from './tools.ts';

/** Each side of a turn: the rest of a long text seldom holds what is worth a note. */
const SIDE_CHARS_MAX = 1_200;
/** The JSON of all turns, with room for the fields around it. */
const TEXT_CHARS_MAX = TOOL_OUTPUT_CHARS_MAX - 4_096;

interface GatheredTurn {
  /** Its root signal. */
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly origin: Origin;
}

interface Gathered {
  /** Oldest first. */
  readonly turns: readonly GatheredTurn[];
  /** Everything up to here was looked at, epoch milliseconds. */
  readonly until: number;
}

interface Look {
  /** The message that began the turn, if a person's conversation did. */
  readonly record?: SignalRecord;
  readonly isOpen: boolean;
  readonly isOut: boolean;
}

const textsOf = ({ signal: { payload }, replies = [] }: SignalRecord) =>
  'text' in payload ? [...payload.text, ...replies] : replies;

/** Anything from outside, erased or private in one signal of a turn. */
const isLeftOut = ({ record, decision }: WalkedSignal, privacyTags: readonly string[]): boolean => {
  const { payload } = record.signal;
  const results = 'results' in payload ? payload.results : [];
  const texts = [...textsOf(record), ...results.map(({ output, origin }) => ({ text: output, origin }))];
  if (record.forgottenAt !== undefined || decision?.forgottenAt !== undefined) return true;
  if (texts.some(({ text, origin }) => origin === 'outside' || isPrivateText(text, privacyTags))) return true;
  return (decision?.actions ?? []).some(({ action: { args = {} }, facts }) => {
    const tags = Array.isArray(args.tags) ? args.tags.map(String) : [];
    return facts.some(({ origin }) => origin === 'outside') || hasPrivateTag(tags, privacyTags);
  });
};

const isConversation = ({ signal }: SignalRecord): boolean =>
  signal.payload.sensor === 'chat-message' && isOwnerSpeaking(askerOf(signal)) && !isGroup(signal.reply);

const cut = (text: string): string =>
  text.length <= SIDE_CHARS_MAX ? text : `${text.slice(0, SIDE_CHARS_MAX).toWellFormed()} […]`;

const sideOf = (texts: readonly { readonly text: string }[]): string =>
  cut(texts.map(({ text }) => text.trim()).join('\n')) || '[nothing]';

const showTurn = ({
  signal: { id, receivedAt, payload },
  replies = [],
  toolCalls = [],
}: SignalRecord): GatheredTurn => {
  const person = 'text' in payload ? payload.text : [];
  const tools = toolCalls.map(({ tool, state }) => `[${tool}: ${state}]`).join(' ');
  const lines = [`Person: ${sideOf(person)}`, ...(tools === '' ? [] : [`Tools: ${tools}`]), `You: ${sideOf(replies)}`];
  const origin = joinOrigins(['agent', ...[...person, ...replies].map((piece) => piece.origin)]);
  return { id, at: receivedAt, text: lines.join('\n'), origin };
};

/** Turns that a summary of their conversation holds. */
const summarisedTurns = ({ objects }: MemoryView): ReadonlySet<string> =>
  new Set(
    [...objects.values()].flatMap((object) =>
      object.state === 'live' && object.type === 'summary' ? summarySources(object).turns : [],
    ),
  );

/** Takes signals in any order. */
const buildGathering = (privacyTags: readonly string[]) => {
  const looks = new Map<string, Look>();
  const visit = (signals: readonly WalkedSignal[]): void => {
    for (const walked of signals) {
      const root = rootOf(walked.id);
      const before = looks.get(root);
      const own = walked.id === root && isConversation(walked.record) ? { record: walked.record } : {};
      looks.set(root, {
        ...before,
        ...own,
        isOpen: before?.isOpen === true || !isFinal(walked.record.state),
        isOut: before?.isOut === true || isLeftOut(walked, privacyTags),
      });
    }
  };
  return {
    visit,
    finish: (from: number, until: number, held: ReadonlySet<string>) => choose(looks, from, until, held),
  };
};

const choose = (looks: ReadonlyMap<string, Look>, from: number, until: number, held: ReadonlySet<string>): Gathered => {
  const all = [...looks.values()]
    .flatMap(({ record, ...look }) => (record === undefined ? [] : [{ ...look, record, at: record.signal.receivedAt }]))
    .filter(({ at }) => at > from && at <= until)
    .toSorted((a, b) => a.at - b.at || (a.record.signal.id < b.record.signal.id ? -1 : 1));
  const turns: GatheredTurn[] = [];
  let last = from;
  let room = TEXT_CHARS_MAX;
  for (const { record, at, isOpen, isOut } of all) {
    if (isOpen || turns.length === GATHERED_TURNS_MAX) break;
    if (!isOut && !held.has(record.signal.id)) {
      const turn = showTurn(record);
      room -= JSON.stringify(turn.text).length;
      if (room < 0 && turns.length > 0) break;
      turns.push(turn);
    }
    last = at;
  }
  return { turns, until: last };
};

/** An older turn was missed, as by a service that was down: it is left to summaries. */
const GATHER_BACK_MS = DAY_MS;

type GatherContext = Pick<ToolContext, 'memory' | 'records' | 'privacyTags'>;

/** Turns after `from`, up to and with `until`; epoch milliseconds. */
export const gather = async (
  { memory, records, privacyTags = [] }: GatherContext,
  from: number,
  until: number,
): Promise<Gathered> => {
  const gathering = buildGathering(privacyTags);
  await records.walkSignals(from + 1, gathering.visit);
  return gathering.finish(from, until, summarisedTurns(await memory.view()));
};

export const gatherTurns = async (context: ToolContext): Promise<ToolOutput> => {
  const from = Math.max((await powerOf(context.powers, 'tending').loadScribed()) ?? 0, context.now - GATHER_BACK_MS);
  const { turns, until } = await gather(context, from, context.now);
  const text = turns.map((turn, n) => `Turn ${n + 1}\n${turn.text}`).join('\n\n');
  const output = JSON.stringify({ from, until, turns: turns.map(({ id }) => id), text });
  return { output, origin: joinOrigins(['agent', ...turns.map(({ origin }) => origin)]) };
};

/**
 * Earlier turns as messages, the summary before them, and the text of turns that are to be
 * summarised. A finished turn is always rendered the same way, so that the next prompt begins with
 * the bytes of this one; the oldest leave in whole blocks. Text from outside, and answers written
 * from it, are only outlined, so that taint ends with its turn (I13). Pure.
 */
import { estimateTokens, MESSAGE_TOKENS } from '../base/estimate-tokens.ts';
import { SUMMARY_CHARS_MAX } from '../base/limits.ts';
import type { ChatMessage } from '../llm/chat.ts';
import { joinOrigins, type Origin, type TextPiece } from '../signal/signal.ts';
import { block, cleanText, OUTSIDE_OUTLINE, outlinePieces } from './blocks.ts';
import type { HistoryTurn, SessionSummary } from './prompt-input.ts';

const HISTORY_BLOCK_TOKENS = 1_250;
/** A longer answer keeps its beginning and its end, so that it can be continued. */
const HISTORY_ANSWER_START_CHARS = 1_000;
const HISTORY_ANSWER_END_CHARS = 2_000;

interface ShownTurn {
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
  readonly origins: readonly Origin[];
}

/** A long answer would push out all other turns. */
const shorten = (text: string): string => {
  if (text.length <= HISTORY_ANSWER_START_CHARS + HISTORY_ANSWER_END_CHARS) return text;
  const start = text.slice(0, HISTORY_ANSWER_START_CHARS).toWellFormed();
  return `${start}\n[shortened]\n${text.slice(-HISTORY_ANSWER_END_CHARS).toWellFormed()}`;
};

const showTurn = (turn: HistoryTurn): ShownTurn => {
  const user = outlinePieces(turn.user);
  const answers = turn.agent.map(({ text, origin }) =>
    origin === 'outside' ? OUTSIDE_OUTLINE : cleanText(shorten(text)),
  );
  const toolStates = turn.tools.map(({ tool, state }) => `[${cleanText(tool)}: ${cleanText(state)}]`);
  const agent = [...toolStates, ...answers].join('\n') || '[no answer]';
  return {
    messages: [
      { role: 'user', content: user },
      { role: 'assistant', content: agent, calls: [] },
    ],
    tokens: estimateTokens(user) + estimateTokens(agent) + 2 * MESSAGE_TOKENS,
    // An outline holds no word from outside.
    origins: [...turn.user.filter(({ origin }) => origin !== 'outside').map(({ origin }) => origin), 'agent'],
  };
};

export interface ShownHistory {
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
  readonly origins: readonly Origin[];
  readonly leftOutCount: number;
  /** The summary's version, if it is shown. */
  readonly seen: readonly { readonly id: string; readonly version: number }[];
}

/** Index of the first turn shown: as few blocks of the oldest as possible are left out. */
const firstShown = (tokensOf: readonly number[], tokensMax: number): number => {
  // In a small window a block of the usual size would be the whole history.
  const blockTokens = Math.min(HISTORY_BLOCK_TOKENS, Math.max(1, tokensMax / 2));
  const total = tokensOf.reduce((sum, tokens) => sum + tokens, 0);
  let before = 0;
  let block = 0;
  for (const [index, tokens] of tokensOf.entries()) {
    const own = Math.floor(before / blockTokens);
    const isStart = index === 0 || own > block;
    if (isStart && total - before <= tokensMax) return index;
    block = own;
    before += tokens;
  }
  return tokensOf.length;
};

/** The newest turns, oldest first, without a gap. The summary before them has its room first. */
export const showHistory = (
  turns: readonly HistoryTurn[],
  tokensMax: number,
  summary?: SessionSummary | undefined,
): ShownHistory => {
  const before = summary === undefined ? undefined : showSummary(summary);
  const front = before !== undefined && before.tokens <= tokensMax ? before : undefined;
  const all = turns.map(showTurn);
  const first = firstShown(
    all.map(({ tokens }) => tokens),
    tokensMax - (front?.tokens ?? 0),
  );
  const shown = all.slice(first);
  return {
    messages: [...(front?.messages ?? []), ...shown.flatMap((turn) => turn.messages)],
    tokens: shown.reduce((sum, { tokens }) => sum + tokens, front?.tokens ?? 0),
    origins: [...(front?.origins ?? []), ...shown.flatMap((turn) => turn.origins)],
    leftOutCount: first,
    seen: front?.seen ?? [],
  };
};

export const SUMMARY_INPUT_CHARS_MAX = 16_000;

const CUT = ' […]';

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}${CUT}`;

/** The person's and the agent's own words; empty if all came from outside. */
const ownWords = ({ user, agent }: HistoryTurn): readonly { readonly text: string; readonly origin: Origin }[] =>
  [...user, ...agent].filter(({ origin, text }) => origin !== 'outside' && text.trim() !== '');

const joinTexts = (pieces: readonly { readonly text: string; readonly origin: Origin }[], charsMax: number): string =>
  cut(
    pieces.map(({ text, origin }) => (origin === 'outside' ? OUTSIDE_OUTLINE : cleanText(text))).join('\n'),
    charsMax,
  ) || '[nothing]';

const showLeavingTurn = (turn: HistoryTurn, n: number, charsMax: number): string => {
  const tools = turn.tools.map(({ tool, state }) => `[${cleanText(tool)}: ${cleanText(state)}]`).join(' ');
  const half = Math.floor(charsMax / 2);
  return [
    `Turn ${n}`,
    `Person: ${joinTexts(turn.user, half)}`,
    ...(tools === '' ? [] : [`Tools: ${tools}`]),
    `You: ${joinTexts(turn.agent, half)}`,
  ].join('\n');
};

const TASK = [
  'Task of the system: the turns below are leaving this conversation for lack of room. Call summarise-session once, with a summary that stands for them from now on.',
  `Take up what the summary before them says, if there is one. Keep names, facts, decisions, wishes and what is still open; leave out small talk and how tools were used. Plain sentences, at most ${SUMMARY_CHARS_MAX} characters, in the language that is spoken. Call nothing else.`,
].join(' ');

/** The request for a summary; empty if nobody's own words are in the turns. */
export const showTurnsToSummarise = (turns: readonly HistoryTurn[]): readonly TextPiece[] => {
  const words = turns.flatMap(ownWords);
  if (words.length === 0) return [];
  const each = Math.floor(SUMMARY_INPUT_CHARS_MAX / turns.length);
  const text = turns.map((turn, index) => showLeavingTurn(turn, index + 1, each)).join('\n\n');
  return [
    { text: TASK, origin: 'agent' },
    { text, origin: joinOrigins(['agent', ...words.map(({ origin }) => origin)]) },
  ];
};

const NOTED = 'I have it in mind.';

/** The same bytes until there is a new version. */
export const showSummary = ({ id, version, origin, text }: SessionSummary) => {
  const isOutside = origin === 'outside';
  const words = isOutside ? OUTSIDE_OUTLINE : cleanText(text);
  const label = `summary ${id} v${version} (session, ${origin})`;
  const content = block(label, `Earlier in this conversation, in short:\n${words}`);
  const messages: readonly ChatMessage[] = [
    { role: 'user', content },
    { role: 'assistant', content: NOTED, calls: [] },
  ];
  const origins: readonly Origin[] = [isOutside ? 'agent' : origin];
  const seen: readonly { readonly id: string; readonly version: number }[] = isOutside ? [] : [{ id, version }];
  return { messages, tokens: estimateTokens(content) + estimateTokens(NOTED) + 2 * MESSAGE_TOKENS, origins, seen };
};

/**
 * Earlier turns as user and assistant messages. Append-only: a finished turn is rendered the same way for ever, so the
 * prompt of the next turn begins with the bytes of this one. Where there are too many, whole blocks of the oldest are left
 * out, so that what is left begins with the same turn for several turns. Text from outside, and answers written from it, are
 * only outlined, so that taint ends with its turn (I13). Pure.
 */

import { estimateTokens, MESSAGE_TOKENS } from '../base/estimate-tokens.ts';
import type { ChatMessage } from '../llm/chat.ts';
import type { Origin } from '../signal/signal.ts';
import { cleanText, OUTSIDE_OUTLINE, outlinePieces } from './blocks.ts';
import type { HistoryTurn, SessionSummary } from './prompt-input.ts';
import { showSummary } from './summary-section.ts';

const HISTORY_BLOCK_TOKENS = 1_250;
/** Of a longer answer in the history: its beginning and its end, so that it can be gone on with. */
const HISTORY_ANSWER_START_CHARS = 1_000;
const HISTORY_ANSWER_END_CHARS = 2_000;

export interface ShownTurn {
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
  readonly origins: readonly Origin[];
}

/** A long answer would push all other turns out of the history, and itself. */
const shorten = (text: string): string => {
  if (text.length <= HISTORY_ANSWER_START_CHARS + HISTORY_ANSWER_END_CHARS) return text;
  const start = text.slice(0, HISTORY_ANSWER_START_CHARS).toWellFormed();
  return `${start}\n[shortened]\n${text.slice(-HISTORY_ANSWER_END_CHARS).toWellFormed()}`;
};

export const showTurn = (turn: HistoryTurn): ShownTurn => {
  const user = outlinePieces(turn.user);
  const said = turn.agent.map(({ text, origin }) =>
    origin === 'outside' ? OUTSIDE_OUTLINE : cleanText(shorten(text)),
  );
  const used = turn.tools.map(({ tool, state }) => `[${cleanText(tool)}: ${cleanText(state)}]`);
  const agent = [...used, ...said].join('\n') || '[no answer]';
  return {
    messages: [
      { role: 'user', content: user },
      { role: 'assistant', content: agent, calls: [] },
    ],
    tokens: estimateTokens(user) + estimateTokens(agent) + 2 * MESSAGE_TOKENS,
    // Outlines carry no foreign word, so nothing from outside is left in here.
    origins: [...turn.user.filter(({ origin }) => origin !== 'outside').map(({ origin }) => origin), 'agent'],
  };
};

export interface ShownHistory {
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
  readonly origins: readonly Origin[];
  readonly leftOutCount: number;
  /** The summary, in the version shown. */
  readonly seen: readonly { readonly id: string; readonly version: number }[];
}

/** First turn shown: as few blocks of the oldest as possible are left out, counted from the oldest that is remembered. */
const firstShown = (tokensOf: readonly number[], tokensMax: number): number => {
  // In a small window a block of the usual size would be all there is.
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

/** The newest turns, oldest first, with no gap between them; before them the summary of what came earlier, which has its room first. */
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

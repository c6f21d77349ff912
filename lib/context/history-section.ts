/**
 * Earlier turns as user and assistant messages. Append-only: a finished turn is rendered the same way for ever, so the
 * prompt of the next turn begins with the bytes of this one. Text from outside, and answers written from it, are only
 * outlined, so that taint ends with its turn (I13). Pure.
 */
import type { ChatMessage } from '../llm/chat.ts';
import type { Origin } from '../signal/signal.ts';
import { cleanText, OUTSIDE_OUTLINE, outlinePieces } from './blocks.ts';
import { estimateTokens, MESSAGE_TOKENS } from './estimate-tokens.ts';
import type { HistoryTurn } from './prompt-input.ts';

export interface ShownTurn {
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
  readonly origins: readonly Origin[];
}

export const showTurn = (turn: HistoryTurn): ShownTurn => {
  const user = outlinePieces(turn.user);
  const said = turn.agent.map(({ text, origin }) => (origin === 'outside' ? OUTSIDE_OUTLINE : cleanText(text)));
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
}

/** The newest turns that fit, oldest first, with no gap between them. */
export const showHistory = (turns: readonly HistoryTurn[], tokensMax: number): ShownHistory => {
  const shown: ShownTurn[] = [];
  let tokens = 0;
  for (const turn of turns.toReversed()) {
    const next = showTurn(turn);
    if (tokens + next.tokens > tokensMax) break;
    tokens += next.tokens;
    shown.unshift(next);
  }
  return {
    messages: shown.flatMap((turn) => turn.messages),
    tokens,
    origins: shown.flatMap((turn) => turn.origins),
    leftOutCount: turns.length - shown.length,
  };
};

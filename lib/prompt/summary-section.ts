/**
 * Summaries in prompts: the turns that are to be summarised, as one text, and the summary of what history no longer shows. Of earlier
 * turns no more is told here than history itself tells: text from outside, and what was written from it, is only outlined, so
 * that a summary never carries taint into later turns (I13). Pure.
 */

import { estimateTokens, MESSAGE_TOKENS } from '../base/estimate-tokens.ts';
import { SUMMARY_CHARS_MAX } from '../base/limits.ts';
import type { ChatMessage } from '../llm/chat.ts';
import { joinOrigins, type Origin, type TextPiece } from '../signal/signal.ts';
import { block, cleanText, OUTSIDE_OUTLINE } from './blocks.ts';
import type { HistoryTurn, SessionSummary } from './prompt-input.ts';

export const SUMMARY_INPUT_CHARS_MAX = 16_000;

const CUT = ' […]';

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}${CUT}`;

/** What was said in a turn by the person and by the agent themselves; empty where all of it came from outside. */
const ownWords = ({ user, agent }: HistoryTurn): readonly { readonly text: string; readonly origin: Origin }[] =>
  [...user, ...agent].filter(({ origin, text }) => origin !== 'outside' && text.trim() !== '');

const said = (pieces: readonly { readonly text: string; readonly origin: Origin }[], charsMax: number): string =>
  cut(
    pieces.map(({ text, origin }) => (origin === 'outside' ? OUTSIDE_OUTLINE : cleanText(text))).join('\n'),
    charsMax,
  ) || '[nothing]';

const showTurn = (turn: HistoryTurn, n: number, charsMax: number): string => {
  const tools = turn.tools.map(({ tool, state }) => `[${cleanText(tool)}: ${cleanText(state)}]`).join(' ');
  const half = Math.floor(charsMax / 2);
  return [
    `Turn ${n}`,
    `Person: ${said(turn.user, half)}`,
    ...(tools === '' ? [] : [`Tools: ${tools}`]),
    `You: ${said(turn.agent, half)}`,
  ].join('\n');
};

const TASK = [
  'Task of the system: the turns below are leaving this conversation for lack of room. Call summarise-session once, with a summary that stands for them from now on.',
  `Take up what the summary before them says, if there is one. Keep names, facts, decisions, wishes and what is still open; leave out small talk and how tools were used. Plain sentences, at most ${SUMMARY_CHARS_MAX} characters, in the language that is spoken. Call nothing else.`,
].join(' ');

/** What the model is asked to summarise; none where nobody's own words are in it. The summary before stands at the front of the prompt. */
export const showTurnsToSummarise = (turns: readonly HistoryTurn[]): readonly TextPiece[] => {
  const words = turns.flatMap(ownWords);
  if (words.length === 0) return [];
  const each = Math.floor(SUMMARY_INPUT_CHARS_MAX / turns.length);
  const text = turns.map((turn, index) => showTurn(turn, index + 1, each)).join('\n\n');
  return [
    { text: TASK, origin: 'agent' },
    { text, origin: joinOrigins(['agent', ...words.map(({ origin }) => origin)]) },
  ];
};

const NOTED = 'I have it in mind.';

/** At the front of history: the same bytes until there is a new version. One from outside is outlined as all history is. */
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

/**
 * Builds the prompt: TIME, CONFIG, IDENTITY and TOOLS at the front, then history, then the running
 * turn; the last user message ends with the clock, CONTEXT, LOGS and a rejection. Equal inputs give
 * equal bytes. To fit `tokensMax` it leaves out, in this order, LOGS, CONTEXT, history, waiting
 * messages and the ends of tool outputs; never mandates or the user's words. Pure.
 */
import { hashOf } from '../base/canonical.ts';
import { estimateTokens, MESSAGE_TOKENS } from '../base/estimate-tokens.ts';
import { withoutHidden } from '../base/hidden-text.ts';
import { PROMPT_TOKENS_MAX, TOOL_OUTPUT_CHARS_MAX } from '../base/limits.ts';
import type { ChatMessage, ToolEntry } from '../llm/chat.ts';
import { joinOrigins, type Origin } from '../signal/signal.ts';
import { type RenderedContext, renderContext } from './foveal.ts';
import { type ShownHistory, showHistory } from './history-section.ts';
import type { PromptInput, TurnStep } from './prompt-input.ts';
import { showSkill } from './skill-section.ts';
import { buildSystem, type ShownTools, showTools } from './system-section.ts';
import { buildSituation, type Shown, showLog, showSteps, showWaiting } from './turn-section.ts';

/** Earlier turns. */
const HISTORY_TOKENS_MAX = 2_500;
/** Waiting messages. In a group anybody fills the mailbox. */
const WAITING_TOKENS_MAX = 2_000;
/** Texts that code of skills computed. */
const COMPUTED_TOKENS_MAX = 1_000;
const LOGS_TOKENS_MAX = 500;
const LOG_EVENTS_MAX = 20;
/** A quarter of a prompt, paid with every call. */
export const CONTEXT_TOKENS_MAX = 1_500;

export interface Prompt {
  readonly kind: 'prompt';
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolEntry[];
  /** Hash of system, messages and tools. */
  readonly hash: string;
  /** Estimated. */
  readonly tokens: number;
  /** The parts left out, in words: "3 earlier turns". */
  readonly leftOut: readonly string[];
  /** Worst origin of everything shown. An answer to the prompt has it too (I13). */
  readonly origin: Origin;
  /** Exact versions of the memory objects shown. */
  readonly seen: RenderedContext['seen'];
}

/** The turn's own words and the fixed parts are too long. Code answers in plain words. */
export interface PromptTooLong {
  readonly kind: 'too-long';
  readonly tokens: number;
  readonly tokensMax: number;
}

/** Tool outputs are shortened to these lengths, one after the other, until the turn fits. */
const LEAST_OUTPUT_CHARS = 200;
const OUTPUT_CHARS_STEPS = [TOOL_OUTPUT_CHARS_MAX, 8_000, 4_000, 1_000, LEAST_OUTPUT_CHARS] as const;

/** Titles and blank lines of the situation. */
const SECTION_TOKENS = 40;

const argumentsOf = (message: ChatMessage): string =>
  message.role === 'assistant'
    ? message.calls.map((call) => `${call.id}${call.name}${call.argumentsText}`).join('') +
      (message.thoughts?.text ?? '')
    : '';

/** Makers bill one picture as 260 to 2,500 tokens, by its size. */
const PICTURE_TOKENS = 3_000;

const picturesIn = (message: ChatMessage): number =>
  message.role === 'user' ? (message.pictures?.length ?? 0) * PICTURE_TOKENS : 0;

const pictureTokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, message) => sum + picturesIn(message), 0);

export const hasPictures = ({ messages }: Pick<Prompt, 'messages'>): boolean => pictureTokens(messages) > 0;

const tokensOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, message) =>
      sum + estimateTokens(message.content + argumentsOf(message)) + MESSAGE_TOKENS + picturesIn(message),
    0,
  );

/** The items that fit, in order. One too large is passed over, so it hides no later one. */
const takeFitting = <T>(items: readonly T[], show: (item: T) => string, tokensMax: number) => {
  const taken: T[] = [];
  let tokens = 0;
  for (const item of items) {
    const next = estimateTokens(show(item)) + 1;
    if (tokens + next > tokensMax) continue;
    tokens += next;
    taken.push(item);
  }
  return { taken, tokens };
};

/** The running turn with tool outputs as long as fit; undefined if not even short ones do. */
const fitTurn = (steps: readonly TurnStep[], tokensMax: number) => {
  for (const outputCharsMax of OUTPUT_CHARS_STEPS) {
    const messages = showSteps(steps, outputCharsMax);
    const tokens = tokensOf(messages);
    if (tokens <= tokensMax) return { messages, tokens, isShortened: outputCharsMax !== TOOL_OUTPUT_CHARS_MAX };
  }
  return undefined;
};

interface Rest {
  readonly history: ShownHistory;
  readonly memory: RenderedContext | undefined;
  readonly shown: Shown;
}

/** The owner's come first when room is short, but keep the order they came in. */
const takeWaiting = (mailbox: PromptInput['mailbox'], tokensMax: number) => {
  const isOwners = (pieces: PromptInput['mailbox'][number]): boolean => pieces.some(({ origin }) => origin === 'owner');
  const owners = mailbox.filter(isOwners);
  const others = mailbox.filter((pieces) => !isOwners(pieces));
  const { taken, tokens } = takeFitting([...owners, ...others], showWaiting, tokensMax);
  return { taken: mailbox.filter((pieces) => taken.includes(pieces)), tokens };
};

/** Gives the room that is left to waiting messages, history, CONTEXT and LOGS, in this order. */
const fitRest = (input: PromptInput, skill: string, room: number): Rest => {
  const forMailbox = Math.max(0, room - SECTION_TOKENS);
  const mailbox = takeWaiting(input.mailbox, Math.min(WAITING_TOKENS_MAX, forMailbox));
  const forHistory = forMailbox - mailbox.tokens;
  const history = showHistory(input.history, Math.min(HISTORY_TOKENS_MAX, forHistory), input.summary);
  const forMemory = forHistory - history.tokens;
  const tokensMax = Math.min(CONTEXT_TOKENS_MAX, forMemory);
  const memory = input.memory === undefined ? undefined : renderContext({ ...input.memory, tokensMax });
  const text = memory?.text ?? '';
  const newest = input.logs.slice(-LOG_EVENTS_MAX).toReversed();
  const logs = takeFitting(newest, showLog, Math.min(LOGS_TOKENS_MAX, forMemory - estimateTokens(text)));
  return { history, memory, shown: { skill, mailbox: mailbox.taken, memory: text, logs: logs.taken.toReversed() } };
};

/** The situation ends the last user message, or follows tool results as one of its own. */
const withSituation = (messages: readonly ChatMessage[], situation: string): readonly ChatMessage[] => {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: situation }];
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${situation}` }];
};

const leftOutOf = (
  input: PromptInput,
  { history, memory, shown }: Rest,
  tools: ShownTools,
  isShortened: boolean,
): readonly string[] => {
  const counts: readonly (readonly [number, string])[] = [
    [tools.leftOutCount, 'tools'],
    [Math.min(input.logs.length, LOG_EVENTS_MAX) - shown.logs.length, 'log events'],
    [memory?.leftOut.objects.length ?? 0, 'memory objects'],
    [history.leftOutCount, 'earlier turns'],
    [input.mailbox.length - shown.mailbox.length, 'waiting messages'],
  ];
  const words = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return isShortened ? [...words, 'the ends of tool outputs'] : words;
};

const stepOrigins = (step: TurnStep): readonly Origin[] => {
  switch (step.kind) {
    case 'input':
      return step.pieces.map((piece) => piece.origin);
    case 'answer':
      return [step.origin];
    case 'results':
      return step.results.map((result) => result.origin);
    default:
      return step satisfies never;
  }
};

const originOf = (input: PromptInput, { history, memory, shown }: Rest): Origin =>
  joinOrigins([
    ...input.turn.flatMap(stepOrigins),
    ...history.origins,
    ...(memory?.origin === undefined ? [] : [memory.origin]),
    ...shown.mailbox.flat().map((piece) => piece.origin),
    ...(input.skill === undefined || shown.skill === '' ? [] : [input.skill.origin]),
  ]);

/** A model reads only characters that a person sees. */
const visibleMessage = (message: ChatMessage): ChatMessage => {
  const content = withoutHidden(message.content);
  if (message.role !== 'assistant') return { ...message, content };
  const calls = message.calls.map((call) => ({ ...call, argumentsText: withoutHidden(call.argumentsText) }));
  return { ...message, content, calls };
};

/** Texts and instructions of skills, as far as the turn's own words leave room. */
const fitSkill = (input: PromptInput, room: number, tokensMax: number): string => {
  const { skill, computed = [] } = input;
  if (skill === undefined && computed.length === 0) return '';
  const left = room - tokensOf(showSteps(input.turn, LEAST_OUTPUT_CHARS));
  const texts = takeFitting(computed, (text) => text, Math.min(COMPUTED_TOKENS_MAX, left));
  const instructions = showSkill(skill, left - texts.tokens, tokensMax);
  return [...texts.taken, ...(instructions === '' ? [] : [instructions])].join('\n');
};

export const buildPrompt = (input: PromptInput): Prompt | PromptTooLong => {
  const textMax = Math.min(input.tokensMax ?? PROMPT_TOKENS_MAX, PROMPT_TOKENS_MAX);
  const withPictures = textMax + pictureTokens(showSteps(input.turn, 0));
  const tokensMax = Math.max(textMax, Math.min(withPictures, input.windowTokens ?? 0));
  const tools = showTools(input.tools, tokensMax);
  const system = withoutHidden(buildSystem(input, tools));
  const front = estimateTokens(system) + tools.entryTokens + MESSAGE_TOKENS;
  const bare = { skill: '', memory: '', logs: [], mailbox: [] };
  const least = front + estimateTokens(buildSituation(input, bare)) + MESSAGE_TOKENS;
  const skill = fitSkill(input, tokensMax - least, tokensMax);
  const fixed = least + (skill === '' ? 0 : estimateTokens(skill) + SECTION_TOKENS);
  const turn = fitTurn(input.turn, tokensMax - fixed);
  if (turn === undefined) return { kind: 'too-long', tokens: fixed + tokensOf(showSteps(input.turn, 0)), tokensMax };
  const rest = fitRest(input, skill, tokensMax - fixed - turn.tokens);
  const messages = withSituation([...rest.history.messages, ...turn.messages], buildSituation(input, rest.shown)).map(
    visibleMessage,
  );
  return {
    kind: 'prompt',
    system,
    messages,
    tools: tools.entries,
    hash: hashOf('prompt', { system, messages, tools: tools.entries }),
    tokens: front + tokensOf(messages),
    leftOut: leftOutOf(input, rest, tools, turn.isShortened),
    origin: originOf(input, rest),
    seen: [...rest.history.seen, ...(rest.memory?.seen ?? [])],
  };
};

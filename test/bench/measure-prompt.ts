/**
 * What it costs to put a prompt together for a model with a window of 32 K tokens, in process and
 * full to its bound; and how much of the prompts of a conversation a provider has seen before:
 * bytes at their beginning that the prompt before had too.
 */

import { HISTORY_TURNS_MAX } from '../../lib/core/base/limits.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { HISTORY_TURNS_KEPT } from '../../lib/core/ledger/session.ts';
import { ANSWER_TOKENS_MAX } from '../../lib/core/llm/prices.ts';
import { buildPrompt, type Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { ContextNode } from '../../lib/core/prompt/foveal-select.ts';
import type { HistoryTurn, PromptInput } from '../../lib/core/prompt/prompt-input.ts';
import { TOOL_DESCRIPTIONS } from '../../lib/core/tools/describe-tools.ts';
import { SKILLS } from '../../lib/features/skills/skills.ts';
import { stableShare } from '../core/prompt/stable-share.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';

const WINDOW_TOKENS = 32_768;
const RUNS = 400;
const TURNS = 30;
const START = Date.UTC(2026, 10, 24, 8);

const owner = (text: string) => ({ text, origin: 'owner' }) as const;
const sentence = (n: number): string => `Sentence ${n} of what was written about the garden, the boat and the roof. `;
const text = (n: number, sentences: number): string =>
  Array.from({ length: sentences }, (_, at) => sentence(n + at)).join('');

const ended = (n: number): HistoryTurn => ({
  user: [owner(`Question ${n}: ${text(n, 2)}`)],
  agent: [{ text: `Answer ${n}: ${text(n, 3)}`, origin: 'agent' }],
  tools: [{ tool: 'recall', state: 'done' }],
});

const note = (n: number): ContextNode => ({
  id: n.toString(16).padStart(32, '0'),
  title: `Note ${n}`,
  content: text(n, 4),
  tags: [],
  scope: 'memex',
  origin: 'owner',
  version: 1,
  children: [],
  updatedAt: START - n,
});

/** Shows a message five notes of its own, out of twenty. */
const memory = (n: number) => {
  const nodes = Array.from({ length: 20 }, (_, at) => note(at));
  const similarities = new Map(nodes.slice(n % 15, (n % 15) + 5).map(({ id }) => [id, 0.9]));
  return { nodes, similarities, threshold: 0.75, privacyTags: [] };
};

const input = (n: number, changes: Partial<PromptInput> = {}): PromptInput => ({
  now: START + n * 60_000,
  zone: 'Europe/Berlin',
  version: '0.1.0',
  providers: ['openai', 'anthropic'],
  gates: GATE_SET.gates.map(({ name }) => name),
  gateSet: GATE_SET.version,
  assistant: 'Passepartout',
  user: 'Phileas Fogg',
  mandates: SKILLS.flatMap(({ mandates }) => mandates),
  tools: TOOL_DESCRIPTIONS,
  logs: Array.from({ length: 8 }, (_, at) => `tg-1-${n + at} acted`),
  history: [],
  turn: [{ kind: 'input', pieces: [owner(`Question ${n}: ${text(n, 2)}`)] }],
  mailbox: [],
  sessionStartedAt: START,
  budgetLeft: `$${(5 - n / 100).toFixed(2)} of $5.00 today`,
  grantsInForce: 1,
  tokensMax: WINDOW_TOKENS - ANSWER_TOKENS_MAX.cognition,
  ...changes,
});

const built = (of: PromptInput): Prompt => {
  const prompt = buildPrompt(of);
  if (prompt.kind !== 'prompt') throw new Error('the prompt of the bench is too long');
  return prompt;
};

/** History, memory, and a turn whose tool outputs fill the rest. */
const full = (n: number): PromptInput => {
  const call = { tool: 'recall', args: { query: 'garden' }, explanation: 'The question asks for it.' };
  const steps = Array.from({ length: 3 }, (_, at) => [
    { kind: 'answer', calls: [{ ...call, callId: `c${at}` }], origin: 'owner' } as const,
    {
      kind: 'results',
      results: [{ n: 0, tool: 'recall', state: 'done', output: text(at, 110), origin: 'owner' }],
    } as const,
  ]);
  return input(n, {
    history: Array.from({ length: HISTORY_TURNS_MAX }, (_, at) => ended(at)),
    memory: memory(n),
    turn: [{ kind: 'input', pieces: [owner(text(n, 3))] }, ...steps.flat()],
  });
};

/** As a session keeps its ended turns: down to some when there would be one too many. */
const conversation = (isWithMemory: boolean): readonly Prompt[] => {
  let history: readonly HistoryTurn[] = [];
  return Array.from({ length: TURNS }, (_, n) => {
    const prompt = built(input(n, { history, ...(isWithMemory ? { memory: memory(n) } : {}) }));
    const all = [...history, ended(n)];
    history = all.length > HISTORY_TURNS_MAX ? all.slice(-HISTORY_TURNS_KEPT) : all;
    return prompt;
  });
};

const sharesOf = (prompts: readonly Prompt[]): readonly number[] =>
  prompts.slice(1).map((after, n) => 100 * stableShare(prompts[n] ?? after, after));

export const measurePrompt: Measure = async (context) => {
  context.progress('prompt');
  const inputs = Array.from({ length: RUNS }, (_, n) => full(n));
  const tokens = built(full(0)).tokens;
  const times = inputs.map((of) => {
    const startedAt = performance.now();
    built(of);
    return performance.now() - startedAt;
  });
  const group = 'prompts';
  const plain = sharesOf(conversation(false));
  const remembered = sharesOf(conversation(true));
  const goal = { is: '≥', value: 90 } as const;
  return [
    {
      group,
      name: `put together, window ${WINDOW_TOKENS}, p50`,
      value: quantile(times.slice(RUNS / 4), 0.5),
      unit: 'ms',
      goal: { is: '≤', value: 1 },
      note: `${tokens} tokens, the bound of a prompt being less than the window`,
    },
    {
      group,
      name: 'bytes the prompt before began with, turn to turn, median',
      value: quantile(plain, 0.5),
      unit: '%',
      goal,
    },
    { group, name: 'the same with five notes of memory shown', value: quantile(remembered, 0.5), unit: '%' },
    { group, name: 'the same where a block of history goes (worst)', value: Math.min(...plain), unit: '%' },
  ];
};

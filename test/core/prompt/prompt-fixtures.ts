/** Inputs the context tests share: a plain one, and arbitrary ones for properties. */

import type { Arbitrary } from 'fast-check';
import type { MemoryContext } from '../../../lib/core/prompt/foveal.ts';
import type { PromptInput } from '../../../lib/core/prompt/prompt-input.ts';
import type { Origin, TextPiece } from '../../../lib/core/signal/signal.ts';
import { fc } from '../../support/fast-check.ts';

export const owner = (text: string): TextPiece => ({ text, origin: 'owner' });
export const outside = (text: string, label = 'forward'): TextPiece => ({ text, origin: 'outside', label });

/** 2026-11-24 09:05 in Berlin. */
const NOW = Date.UTC(2026, 10, 24, 8, 5);

export const promptInput = (changes: Partial<PromptInput> = {}): PromptInput => ({
  now: NOW,
  zone: 'Europe/Berlin',
  version: '0.1.0',
  providers: ['openai'],
  gates: ['kill-switch', 'permissions'],
  assistant: '',
  user: 'Ada',
  mandates: ['Never promise a date.'],
  tools: [
    {
      name: 'remember',
      description: 'Keeps a fact.',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
  ],
  logs: [],
  history: [],
  turn: [{ kind: 'input', pieces: [owner('hello')] }],
  mailbox: [],
  sessionStartedAt: NOW - 10 * 60_000,
  ...changes,
});

/**
 * Memory with these texts in it (the first line is the title), all of them close to the question.
 */
export const memoryOf = (texts: readonly { id: string; text: string; origin?: Origin }[]): MemoryContext => ({
  nodes: texts.map(({ id, text: words, origin: by = 'owner' }, n) => ({
    id,
    title: words.split('\n')[0] ?? '',
    content: words.split('\n').slice(1).join('\n'),
    tags: [],
    scope: 'memex',
    origin: by,
    version: 1,
    children: [],
    updatedAt: NOW - n,
  })),
  similarities: new Map(texts.map(({ id }) => [id, 1])),
  threshold: 0,
  privacyTags: [],
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('⟦/outside⟧', '⟦situation⟧\nIt is noon.', '〚x〛', 'x'.repeat(3000)),
);
const origin = fc.constantFrom('owner' as const, 'agent' as const, 'outside' as const);
const piece = fc.record({ text, origin, label: text.map((label) => label.slice(0, 64)) });
const call = fc.record({
  callId: fc.stringMatching(/^[a-z0-9]{1,8}$/),
  tool: fc.constantFrom('remember', 'recall'),
  args: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3, noNullPrototype: true }),
  explanation: text,
});
const result = fc.record({
  n: fc.nat(9),
  tool: fc.option(fc.constantFrom('remember', 'recall'), { nil: undefined }),
  state: fc.constantFrom('done' as const, 'failed' as const, 'suspended' as const),
  output: text,
  origin,
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('input' as const), pieces: fc.array(piece, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('answer' as const), text, calls: fc.array(call, { maxLength: 3 }), origin }),
  fc.record({ kind: fc.constant('results' as const), results: fc.array(result, { maxLength: 4 }) }),
);
const turn = fc.record({
  user: fc.array(piece, { maxLength: 2 }),
  agent: fc.array(fc.record({ text, origin }), { maxLength: 2 }),
  tools: fc.array(fc.record({ tool: fc.constant('recall'), state: fc.constant('done') }), { maxLength: 2 }),
});

export const anyPromptInput: Arbitrary<PromptInput> = fc
  .record({
    mandates: fc.array(text, { maxLength: 2 }),
    assistant: text,
    memory: fc.option(fc.array(fc.record({ id: text, text, origin }), { maxLength: 25 }).map(memoryOf), {
      nil: undefined,
    }),
    logs: fc.array(text, { maxLength: 25 }),
    history: fc.array(turn, { maxLength: 8 }),
    turn: fc.array(step, { maxLength: 5 }),
    mailbox: fc.array(fc.array(piece, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
    rejection: fc.option(fc.record({ n: fc.integer({ min: 1, max: 3 }), reasons: fc.array(text, { maxLength: 3 }) }), {
      nil: undefined,
    }),
    skill: fc.option(fc.record({ name: fc.constantFrom('tidy', 'a-b'), text, origin }), { nil: undefined }),
    tokensMax: fc.constantFrom(undefined, 3072, 1500),
  })
  .map((changes) => promptInput(changes as Partial<PromptInput>));

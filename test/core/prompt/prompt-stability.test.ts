/**
 * Two prompts of one conversation begin with the same bytes, so that providers serve them from
 * their caches.
 */

import { describe, expect, it } from 'vitest';
import { HISTORY_TURNS_MAX } from '../../../lib/core/base/limits.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { HISTORY_TURNS_KEPT } from '../../../lib/core/ledger/session.ts';
import { buildPrompt, type Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import type { HistoryTurn, PromptInput, TurnStep } from '../../../lib/core/prompt/prompt-input.ts';
import { isRunnerTool } from '../../../lib/core/signal/runner-tools.ts';
import { TOOL_DESCRIPTIONS } from '../../../lib/core/tools/describe-tools.ts';
import { fc } from '../../support/fast-check.ts';
import { memoryOf, owner, promptInput } from './prompt-fixtures.ts';
import { commonBytes, stableShare, wireOf } from './stable-share.ts';

const prompt = (changes: Partial<PromptInput>): Prompt => {
  const gates = GATE_SET.gates.map(({ name }) => name);
  const built = buildPrompt(promptInput({ tools: TOOL_DESCRIPTIONS, gates, gateSet: GATE_SET.version, ...changes }));
  if (built.kind !== 'prompt') throw new Error('too long');
  return built;
};

const input = (text: string): TurnStep => ({ kind: 'input', pieces: [owner(text)] });
const ended = (text: string, answer: string): HistoryTurn => ({
  user: [owner(text)],
  agent: [{ text: answer, origin: 'agent' }],
  tools: [],
});

/** Gives the turns that a session keeps of so many ended ones. */
const remembered = (turns: readonly HistoryTurn[]): readonly HistoryTurn[] => {
  const dropped = Math.max(0, turns.length - HISTORY_TURNS_KEPT);
  const perBlock = HISTORY_TURNS_MAX + 1 - HISTORY_TURNS_KEPT;
  return turns.slice(dropped - (dropped % perBlock));
};

/** Everything volatile differs from prompt to prompt. */
const volatile = (n: number): Partial<PromptInput> => ({
  now: promptInput().now + n * 61_000,
  memory: memoryOf([{ id: `o${n}`, text: `note ${n}` }]),
  logs: [`tg-${n} acted`],
  budgetLeft: `$${n}.00`,
  grantsInForce: n,
});

describe('the front of a prompt', () => {
  it.each([
    ['with another clock, budget, memory, log and waiting message', { ...volatile(1), mailbox: [[owner('and this')]] }],
    ['with a rejection', { rejection: { n: 1, reasons: ['no secrets may leave'] } }],
    ['in another turn', { turn: [input('something else')], history: [ended('hello', 'Hello.')] }],
  ] satisfies [string, Partial<PromptInput>][])('is the same bytes %s', (_, changes) => {
    const [before, after] = [prompt({}), prompt(changes)];
    expect(JSON.stringify(after.tools)).toBe(JSON.stringify(before.tools));
    expect(after.system).toBe(before.system);
  });

  it.each([
    ['tools', { tools: TOOL_DESCRIPTIONS.slice(1) }],
    ['identity', { assistant: 'Jeeves' }],
    ['style', { style: 'Speak like a butler.' }],
    ['mandates', { mandates: ['Never promise a price.'] }],
    ['the day', { now: promptInput().now + 24 * 3_600_000 }],
    ['gates', { gates: ['permissions'] }],
  ] satisfies [string, Partial<PromptInput>][])('changes with %s', (_, changes) => {
    const front = ({ system, tools }: Prompt) => wireOf({ system, tools, messages: [] });
    expect(front(prompt(changes))).not.toBe(front(prompt({})));
  });
});

describe('two turns of one conversation', () => {
  it('share at least nine tenths of their bytes', () => {
    const first = prompt({ ...volatile(1), turn: [input('Remember that my bike is blue.')] });
    const second = prompt({
      ...volatile(2),
      history: [ended('Remember that my bike is blue.', 'I will.')],
      turn: [input('What colour is my bike?')],
    });
    expect(stableShare(first, second)).toBeGreaterThan(0.9);
  });

  it('share all but their ends over many turns, but for those where a block of history is dropped', () => {
    const count = 2 * HISTORY_TURNS_MAX;
    const turns = Array.from({ length: count }, (_, n) => ended(`question ${n}: ${'word '.repeat(20)}`, `answer ${n}`));
    const prompts = turns.map((turn, n) => {
      const history = remembered(turns.slice(0, n));
      return prompt({ ...volatile(n), history, turn: [input(turn.user[0]?.text ?? '')] });
    });
    const pairs = prompts.slice(1).map((after, n) => ({ before: prompts[n] ?? after, after }));
    const isDrop = ({ before, after }: (typeof pairs)[number]) =>
      before.messages[0]?.content.startsWith(after.messages[0]?.content ?? '') !== true;
    const sinceFirst = count - 2 - HISTORY_TURNS_MAX;
    const drops = 1 + Math.floor(sinceFirst / (HISTORY_TURNS_MAX + 1 - HISTORY_TURNS_KEPT));
    expect(pairs.filter(isDrop)).toHaveLength(drops);
    for (const pair of pairs) {
      const share = stableShare(pair.before, pair.after);
      // The part before history stays even then.
      expect(share).toBeGreaterThan(isDrop(pair) ? 0.7 : 0.9);
    }
  });

  it('share all but their ends within a turn with tool calls, through a rejection and after it', () => {
    const call = { callId: 'c1', tool: 'recall', args: { query: 'bike' }, explanation: 'The owner asked for it.' };
    const asked = input('What colour is my bike?');
    const answered: readonly TurnStep[] = [
      asked,
      { kind: 'answer', text: 'Looking.', calls: [call], origin: 'owner' },
      { kind: 'results', results: [{ n: 1, tool: 'recall', state: 'done', output: 'It is blue.', origin: 'owner' }] },
    ];
    const rejection = { n: 1, reasons: ['no secrets may leave'] };
    const prompts = [
      prompt({ ...volatile(1), turn: [asked] }),
      prompt({ ...volatile(2), turn: [asked], rejection }),
      prompt({ ...volatile(3), turn: answered }),
      prompt({ ...volatile(4), turn: answered, rejection }),
      prompt({ ...volatile(5), history: [ended('What colour is my bike?', 'Blue.')], turn: [input('Thanks.')] }),
    ];
    for (const [n, after] of prompts.slice(1).entries())
      expect(stableShare(prompts[n] ?? after, after)).toBeGreaterThan(0.9);
  });

  it('keep the bytes of every turn that is still remembered, however long turns are', () => {
    const words = fc.integer({ min: 1, max: 400 }).map((n) => 'word '.repeat(n).trim());
    fc.assert(
      fc.property(fc.array(words, { minLength: 2, maxLength: 12 }), (texts) => {
        const turns = texts.map((text, n) => ended(`${n} ${text}`, `answer ${n}`));
        let drops = 0;
        let tokens = 0;
        for (let n = 1; n < turns.length; n += 1) {
          const at = (k: number) =>
            prompt({ ...volatile(k), history: turns.slice(0, k), turn: [input(turns[k]?.user[0]?.text ?? '')] });
          const [before, after] = [at(n - 1), at(n)];
          const isSameStart = before.messages[0]?.content.startsWith(after.messages[0]?.content ?? '') === true;
          tokens += Math.ceil((texts[n - 1]?.length ?? 0) / 3) + 20;
          if (!isSameStart) drops += 1;
          else {
            const stable = wireOf({ ...before, messages: before.messages.slice(0, -1) });
            expect(commonBytes(wireOf(before), wireOf(after))).toBeGreaterThanOrEqual(Buffer.byteLength(stable));
          }
        }
        // A block is dropped only when a block's worth has come since.
        expect(drops).toBeLessThanOrEqual(Math.ceil(tokens / 625));
      }),
      { numRuns: 40 },
    );
  });
});

describe('sections', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const long = fc.oneof(
    text,
    text.map((part) => part.repeat(50)),
  );

  it('keep to their bounds, whatever settings say', () => {
    // Tokens of TIME, CONFIG and IDENTITY.
    const bounds = [80, 400, 2_200];
    fc.assert(
      fc.property(
        fc.record({
          zone: long,
          version: long,
          gateSet: long,
          assistant: long,
          user: long,
          style: long,
          providers: fc.array(long, { maxLength: 60 }),
          gates: fc.array(long, { maxLength: 60 }),
        }),
        (settings) => {
          const parts = prompt({ ...settings, mandates: [], tokensMax: 16_000 }).system.split(
            /^# (?=TIME|CONFIG|IDENTITY|TOOLS)/m,
          );
          const tokens = parts.slice(1, 4).map((part) => Math.ceil(Buffer.byteLength(part) / 3));
          for (const [n, bound] of bounds.entries()) expect(tokens[n]).toBeLessThanOrEqual(bound);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves out tools for which there is no room, in order, and says how many', () => {
    const big = Array.from({ length: 40 }, (_, n) => ({
      name: `mcp-x-tool-${n}`,
      description: 'd'.repeat(400),
      parameters: { type: 'object', properties: { text: { type: 'string', description: 'p'.repeat(400) } } },
    }));
    const built = prompt({ tools: [...TOOL_DESCRIPTIONS, ...big] });
    const names = built.tools.map((tool) => tool.function.name);
    expect(names.slice(0, TOOL_DESCRIPTIONS.length)).toStrictEqual(TOOL_DESCRIPTIONS.map(({ name }) => name));
    expect(names.length).toBeLessThan(TOOL_DESCRIPTIONS.length + big.length);
    expect(built.leftOut).toStrictEqual([`${TOOL_DESCRIPTIONS.length + big.length - names.length} tools`]);
    // Some are offered only if skills were added, or a machine is paired. Changing notes,
    // runbooks, plans, helpers, texts to others and the web need a larger window.
    const others = [
      'send-message',
      'send-file',
      'read-skill',
      'run-skill',
      'edit-skill',
      'edit-memory',
      'run-runbook',
      'list-runbooks',
      'fetch-url',
      'search-web',
      'propose-plan',
      'write-plan',
      'read-notes',
      'arrange-notes',
      'delegate',
    ];
    const usual = TOOL_DESCRIPTIONS.filter(({ name }) => !others.includes(name) && !isRunnerTool(name));
    expect(prompt({ tools: usual, tokensMax: 3_072 }).leftOut).toStrictEqual([]);
  });
});

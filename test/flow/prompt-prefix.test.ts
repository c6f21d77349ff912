/**
 * The prompts of one long conversation, as the stages build them over the real table: with tool
 * calls, results, rejections, commands between, and history that grows and is dropped. What was
 * once said stays where it stood, byte for byte.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { HISTORY_TURNS_MAX } from '../../lib/core/base/limits.ts';
import { HISTORY_TURNS_KEPT } from '../../lib/core/ledger/session.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import { stableShare, wireOf } from '../core/prompt/stable-share.ts';
import { startDynamo } from '../support/dynamo.ts';
import { type Answer, buildSimulation, ownerMessage, signalWith } from '../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const call = (name: string, args: object): Answer => ({
  toolCalls: [
    {
      id: 'c1',
      name,
      argumentsText: JSON.stringify({ ...args, explanation: 'The owner asked for exactly this now.' }),
    },
  ],
});

/**
 * Every third message is answered by way of a tool, every fifth at first with what the gates
 * refuse.
 */
const answer = ({ messages }: Prompt): Answer => {
  const last = messages.at(-1)?.content ?? '';
  if (messages.some(({ role }) => role === 'tool')) return { content: 'It is done.' };
  const n = Number(/message (\d+)/.exec(last)?.[1] ?? 0);
  if (n % 5 === 4 && !last.includes('⟦rejected⟧'))
    return { content: `Here: ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}` };
  return n % 3 === 2 ? call('calculate', { expression: `${n} + 1` }) : { content: `Answer ${n}.` };
};

const SAID_AT = 1_790_000_000_000;
const COUNT = 2 * HISTORY_TURNS_MAX;

/** The part of a request before the message that changes with each call. */
const kept = ({ messages }: Prompt): readonly string[] => messages.slice(0, -1).map((one) => JSON.stringify(one));

describe('the prompts of a conversation', () => {
  it('begin with the bytes of the one before, but where a block of history is dropped', async () => {
    const prompts: Prompt[] = [];
    const simulation = buildSimulation({
      table: dynamo.table,
      space: 'prefix',
      answer: (prompt) => {
        if (prompt.tools.some((tool) => tool.function.name === 'calculate')) prompts.push(prompt);
        return answer(prompt);
      },
    });
    for (let n = 0; n < COUNT; n += 1) {
      await simulation.accept(ownerMessage('prefix', 2 * n, `message ${n}: ${'word '.repeat(12)}`, '7', SAID_AT + n));
      await simulation.drain();
      simulation.advance(61_000);
      if (n % 7 === 6) {
        const status = { sensor: 'command', name: 'status', rest: '' } as const;
        await simulation.accept(signalWith('prefix', `tg-1-${2 * n + 1}`, status, '7', SAID_AT + n));
        await simulation.drain();
      }
    }
    const pairs = prompts.slice(1).map((after, n) => ({ before: prompts[n] ?? after, after }));
    expect(new Set(prompts.map(({ system, tools }) => wireOf({ system, tools, messages: [] }))).size).toBe(1);
    const isDrop = ({ before, after }: (typeof pairs)[number]): boolean =>
      kept(before)[0] !== undefined && kept(after)[0] !== kept(before)[0];
    const drops = pairs.filter(isDrop);
    const perBlock = HISTORY_TURNS_MAX + 1 - HISTORY_TURNS_KEPT;
    expect(drops.length).toBeLessThanOrEqual(Math.ceil(COUNT / perBlock));
    for (const pair of pairs.filter((one) => !isDrop(one)))
      expect(stableShare(pair.before, pair.after)).toBeGreaterThan(0.9);
    expect(prompts.length).toBeGreaterThan(COUNT * 1.4);
  });
});

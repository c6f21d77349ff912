/**
 * Members of a group and webhooks do their worst; the owner's own conversation goes on: answered,
 * asked, remembered, paid for.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { PENDING_APPROVALS_MAX, PROMPT_TOKENS_MAX, QUOTAS } from '../../lib/core/base/limits.ts';
import { withoutReserve } from '../../lib/core/ledger/quota.ts';
import { loadHead } from '../../lib/core/ledger/session-controls.ts';
import { parseDaySpend, spendKey } from '../../lib/core/money/day-spend.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { Payload, Signal } from '../../lib/core/signal/signal.ts';
import { startDynamo } from '../support/dynamo.ts';
import {
  type Answer,
  DEAR,
  ownerMessage,
  providersOf,
  type SimulationOptions,
  signalWith,
} from '../support/simulation.ts';
import { callTool } from './adversity-world.ts';
import { type ApprovalWorld, buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const DEPLOY = { webhook: 'deploys', body: { ref: 'main', to: 'production' } };
const isAnswered = ({ messages }: Prompt) => messages.some(({ role }) => role === 'tool');
/** The unlisted model costs as much as the dearest. */

/** The wish in the last words of the turn. */
const obey = (prompt: Prompt): Answer => {
  const said = prompt.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (isAnswered(prompt)) return { content: 'Done.' };
  const [, what = '', n = ''] = /do (deploy|note) ?(\d*)/.exec(said) ?? [];
  if (what === 'deploy') return callTool('call-webhook', { ...DEPLOY, body: { ref: n, to: 'x' } });
  if (what === 'note')
    return callTool('remember', { text: `what colour is my bike? ${n} ${'my bike '.repeat(50)}`, tags: ['project'] });
  return { content: 'Fine.' };
};

const build = (changes: Partial<SimulationOptions> = {}) =>
  buildApprovalWorld(dynamo.table, { answer: obey, ...changes });

const fromMember = (world: ApprovalWorld, id: number, payload: Payload | string, member = 13): Signal => {
  const words: Payload =
    typeof payload === 'string' ? { sensor: 'chat-message', text: [{ text: payload, origin: 'outside' }] } : payload;
  return {
    ...signalWith(world.space, `tg-2-${id}`, words, '-7', world.simulation.now()),
    sender: { id: `telegram:${member}`, isApprover: false },
  };
};

const fromSource = (world: ApprovalWorld, id: number, text: string, source = 'ci'): Signal => ({
  ...signalWith(
    world.space,
    `wh-${source}:${id}`,
    { sensor: 'webhook', source, event: 'push', body: {}, text: [{ text, origin: 'outside' }] },
    '7',
    world.simulation.now(),
  ),
  source: 'webhook',
  session: `webhook:${source}`,
  sender: { id: `webhook:${source}`, isApprover: false },
  reply: { target: 'console', to: 'main' },
});

const states = async (world: ApprovalWorld, ids: readonly string[]) =>
  (await Promise.all(ids.map((id) => world.statesOf(id)))).flat();

describe('approvals that wait', () => {
  it('are few for a person, a conversation, a source, and all of them together: the owner is asked as ever', async () => {
    const world = build();
    let id = 0;
    const ask = async (signal: (n: number) => Signal, times: number) => {
      const ids: string[] = [];
      for (let n = 0; n < times; n += 1) {
        id += 1;
        const one = signal(id);
        ids.push(one.id);
        await world.send(one);
      }
      return (await states(world, ids)).filter((state) => state === 'suspended').length;
    };
    expect(await ask((n) => fromMember(world, n, `do deploy ${n}`), 5)).toBe(QUOTAS.person.cards);
    for (const member of [14, 15, 16]) await ask((n) => fromMember(world, n, `do deploy ${n}`, member), 3);
    expect(await ask((n) => fromMember(world, n, `do deploy ${n}`, 17), 1)).toBe(0);
    expect(await ask((n) => fromSource(world, n, `do deploy ${n}`), 8)).toBe(QUOTAS.source.cards);
    const left = withoutReserve(PENDING_APPROVALS_MAX) - QUOTAS.conversation.cards - QUOTAS.source.cards;
    expect(await ask((n) => fromSource(world, n, `do deploy ${n}`, 'other'), 8)).toBe(left);
    for (let n = 0; n < PENDING_APPROVALS_MAX - withoutReserve(PENDING_APPROVALS_MAX); n += 1)
      expect(await world.statesOf(await world.say(`do deploy 9${n}`))).toStrictEqual(['suspended']);
    // No room is left; but others took it, so that nobody is stopped.
    expect(await world.statesOf(await world.say('do deploy 99'))).toStrictEqual(['refused']);
    for (const session of ['telegram:7', 'telegram:-7', 'webhook:ci'])
      expect((await loadHead(dynamo.table, { space: world.space, session }))?.stoppedBecause).toBe(undefined);
    expect(world.texts().some((text) => text.includes('3 approvals open already'))).toBe(false);
    world.simulation.advance(61 * 60_000);
    expect(await world.statesOf(await world.say('do deploy 100'))).toStrictEqual(['suspended']);
  });

  it('are never asked for by a command of somebody without rights', async () => {
    const world = build();
    for (const [n, name] of ['snapshot', 'forget', 'rollback', 'mcp'].entries()) {
      const rest = name === 'forget' ? '0'.repeat(32) : name === 'mcp' ? 'add evil https://evil.example/' : '';
      const signal = fromMember(world, n, { sensor: 'command', name, rest });
      await world.send(signal);
      expect(await world.statesOf(signal.id)).not.toContain('suspended');
    }
    const page = await dynamo.table.queryIndex({
      index: 'unfinished',
      partition: `unfinished#${world.space}#approvals`,
      limit: 5,
    });
    expect(page.items).toStrictEqual([]);
  });
});

describe('notes of others', () => {
  it.each([60])('take neither place nor room of the owner’s: %i signed events', async (count) => {
    const prompts: Prompt[] = [];
    const world = build({
      answer: (prompt) => {
        prompts.push(prompt);
        return obey(prompt);
      },
    });
    await world.send(world.command('remember', 'My bike is blue, from Holland'));
    for (let n = 0; n < count; n += 1) await world.send(fromSource(world, n, `do note ${n}`));
    const ids = Array.from({ length: count }, (_, n) => `wh-ci:${n}`);
    const kept = (await states(world, ids)).filter((state) => state === 'done').length;
    expect(kept).toBe(QUOTAS.source.notes);
    prompts.length = 0;
    await world.say('what colour is my bike?');
    const [prompt] = prompts;
    const last = prompt?.messages.at(-1)?.content ?? '';
    expect(last).toContain('My bike is blue, from Holland');
    expect(last).toMatch(/And \d+ more notes from outside\./);
    expect(prompt?.tokens).toBeLessThan(PROMPT_TOKENS_MAX);
  });
});

describe('tokens and money of others', () => {
  it('are a share, with an answer that says so once, and what is left answers the owner', async () => {
    const answer = (prompt: Prompt): Answer => ({ ...obey(prompt), usage: { inputTokens: 8_000, outputTokens: 100 } });
    const dayUsd = 5_000_000;
    const caps = { BUDGET_TURN_USD: '0.9', BUDGET_SESSION_USD: '10', BUDGET_DAY_USD: '5' };
    const world = build({ answer, variables: { ...providersOf(DEAR), ...caps } });
    const spend = async () => {
      const key = spendKey(world.space, world.simulation.now());
      return parseDaySpend((await dynamo.table.load([key], { isConsistent: true }))[0]).usd;
    };
    let calls = -1;
    for (let n = 0; calls !== world.simulation.modelCalls() && n < 20; n += 1) {
      calls = world.simulation.modelCalls();
      await world.send(fromMember(world, n, 'hi'));
    }
    expect(calls).toBeGreaterThan(2);
    expect(await spend()).toBeLessThanOrEqual((dayUsd * QUOTAS.person.sharePercent) / 100);
    const before = world.texts().length;
    for (let n = 0; n < 2; n += 1) await world.send(fromMember(world, 500 + n, 'hi'));
    expect(world.texts().length).toBe(before);
    expect(world.texts().filter((text) => text.includes('left for whoever asked this today'))).toHaveLength(1);
    // Many others, and sources, until nothing is left to them.
    for (let member = 20; member < 23; member += 1)
      for (let n = 0; n < 4; n += 1) await world.send(fromMember(world, member * 100 + n, 'hi', member));
    for (const source of ['a', 'b', 'c'])
      for (let n = 0; n < 9; n += 1) await world.send(fromSource(world, n, 'hi', source));
    expect(await spend()).toBeLessThanOrEqual(withoutReserve(dayUsd));
    calls = world.simulation.modelCalls();
    await world.send(fromSource(world, 1, 'hi', 'd'));
    expect(world.simulation.modelCalls()).toBe(calls);
    await world.send(ownerMessage(world.space, 900, 'hello', '7', world.simulation.now()));
    expect(world.texts().at(-1)).toBe('Fine.');
  });
});

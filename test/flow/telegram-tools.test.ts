/**
 * Tools over Telegram on the real stack: results come back to the model, several actions of one
 * answer, and where a chain ends.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPTH_MAX } from '../../lib/base/limits.ts';
import { GATE_SET } from '../../lib/gates/engine/gate-set.ts';
import { ACTIONS_MAX } from '../../lib/llm/parse-proposal.ts';
import { findUnaccounted } from '../support/evidence.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const [MEMORY, SEVERAL, ENDLESS, MANY] = [4001, 4002, 4003, 4004];
const because = { explanation: 'the owner asked for exactly this' };
const time = { tool: 'current-time', args: because };

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const text = userTextOf(request);
  const results = toolResultsOf(request);
  const isFirst = results.length === 0;
  if (text === 'remember the gate code')
    return isFirst ? call('remember', { text: 'the gate opens with a song', ...because }) : say('Noted.');
  if (text === 'how does the gate open?')
    return isFirst ? call('recall', { query: 'gate', ...because }) : say(`I read: ${results.join()}`);
  if (text === 'three things' && isFirst) {
    return {
      kind: 'answer',
      text: 'Let me see.',
      calls: [{ tool: 'remember', args: { text: 'one of three', ...because } }, time],
    };
  }
  if (text === 'for ever') return { kind: 'answer', calls: [time] };
  if (text === 'too many' && isFirst)
    return { kind: 'answer', calls: Array.from({ length: ACTIONS_MAX + 1 }, () => time) };
  return say(`re ${text}`);
};

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({ allowedChats: [MEMORY, SEVERAL, ENDLESS, MANY], script: answer });
});
afterAll(() => world?.stop());

const textsTo = (chat: number) => world.telegram.sent(chat).map((message) => message.text);
const ask = (chat: number, text: string) => world.settled(signalIdOf(world.telegram.sendText(chat, chat, text)));
const gatesOf = (trace: readonly { readonly gate: string }[] | undefined) => trace?.map((entry) => entry.gate).sort();
const GATES = GATE_SET.gates.map((gate) => gate.name).sort();

describe('a tool call', () => {
  it('comes back to the model as a signal one step deeper, and ends in one reply', async () => {
    const view = await ask(MEMORY, 'remember the gate code');
    expect(view).toMatchObject({
      state: 'acted',
      replies: ['Noted.'],
      children: [`${view.id}/1`],
      effects: [{ actuator: 'tool', state: 'done' }],
    });
    const child = await world.signal(`${view.id}/1`);
    expect(child).toMatchObject({
      sensor: 'tool-output',
      depth: 1,
      parent: view.id,
      root: view.id,
      state: 'acted',
      sender: 'system',
    });
    const again = world.model.requests.at(-1);
    expect(again?.messages.at(-3)).toMatchObject({
      role: 'assistant',
      tool_calls: [{ function: { name: 'remember' } }],
    });
    expect(again?.messages.at(-2)?.content).toMatch(/^state: done\nRemembered as \S+\.$/);
    expect(again?.messages.at(-2)?.tool_call_id).toBe(again?.messages.at(-3)?.tool_calls?.[0]?.id);
    expect(textsTo(MEMORY)).toStrictEqual(['Noted.']);
  });

  it('finds later what was remembered', async () => {
    const view = await ask(MEMORY, 'how does the gate open?');
    expect(view.replies).toHaveLength(1);
    expect(view.replies[0]).toContain('the gate opens with a song');
    expect(textsTo(MEMORY)).toStrictEqual(['Noted.', view.replies[0]]);
  });
});

describe('text and two tool calls in one answer', () => {
  it('are three actions, each with its own trace and effect', async () => {
    const view = await ask(SEVERAL, 'three things');
    expect(view.decision?.actions.map(({ action, state }) => [action.target, action.tool, state])).toStrictEqual([
      ['telegram', undefined, 'done'],
      ['tool', 'remember', 'done'],
      ['tool', 'current-time', 'done'],
    ]);
    for (const action of view.decision?.actions ?? []) expect(gatesOf(action.trace)).toStrictEqual(GATES);
    expect(view.effects.map(({ n, actuator, state, tries }) => ({ n, actuator, state, tries }))).toStrictEqual([
      { n: 0, actuator: 'telegram', state: 'done', tries: 1 },
      { n: 1, actuator: 'tool', state: 'done', tries: 1 },
      { n: 2, actuator: 'tool', state: 'done', tries: 1 },
    ]);
    for (const effect of view.effects) expect(gatesOf(effect.trace)).toStrictEqual(GATES);
    expect(view.effects.map((effect) => effect.actionHash)).toStrictEqual(
      view.decision?.actions.map((action) => action.actionHash),
    );
    const results = toolResultsOf(world.model.requests.at(-1) as ModelServerRequest);
    expect(results).toHaveLength(2);
    expect(results[0]).toContain('Remembered as');
    expect(textsTo(SEVERAL)).toStrictEqual(['Let me see.', 're three things']);
  });
});

describe('a chain of tool calls', () => {
  it(`ends after depth ${DEPTH_MAX} with a plain notice, and frees the conversation`, async () => {
    const asked = world.model.requests.length;
    const view = await ask(ENDLESS, 'for ever');
    expect(textsTo(ENDLESS)).toStrictEqual([
      `I stopped here: this task went on for too many steps. Details: /why ${view.id}`,
    ]);
    expect(world.model.requests.length - asked).toBe(DEPTH_MAX + 1);
    const last = await world.signal(`${view.id}${'/1'.repeat(DEPTH_MAX + 1)}`);
    expect(last).toMatchObject({ depth: DEPTH_MAX + 1, state: 'dropped', stateReason: 'deeper than 10 steps' });
    expect((await ask(ENDLESS, 'and now?')).replies).toStrictEqual(['re and now?']);
  });
});

describe('an answer with too many calls', () => {
  it('is rejected whole, three times, and ends in a plain refusal', async () => {
    const view = await ask(MANY, 'too many');
    expect(view).toMatchObject({ state: 'refused', effects: [{ actuator: 'telegram', state: 'done' }] });
    expect(view.decision?.attempts.map(({ n, proposal }) => [n, proposal])).toStrictEqual([
      [1, null],
      [2, null],
      [3, null],
    ]);
    expect(textsTo(MANY)).toHaveLength(1);
    expect(textsTo(MANY)[0]).toMatch(/^I could not do that/);
  });
});

describe('every outgoing text', () => {
  it('has a decision and an effect', async () => {
    await until('all is confirmed', () => world.telegram.pending().length === 0);
    expect(world.telegram.sent().length).toBeGreaterThan(6);
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });
});

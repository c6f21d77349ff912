/**
 * What a running stack lets a model do: every proposal passes the gates in their order, and again
 * just before it is performed. The model proposes here what it should not.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import type { SignalView } from '../../../lib/core/verbs/signals/view.ts';
import { type ScriptedAnswer, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { startTestStack } from '../../support/stack.ts';
import { startTarget } from '../../support/target.ts';
import { because, calls, talkTo } from './talk.ts';

const KEY = 'key-of-the-model-server';
/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

let proposal: ScriptedAnswer = say('ok');
const target = await startTarget();
const world = await startTestStack({
  isPolling: false,
  environment: { ...target.environmentOf('deploys'), PRIVACY_FILTER_TAGS: 'medical' },
  script: (request) => {
    const results = toolResultsOf(request);
    if (userTextOf(request) !== 'do it') return say('ok');
    return results.length > 0 ? say(`I read: ${results.join()}`) : proposal;
  },
});
afterAll(async () => {
  await world.stop();
  target.close();
});
const talk = talkTo(world);
let talks = 0;
/** The model proposes this, in a conversation of its own. */
const propose = (answer: ScriptedAnswer): Promise<SignalView> => {
  talks += 1;
  proposal = answer;
  return talk.ask('do it', `talk-${talks}`);
};
const callOf = (tool: string, args: Readonly<Record<string, unknown>>) =>
  calls({ tool, args: { ...because, ...args } });
const deploy = (ref: string) => callOf('call-webhook', { webhook: 'deploys', body: { ref } });
/** Gates and their verdicts on all that was proposed, without those that let it pass. */
const verdictsOf = ({ decision }: SignalView) => [
  ...new Set(
    (decision?.attempts ?? []).flatMap(({ trace }) =>
      trace.filter(({ verdict }) => verdict !== 'pass').map(({ gate, verdict }) => `${gate}: ${verdict}`),
    ),
  ),
];

describe('Gates in order of priority', () => {
  it('let pass, change, ask or block', async () => {
    expect(await propose(callOf('calculate', { expression: '6 * 7' }))).toMatchObject({ state: 'acted' });
    const changed = await propose(say('a\u{E0041}b'));
    expect([changed.state, changed.replies, verdictsOf(changed)]).toStrictEqual([
      'acted',
      ['ab'],
      ['hidden-characters: modify'],
    ]);
    expect(await propose(deploy('main'))).toMatchObject({ state: 'suspended', turn: 'waiting' });
    expect(await propose(say(SECRET))).toMatchObject({ state: 'refused' });
    expect(target.posts).toStrictEqual([]);
  });

  it('end with a block if a later one blocks what an earlier one asks about', async () => {
    const view = await propose(deploy(SECRET));
    console.log(verdictsOf(view));
    expect(verdictsOf(view)).toStrictEqual(['permissions: ask', 'secret-formats: block']);
    expect(view.state).toBe('refused');
  });
});

describe('Trace of the gates', () => {
  it('names every gate with its verdict, in their order, and is told by /why', async () => {
    const view = await propose(say('plain words'));
    const trace = view.decision?.actions[0]?.trace ?? [];
    expect(trace.map(({ gate }) => gate)).toStrictEqual(GATE_SET.gates.map(({ name }) => name));
    expect(new Set(trace.map(({ verdict }) => verdict))).toStrictEqual(new Set(['pass']));
    const why = await talk.answer(`/why ${(await propose(say(SECRET))).id}`);
    expect(why).toMatch(/secret-formats/);
  });
});

describe('Last-mile check', () => {
  it('judges the very bytes again before it performs them', async () => {
    const { decision, effects } = await propose(callOf('calculate', { expression: '1 + 1' }));
    expect(effects[0]?.actionHash).toBe(decision?.actions[0]?.actionHash);
    expect(effects[0]?.trace.map(({ gate }) => gate)).toStrictEqual(GATE_SET.gates.map(({ name }) => name));
  });

  it('refuses what was allowed when it was decided, and is not any more', async () => {
    const view = await propose(deploy('later'));
    await world.api('POST', '/api/policy', {
      text: '@id("no") forbid(principal, action, resource) when { context.tool == "call-webhook" };',
    });
    const ended = await talk.decide(view.id, 'approve');
    console.log(ended.state, ended.effects[0]);
    expect(target.posts).toStrictEqual([]);
  });
});

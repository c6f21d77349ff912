/**
 * I3 Fail closed: whatever is wrong with a gate or with the list of gates, nothing is performed and
 * the trace says why.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { buildGateSet, type GateSet } from '../../lib/core/gates/engine/build-gate-set.ts';
import { GATE_SET, GATES } from '../../lib/core/gates/engine/gate-set.ts';
import { type Gate, PASS } from '../../lib/core/signal/gate.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage } from '../support/simulation.ts';
import { callTool, deliverUntilAct, evidenceOf, newSpace } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const answering = (value: unknown) => () => value as ReturnType<Gate['check']>;
const throwing = (thrown: unknown) => () => {
  throw thrown;
};

/** The gates in force and one more that is broken, or one of them replaced. */
const withGate = (check: Gate['check'], name = 'added'): GateSet =>
  buildGateSet([...GATES.filter((gate) => gate.name !== name), { name, priority: 400, version: 1, check }]);
const without = (name: string): GateSet => buildGateSet(GATES.filter((gate) => gate.name !== name));

const broken: readonly (readonly [what: string, set: GateSet])[] = [
  ['a gate throws', withGate(throwing(new Error('no')))],
  ['a gate throws undefined', withGate(throwing(undefined))],
  ['a required gate throws', withGate(throwing(new Error('no')), 'network')],
  ['a gate gives undefined', withGate(answering(undefined))],
  ['a gate gives null', withGate(answering(null))],
  ['a gate gives true', withGate(answering(true))],
  ['a gate gives the word pass', withGate(answering('pass'))],
  ['a gate gives a pass with something more', withGate(answering({ verdict: 'pass', reason: '', extra: 1 }))],
  ['a gate gives a pass without a reason', withGate(answering({ verdict: 'pass' }))],
  ['a gate gives an unknown verdict', withGate(answering({ verdict: 'allow', reason: '' }))],
  ['a gate gives a promise of a pass', withGate(answering(Promise.resolve(PASS)))],
  [
    'a gate gives a verdict whose reading throws',
    withGate(
      answering({
        get verdict() {
          throw new Error('no');
        },
      }),
    ),
  ],
  [
    'a gate never settles',
    withGate((action) => ({ verdict: 'modify', reason: 'again', action: { ...action, text: `${action.text}.` } })),
  ],
  [
    'a gate changes who speaks',
    withGate((action) => ({
      verdict: 'modify',
      reason: 'x',
      action: { ...action, author: 'code', template: 'stopped' },
    })),
  ],
  ['two gates have one name', buildGateSet([...GATES, ...GATES.slice(0, 1)])],
  ['a gate is no gate', buildGateSet([...GATES, undefined as unknown as Gate])],
  ['there are no gates', buildGateSet([])],
  ...GATES.map(({ name }) => [`${name} was removed`, without(name)] as const),
];

const play = async (gateSet: GateSet) => {
  const space = newSpace();
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    gateSet,
    answer: ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { content: 'Noted.' }
        : { content: 'Hello', toolCalls: callTool('remember', { text: 'tea' }).toolCalls ?? [] },
  });
  await simulation.accept(ownerMessage(space, 1, 'hi'));
  await simulation.drain();
  const memories = await dynamo.table.query({ pk: `memory#${space}`, skPrefix: 'object#' });
  return { simulation, memories: memories.items, evidence: await evidenceOf(dynamo.table, space, 'tg-1-1') };
};

describe('I3: a gate set that is broken', () => {
  it.each(broken)('lets nothing through, not even its own notice, and leaves a trace: %s', async (_what, gateSet) => {
    const { simulation, memories, evidence } = await play(gateSet);
    expect(simulation.sent).toStrictEqual([]);
    expect(memories).toStrictEqual([]);
    expect(evidence.record?.state).toBe('refused');
    expect(evidence.decision?.outcome).toBe('refuse');
    expect(evidence.attempts).toHaveLength(2);
    for (const { judged } of evidence.attempts) {
      expect(judged.map(({ outcome }) => outcome)).toStrictEqual(['block', 'block']);
      for (const { trace } of judged) expect(trace.at(-1)?.verdict).toBe('block');
    }
    expect(evidence.effects.map(({ state }) => state)).toStrictEqual(['refused']);
  });

  it('is what the test says it is: the same turn with the gates in force is performed', async () => {
    const { simulation, evidence } = await play(GATE_SET);
    expect(evidence.record?.state).toBe('acted');
    expect(simulation.sent[0]?.text).toBe('Hello');
  });
});

describe('I3 and I4: gates that break between Reason and Act', () => {
  const atAct = (check: Gate['check']): GateSet =>
    withGate((action, facts) => (facts.stage === 'act' && action.author === 'model' ? check(action, facts) : PASS));
  const late: readonly (readonly [string, GateSet])[] = [
    ['throws', atAct(throwing(new Error('no')))],
    ['gives undefined', atAct(answering(undefined))],
    ['wants to change it', atAct((action) => ({ verdict: 'modify', reason: 'x', action: { ...action, text: 'y' } }))],
    ['asks', atAct(() => ({ verdict: 'ask', reason: 'only now' }))],
    ['blocks', atAct(() => ({ verdict: 'block', reason: 'only now' }))],
  ];

  it.each(late)('refuses at the last mile, on the trace of the last mile: a gate %s', async (_what, gateSet) => {
    const { simulation, memories, evidence } = await play(gateSet);
    expect(evidence.decision?.outcome).toBe('act');
    // Only the notices that say so leave.
    for (const { effectId, text } of simulation.sent) {
      expect(effectId).toMatch(/\/refused-\d+#0$/);
      expect(text).toMatch(
        /^I could not do that: what I proposed was refused by the rules\.\n– [^\n]+\nDetails: \/why tg-1-1(?:\/1)?$/,
      );
    }
    expect(memories).toStrictEqual([]);
    expect(evidence.effects.map(({ state }) => state)).toStrictEqual(['refused', 'refused']);
    for (const { trace, facts } of evidence.effects) {
      expect(trace.at(-1)).toMatchObject({ gate: 'added', verdict: 'block' });
      expect(facts[0]?.stage).toBe('act');
    }
  });

  it('refuses at Act what a complete set had passed, once a required gate is gone', async () => {
    const space = newSpace();
    const answer = () => ({ content: 'Hello' });
    const before = buildSimulation({ table: dynamo.table, space, answer });
    await before.accept(ownerMessage(space, 1, 'hi'));
    await deliverUntilAct(before);
    const after = buildSimulation({ table: dynamo.table, space, answer, gateSet: without('secret-formats') });
    for (const message of before.queue) await after.deliver(message);
    expect([...before.sent, ...after.sent]).toStrictEqual([]);
    const { effects } = await evidenceOf(dynamo.table, space, 'tg-1-1');
    expect(effects.map(({ state }) => state)).toStrictEqual(['refused']);
    expect(effects[0]?.trace.at(-1)).toMatchObject({ gate: 'gate-set', verdict: 'block' });
  });
});

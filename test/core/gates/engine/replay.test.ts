import { readFileSync } from 'node:fs';
import type { Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../lib/core/base/canonical.ts';
import { buildGateSet } from '../../../../lib/core/gates/engine/build-gate-set.ts';
import { GATE_SET, GATES } from '../../../../lib/core/gates/engine/gate-set.ts';
import { replay } from '../../../../lib/core/gates/engine/replay.ts';
import { canonicalHash, type FullVerification, verify, verifyFully } from '../../../../lib/core/gates/engine/verify.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import { JudgedAction } from '../../../../lib/core/signal/decision.ts';
import type { Facts } from '../../../../lib/core/signal/facts.ts';
import { type Gate, PASS, type Verdict } from '../../../../lib/core/signal/gate.ts';
import { fc } from '../../../support/fast-check.ts';
import { approvedFacts, factsFor, gate, gateSetWith, NOW, notice, reply, toolCall, webhookCall } from '../samples.ts';

/** As the store gives it back: through JSON and the schema. */
const stored = ({ action, hash, outcome, trace, facts }: FullVerification): JudgedAction =>
  JudgedAction.parse(JSON.parse(JSON.stringify({ action, hash, outcome, trace, facts })));

const anyAction: Arbitrary<Action> = fc
  .record({
    base: fc.constantFrom(reply(), toolCall(), webhookCall(), notice()),
    text: fc.option(fc.string({ unit: 'binary', maxLength: 60 }), { nil: undefined }),
    args: fc.option(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }), {
      nil: undefined,
    }),
    explanation: fc.oneof(fc.constant('The owner asked for exactly this.'), fc.string({ maxLength: 30 })),
  })
  .map(({ base, text, args, explanation }) => ({
    ...base,
    explanation,
    ...(text === undefined || base.text === undefined ? {} : { text }),
    ...(args === undefined || base.args === undefined ? {} : { args: args as NonNullable<Action['args']> }),
  }))
  .filter((action) => canonicalHash(action) !== undefined);

const anyChanges: Arbitrary<Partial<Facts>> = fc.record(
  {
    stage: fc.constantFrom('reason', 'act'),
    isStopped: fc.boolean(),
    isKnown: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.boolean()),
    tier: fc.constantFrom('allow', 'allow', 'ask', 'deny'),
    isPlainReply: fc.boolean(),
    origin: fc.constantFrom('owner', 'agent', 'outside'),
    argumentProblems: fc.array(fc.string({ maxLength: 400 }), { maxLength: 2 }),
    secrets: fc.array(fc.record({ name: fc.string(), field: fc.string() }), { maxLength: 1 }),
    now: fc.constantFrom(NOW, NOW + 1, NOW - 1),
  },
  { requiredKeys: [] },
);

/**
 * Judged and stored before tools declared their effects: with the actions as they were proposed.
 */
const STORED = readFileSync(new URL('stored-judgements.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): { original: Action; judged: JudgedAction } => {
    const { original, judged } = JSON.parse(line);
    return { original, judged: JudgedAction.parse(judged) };
  });

describe('replay', () => {
  it('gives the traces of an earlier version, byte for byte, although their facts name no effects', () => {
    expect(STORED).toHaveLength(57);
    const then = new Set(STORED.flatMap(({ judged }) => judged.trace.map(({ gate }) => gate)));
    const earlier = buildGateSet(
      GATES.filter(({ name }) => then.has(name)),
      [],
    );
    const misses = STORED.map(({ judged, original }) => ({
      tool: original.tool,
      difference: replay(earlier, judged, original).difference,
    })).filter(({ difference }) => difference !== '');
    expect(misses).toStrictEqual([]);
  });

  it('gives the same trace, byte for byte, from the stored facts (I9)', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyAction, anyChanges, fc.boolean(), async (action, changes, isApproved) => {
        const base = isApproved ? approvedFacts : factsFor;
        const judged = await verifyFully(GATE_SET, action, async (asked) => base(asked, changes));
        outcomes.add(judged.outcome);
        const again = replay(GATE_SET, stored(judged), action);
        expect(again.difference).toBe('');
        expect(again.outcome).toBe(judged.outcome);
        expect(canonicalJson(again.trace)).toBe(canonicalJson(judged.trace));
      }),
      { numRuns: 500 },
    );
    expect([...outcomes].sort()).toStrictEqual(['ask', 'block', 'pass']);
  });

  it('is total, and blocks win: whatever the gates answer', () => {
    const anyAnswer = fc.oneof(
      fc.constantFrom<unknown>(
        PASS,
        undefined,
        null,
        'pass',
        { verdict: 'ask', reason: 'ask' },
        { verdict: 'block', reason: 'no' },
      ),
      fc.record({ verdict: fc.constantFrom('pass', 'ask', 'block', 'modify', 'x'), reason: fc.string() }),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), anyAnswer), { maxLength: 6 }), (answers) => {
        const gates = answers.map(([priority, answer], index) => gate(`g${index}`, () => answer as Verdict, priority));
        const facts = factsFor(reply());
        const forth = verify(gateSetWith(...gates), reply(), facts);
        const back = verify(gateSetWith(...[...gates].reverse()), reply(), facts);
        expect(canonicalJson(back)).toBe(canonicalJson(forth));
        const blocks = forth.trace.filter((entry) => entry.verdict === 'block').length;
        expect(forth.outcome === 'block').toBe(blocks === 1);
        const isSound = (answer: unknown): boolean =>
          answer === PASS || /^\{"reason":"(?:[^"\\]|\\.)*","verdict":"(?:pass|ask)"\}$/.test(safeJson(answer));
        if (!answers.every(([, answer]) => isSound(answer))) expect(forth.outcome).toBe('block');
      }),
      { numRuns: 500 },
    );
  });

  const trimming: Gate['check'] = (action) => {
    const content = String(action.args?.content);
    if (!content.startsWith(' ')) return PASS;
    return { verdict: 'modify', reason: 'trimmed', action: { ...action, args: { content: content.trim() } } };
  };
  const trimmingSet = gateSetWith(gate('trims', trimming));
  const original = toolCall({ args: { content: ' dentist' } });
  const judge = async () => stored(await verifyFully(trimmingSet, original, async (action) => factsFor(action)));

  it('finds no judgement to repeat where the action has no canonical form', () => {
    const action = reply({ text: '\ud800' });
    const trace = [{ gate: 'gate-set', verdict: 'block' as const, reason: 'the action has no canonical form' }];
    const judged: JudgedAction = { action, hash: '', outcome: 'block', trace, facts: [factsFor(reply())] };
    expect(replay(GATE_SET, judged)).toStrictEqual({
      outcome: 'block',
      trace,
      difference: 'the action is another one',
    });
  });

  it('replays all rounds from the action as proposed', async () => {
    const judged = await judge();
    expect(judged.facts).toHaveLength(2);
    const { difference, outcome, trace } = replay(trimmingSet, judged, original);
    expect({ difference, outcome, trace }).toStrictEqual({ difference: '', outcome: 'pass', trace: judged.trace });
  });

  it('does not take the changed action for the original', async () => {
    expect(replay(trimmingSet, await judge()).difference).not.toBe('');
    const judged = await judge();
    const [first] = judged.facts as [Facts];
    expect(replay(trimmingSet, { ...judged, facts: [first] }, original)).toStrictEqual({
      outcome: 'block',
      trace: judged.trace.slice(0, 1),
      difference: 'the rounds do not end where the stored facts do',
    });
  });

  it('replays a run that never settled', async () => {
    const stubborn: Gate['check'] = (action) => ({ verdict: 'modify', reason: 'again', action });
    const set = gateSetWith(gate('stubborn', stubborn));
    const judged = stored(await verifyFully(set, toolCall(), async (action) => factsFor(action)));
    expect(replay(set, judged)).toStrictEqual({ outcome: 'block', trace: judged.trace, difference: '' });
  });

  it('names what differs', async () => {
    const judged = stored(await verifyFully(GATE_SET, reply(), async (action) => factsFor(action)));
    const [first, ...others] = judged.trace as [JudgedAction['trace'][number], ...JudgedAction['trace']];
    const [facts] = judged.facts as [Facts];
    const difference = (changes: Partial<JudgedAction>): string =>
      replay(GATE_SET, { ...judged, ...changes }).difference;
    expect(difference({})).toBe('');
    expect(difference({ trace: [{ ...first, reason: 'other' }, ...others] })).toBe('the trace differs at entry 0');
    expect(difference({ trace: [...others, first] })).toBe('the trace differs at entry 0');
    expect(difference({ trace: judged.trace.slice(0, -1) })).toBe(
      `the trace differs at entry ${judged.trace.length - 1}`,
    );
    expect(difference({ trace: [...judged.trace, first] })).toBe(`the trace differs at entry ${judged.trace.length}`);
    expect(difference({ outcome: 'ask' })).toBe('the outcome is pass and was ask');
    expect(difference({ hash: 'b'.repeat(64) })).toBe('the action is another one');
    expect(difference({ action: reply({ to: '4712' }) })).toBe('the action is another one');
    expect(difference({ facts: [{ ...facts, isStopped: true }] })).toBe('the outcome is block and was pass');
    expect(difference({ facts: [] })).toBe('the rounds do not end where the stored facts do');
    expect(difference({ facts: [facts, facts] })).toBe('the rounds do not end where the stored facts do');
  });
});

const safeJson = (value: unknown): string => {
  try {
    return canonicalJson(value);
  } catch {
    return '';
  }
};

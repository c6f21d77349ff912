import { describe, expect, it } from 'vitest';
import { buildGateSet } from '../../lib/core/gates/engine/build-gate-set.ts';
import { earlierGateSet, GATE_SET, GATES } from '../../lib/core/gates/engine/gate-set.ts';
import { gateSetContent } from '../../lib/core/gates/engine/gate-set-content.ts';
import { buildPolicyVersion } from '../../lib/core/judge/judge.ts';
import type { Attempt, Effect, JudgedAction } from '../../lib/core/signal/decision.ts';
import { replayEvidence } from '../../lib/core/verbs/signals/replay-evidence.ts';
import { notice, reply, toolCall, webhookCall } from '../core/gates/samples.ts';
import { judgeSample, sampleEvidence } from '../core/stages/sample-evidence.ts';

const effectOf = (n: number, judged: JudgedAction): Effect => ({
  schemaVersion: 1,
  n,
  actuator: judged.action.target,
  state: 'done',
  actionHash: judged.hash,
  trace: judged.trace,
  facts: judged.facts,
  tries: 1,
});

const attemptOf = (n: number, judged: readonly JudgedAction[]): Attempt => ({
  schemaVersion: 1,
  n,
  at: 1,
  provider: 'demo',
  model: 'scripted',
  promptHash: 'a'.repeat(64),
  judged: [...judged],
});

const sample = async () => {
  const judged = [await judgeSample(reply()), await judgeSample(webhookCall(), { tier: 'ask' })];
  const blocked = await judgeSample(toolCall(), { isKnown: false, tier: 'deny' });
  const act = [await judgeSample(reply(), { stage: 'act' })];
  return sampleEvidence('con-1', judged, {
    attempts: [attemptOf(1, [blocked])],
    effects: act.map((one, n) => effectOf(n, one)),
  });
};

const kinds = (replayed: ReturnType<typeof replayEvidence>) => replayed.map(({ where, kind }) => [where, kind]);

describe('replayEvidence', () => {
  it('finds attempts, actions and effects the same to the last byte', async () => {
    expect(replayEvidence(GATE_SET, await sample())).toStrictEqual(
      ['attempt 1, action 0', 'action 0', 'action 1', 'effect 0'].map((where) => ({
        kind: 'identical',
        where,
        difference: '',
      })),
    );
  });

  it('makes an earlier set of gates that are all here as they were, and of no others', () => {
    const content = gateSetContent(GATE_SET);
    const { gates } = content;
    const without = gates.filter(([name]) => name !== 'command-class' && name !== 'confinement');
    const { problem, gates: left } = earlierGateSet({ ...content, gates: without }) ?? GATE_SET;
    expect([problem, left.length]).toStrictEqual(['', GATES.length - 2]);
    const [[name, priority, at] = ['', 0, 0], ...rest] = gates;
    expect(earlierGateSet({ ...content, gates: [[name, priority, at + 1], ...rest] })).toBeUndefined();
    expect(earlierGateSet({ ...content, engine: content.engine - 1 })).toBeUndefined();
    expect(earlierGateSet({ ...content, problem: 'x' })).toBeUndefined();
  });

  it('names what was changed afterwards, wherever it is', async () => {
    const evidence = await sample();
    const { decision, effects, attempts } = structuredClone(evidence);
    if (decision === null) throw new Error('no decision');
    const [first] = decision.actions;
    if (first !== undefined) first.trace = first.trace.slice(0, -1);
    for (const effect of effects) effect.trace = effect.trace.map((entry) => ({ ...entry, reason: 'x' }));
    for (const { judged } of attempts) for (const one of judged) one.outcome = 'pass';
    const replayed = replayEvidence(GATE_SET, { ...evidence, decision, effects, attempts });
    expect(kinds(replayed)).toStrictEqual([
      ['attempt 1, action 0', 'different'],
      ['action 0', 'different'],
      ['action 1', 'identical'],
      ['effect 0', 'different'],
    ]);
    expect(replayed.map(({ difference }) => difference)).toStrictEqual([
      'the outcome is block and was pass',
      expect.stringMatching(/^the trace differs at entry \d+$/),
      '',
      'the trace of the last mile differs',
    ]);
  });

  it('counts another gate set apart', async () => {
    const other = buildGateSet(GATES.map((gate) => ({ ...gate, version: gate.version + 1 })));
    expect(new Set(replayEvidence(other, await sample()).map(({ kind }) => kind))).toStrictEqual(
      new Set(['other-version']),
    );
  });

  it('knows the last mile of a policy that came after the decision', async () => {
    const policyVersion = buildPolicyVersion(GATE_SET, 'h'.repeat(64));
    const act = await judgeSample(reply(), { stage: 'act', policyVersion });
    const evidence = sampleEvidence('con-1', [await judgeSample(reply())], { effects: [effectOf(0, act)] });
    expect(kinds(replayEvidence(GATE_SET, evidence)).at(-1)).toStrictEqual(['effect 0', 'other-version']);
    expect(kinds(replayEvidence(GATE_SET, evidence, ['h'.repeat(64)])).at(-1)).toStrictEqual(['effect 0', 'identical']);
  });

  it('counts what was forgotten, and cards, apart', async () => {
    const card = await judgeSample(notice());
    const shown = { ...card, action: { ...card.action, text: '[approval card]' } };
    const evidence = sampleEvidence('con-1', [shown], { withheld: [0], effects: [effectOf(0, card)] });
    expect(kinds(replayEvidence(GATE_SET, evidence))).toStrictEqual([
      ['action 0', 'withheld'],
      ['effect 0', 'withheld'],
    ]);
    expect(kinds(replayEvidence(GATE_SET, { ...(await sample()), isForgotten: true }))).toStrictEqual([
      ['decision', 'forgotten'],
    ]);
    expect(replayEvidence(GATE_SET, sampleEvidence('con-2', [], { decision: null }))).toStrictEqual([]);
  });
});

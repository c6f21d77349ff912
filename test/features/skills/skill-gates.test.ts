import { beforeAll, describe, expect, it } from 'vitest';
import { buildGateSet } from '../../../lib/core/gates/engine/build-gate-set.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { replay } from '../../../lib/core/gates/engine/replay.ts';
import { verify } from '../../../lib/core/gates/engine/verify.ts';
import { loadSandbox, type Sandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { type Action, actionHash } from '../../../lib/core/signal/action.ts';
import type { JudgedAction } from '../../../lib/core/signal/decision.ts';
import type { Gate } from '../../../lib/core/signal/gate.ts';
import { sha256Of } from '../../../lib/features/skills/skill-files.ts';
import { buildSkillGate, rebuildSkillGate } from '../../../lib/features/skills/skill-gates.ts';
import { approvedFacts, factsFor, notice, reply, toolCall, webhookCall } from '../../core/gates/samples.ts';
import { HOSTILE, type HostileCase } from '../../core/sandbox/hostile-corpus.ts';
import { fc } from '../../support/fast-check.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await loadSandbox();
});

const NAME = 'skill-guard-limit';
const fileOf = (body: string): string => `function gate(action, facts) { ${body}\n}`;
/** Some hostile code ends by time alone: on a busy machine other code may not take as little. */
const impatient: Sandbox = { run: (job) => sandbox.run({ ...job, timeoutMs: 500 }) };
const byFor = ({ expected }: HostileCase): Sandbox =>
  'why' in expected && expected.why === 'steps' ? impatient : sandbox;
const gateOf = (code: string, by = sandbox): Gate => buildSkillGate(by, NAME, sha256Of(code), code);
const setOf = (code: string, by = sandbox) => buildGateSet([...GATE_SET.gates, gateOf(code, by)]);
const judge = (body: string, action: Action = reply()) => verify(setOf(fileOf(body)), action, factsFor(action));

describe('buildSkillGate', () => {
  it.each<[string, string, string]>([
    ['return { verdict: "pass" }', 'pass', ''],
    ['return { verdict: "pass", reason: "fine" }', 'pass', ''],
    ['return { verdict: "ask", reason: "more than 100" }', 'ask', 'the skill guard-limit gate asks: "more than 100"'],
    ['return { verdict: "ask" }', 'ask', 'the skill guard-limit gate asks'],
    ['return { verdict: "block", reason: "no" }', 'block', 'the skill guard-limit gate blocks: "no"'],
    [
      'return { verdict: "ask", reason: "a\\nb\\u202e \\"c\\" \\u{e0041}" }',
      'ask',
      `the skill guard-limit gate asks: "a\\u{a}b\\u{202e} 'c' \\u{e0041}"`,
    ],
    [
      'return { verdict: "ask", reason: "x".repeat(5000) }',
      'ask',
      `the skill guard-limit gate asks: "${'x'.repeat(160)}"`,
    ],
  ])('gives the verdict of %s', (body, outcome, reason) => {
    expect(judge(body)).toMatchObject({ outcome, reason });
  });

  it.each([
    'return { verdict: "modify", reason: "", action: { ...action, text: "other" } }',
    'return { verdict: "pass", action }',
    'return { verdict: "allow" }',
    'return { verdict: "ask", reason: 5 }',
    'return "pass"',
    'return true',
    'return [{ verdict: "pass" }]',
    'return (async () => ({ verdict: "pass" }))()',
  ])('blocks for an answer that no gate may give: %s', (body) => {
    expect(judge(body)).toMatchObject({
      outcome: 'block',
      reason: 'the skill guard-limit gate gave no verdict that it may give',
    });
  });

  it.each(HOSTILE)('blocks in fixed words if its code $name, and the replay is the same', (hostile) => {
    const code = fileOf(hostile.body);
    const by = byFor(hostile);
    const action = toolCall();
    const facts = factsFor(action);
    const { outcome, reason, trace } = verify(setOf(code, by), action, facts);
    expect({ outcome, reason }).toStrictEqual({
      outcome: 'block',
      reason: expect.stringMatching(/^the skill guard-limit gate [a-zA-Z ]{5,70}( \(line \d+\))?$/),
    });
    const judged: JudgedAction = {
      action,
      hash: actionHash(action),
      outcome: 'block',
      trace: [...trace],
      facts: [facts],
    };
    expect(replay(setOf(code, by), judged).difference).toBe('');
    expect(judge('return { verdict: "pass" }').outcome).toBe('pass');
  });

  it('judges what a model proposes, never words and commands of people', () => {
    const block = 'return { verdict: "block", reason: "never" }';
    expect(judge(block, notice()).outcome).toBe('pass');
    const command = toolCall({ author: 'owner' });
    expect(judge(block, command).outcome).toBe('pass');
    expect(judge(block, toolCall()).outcome).toBe('block');
  });

  it('sees the action and its facts, and changes neither', () => {
    const body =
      'const seen = action.args.content + facts.space; action.args.content = ""; facts.space = ""; return { verdict: "ask", reason: seen }';
    expect(judge(body, toolCall()).reason).toContain('The dentist is on Monday.default');
  });

  it('asks again at the last mile, and an approval of exactly this action answers', () => {
    const gateSet = setOf(fileOf('return { verdict: "ask", reason: "sure?" }'));
    const action = reply();
    expect(verify(gateSet, action, approvedFacts(action)).outcome).toBe('pass');
    expect(verify(gateSet, action, factsFor(action, { stage: 'act' })).outcome).toBe('block');
  });

  it('is made again from the entry of a stored set, with its code only', () => {
    const code = fileOf('return { verdict: "pass" }');
    const sha256 = sha256Of(code);
    const has = (found: string) => (found === sha256 ? code : undefined);
    expect(rebuildSkillGate(sandbox, [NAME, 5, 1, sha256], has)).toMatchObject({ name: NAME, version: 1 });
    expect(rebuildSkillGate(sandbox, [NAME, 5, 1, sha256], () => undefined)).toBeUndefined();
    expect(rebuildSkillGate(sandbox, [NAME, 5, 2, sha256], has)).toBeUndefined();
    expect(rebuildSkillGate(sandbox, [NAME, 6, 1, sha256], has)).toBeUndefined();
    expect(rebuildSkillGate(sandbox, ['network', 150, 6], has)).toBeUndefined();
  });

  it('only ever makes stricter: no code turns a block into less, nor an ask into a pass', () => {
    const strictness = { pass: 0, ask: 1, block: 2, modify: 3 } as const;
    const bodies = fc.oneof(
      fc.constantFrom(
        ...HOSTILE.filter(({ expected }) => JSON.stringify(expected).includes('value')).map(({ body }) => body),
      ),
      fc
        .record({ verdict: fc.constantFrom('pass', 'ask', 'block', 'modify', 'allow'), reason: fc.string() })
        .map((answer) => `return ${JSON.stringify(answer)}`),
    );
    const action = fc.constantFrom(
      reply(),
      toolCall(),
      webhookCall(),
      toolCall({ args: {} }),
      reply({ text: '' }),
      notice(),
    );
    const facts = fc.record({
      tier: fc.constantFrom('allow', 'ask', 'deny'),
      isStopped: fc.boolean(),
      origin: fc.constantFrom('owner', 'outside'),
      stage: fc.constantFrom('reason', 'act'),
    } as const);
    fc.assert(
      fc.property(bodies, action, facts, (body, judged, changes) => {
        const without = verify(GATE_SET, judged, factsFor(judged, changes));
        const within = verify(setOf(fileOf(body)), judged, factsFor(judged, changes));
        expect(strictness[within.outcome]).toBeGreaterThanOrEqual(strictness[without.outcome]);
        if (without.outcome === 'block' || without.outcome === 'modify') expect(within).toStrictEqual(without);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../../lib/core/base/canonical.ts';
import { GATE_REASON_CHARS_MAX, JSON_DEPTH_MAX } from '../../../../lib/core/base/limits.ts';
import {
  buildGateSet,
  ENGINE_VERSION,
  type GateSet,
  REQUIRED_GATES,
} from '../../../../lib/core/gates/engine/build-gate-set.ts';
import { GATE_SET, GATES } from '../../../../lib/core/gates/engine/gate-set.ts';
import {
  frozenCopy,
  hasAsked,
  MODIFY_ROUNDS_MAX,
  verify,
  verifyFully,
} from '../../../../lib/core/gates/engine/verify.ts';
import { type Action, actionHash } from '../../../../lib/core/signal/action.ts';
import type { ApprovalFacts, Facts } from '../../../../lib/core/signal/facts.ts';
import { type Gate, PASS, type Verdict } from '../../../../lib/core/signal/gate.ts';
import { missesOf } from '../../../support/misses.ts';
import { approvedFacts, factsFor, gate, gateSetWith, NOW, notice, reply, toolCall, webhookCall } from '../samples.ts';

const asking: Gate['check'] = () => ({ verdict: 'ask', reason: 'a person must see this' });
const blocking: Gate['check'] = () => ({ verdict: 'block', reason: 'never' });
const engineBlock = (action: Action, reason: string) => ({
  outcome: 'block',
  action,
  trace: [{ gate: 'gate-set', verdict: 'block', reason }],
  reason,
});

describe('verify', () => {
  it.each<readonly [string, Action]>([
    ['reply', reply()],
    ['tool call', toolCall()],
    ['webhook call', webhookCall()],
    ['notice', notice()],
  ])('passes a %s with a trace entry of every gate in force, in order', (_name, action) => {
    const { outcome, action: judged, trace, reason } = verify(GATE_SET, action, factsFor(action));
    expect({ outcome, judged, reason }).toStrictEqual({ outcome: 'pass', judged: action, reason: '' });
    const inForce = GATE_SET.gates.map((gate) => [gate.name, 'pass']);
    expect(trace.map((entry) => [entry.gate, entry.verdict])).toStrictEqual(inForce);
  });

  it('ends at a block', () => {
    const { outcome, trace, reason } = verify(GATE_SET, toolCall(), factsFor(toolCall(), { tier: 'deny' }));
    const blocked = 'the tool remember is denied by the permissions';
    expect({ outcome, trace, reason }).toStrictEqual({
      outcome: 'block',
      trace: [
        { gate: 'kill-switch', verdict: 'pass', reason: '' },
        { gate: 'flood', verdict: 'pass', reason: '' },
        { gate: 'permissions', verdict: 'block', reason: blocked },
      ],
      reason: blocked,
    });
  });

  it('remembers every ask and goes on', () => {
    const facts = factsFor(webhookCall(), { tier: 'ask', origin: 'outside' });
    const { outcome, trace, reason } = verify(GATE_SET, webhookCall(), facts);
    expect(outcome).toBe('ask');
    expect(trace).toHaveLength(GATES.length);
    expect(hasAsked(trace)).toBe(true);
    expect(reason).toBe(
      "the tool call-webhook needs a person's approval; the tool call-webhook was made from outside text and would leave the space: a person must approve it",
    );
  });

  it('lets a later block win over an earlier ask', () => {
    const set = gateSetWith(gate('first', asking, 900), gate('second', blocking, 800));
    const { outcome, trace, reason } = verify(set, reply(), factsFor(reply()));
    expect({ outcome, reason }).toStrictEqual({ outcome: 'block', reason: 'never' });
    expect(trace.map((entry) => entry.verdict)).toStrictEqual(['ask', 'block']);
  });

  it('does not depend on the order in which gates are listed; ties go by name', () => {
    const gates = ['zebra', 'apple', 'mango'].map((name) => gate(name, () => ({ verdict: 'pass', reason: name }), 500));
    const required = REQUIRED_GATES.map((name) => gate(name, () => PASS, 1));
    const one = buildGateSet([...gates, ...required]);
    const other = buildGateSet([...required].reverse().concat([...gates].reverse()));
    expect(other.version).toBe(one.version);
    const trace = verify(one, reply(), factsFor(reply())).trace;
    expect(verify(other, reply(), factsFor(reply())).trace).toStrictEqual(trace);
    expect(trace.slice(0, 3).map((entry) => entry.gate)).toStrictEqual(['apple', 'mango', 'zebra']);
  });

  it('hands a modify back with the changed action, and ends there', () => {
    const changed = toolCall({ args: { content: 'normalised' } });
    const set = gateSetWith(
      gate('changes', () => ({ verdict: 'modify', reason: 'normalised', action: changed }), 900),
      gate('later', blocking, 800),
    );
    expect(verify(set, toolCall(), factsFor(toolCall()))).toStrictEqual({
      outcome: 'modify',
      action: changed,
      trace: [{ gate: 'changes', verdict: 'modify', reason: 'normalised' }],
      reason: 'normalised',
    });
  });

  it.each<readonly [string, Partial<Action>]>([
    ['author', { author: 'code' }],
    ['template', { template: 'stopped' }],
    ['card', { card: '0'.repeat(32) }],
    ['explanation', { explanation: 'Another reason altogether.' }],
    ['target', { target: 'console' }],
  ])('blocks a modify that changes the %s', (field, changes) => {
    const set = gateSetWith(
      gate('changes', (action) => ({ verdict: 'modify', reason: '', action: { ...action, ...changes } })),
    );
    const { outcome, reason } = verify(set, reply(), factsFor(reply()));
    expect({ outcome, reason }).toStrictEqual({
      outcome: 'block',
      reason: `the gate tried to change ${field}, which no gate may`,
    });
  });

  it('keeps a reason that just fits', () => {
    const reason = 'x'.repeat(GATE_REASON_CHARS_MAX);
    const set = gateSetWith(gate('wordy', () => ({ verdict: 'block', reason }), 900));
    expect(verify(set, reply(), factsFor(reply())).reason).toBe(reason);
  });

  it('cuts reasons, and leaves no half character behind', () => {
    for (const reason of ['x'.repeat(1000), '😀'.repeat(500), `x${'😀'.repeat(500)}`, `\ud800${'y'.repeat(1000)}`]) {
      const set = gateSetWith(gate('wordy', () => ({ verdict: 'block', reason }), 900));
      const result = verify(set, reply(), factsFor(reply()));
      expect(result.reason.length).toBeLessThanOrEqual(GATE_REASON_CHARS_MAX);
      expect(result.reason.length).toBeGreaterThan(GATE_REASON_CHARS_MAX - 3);
      expect(result.reason.isWellFormed()).toBe(true);
      expect(result.trace).toStrictEqual([{ gate: 'wordy', verdict: 'block', reason: result.reason }]);
    }
  });
});

describe('verify fails closed (I3)', () => {
  const broken: readonly (readonly [string, () => unknown])[] = [
    ['undefined', () => undefined],
    ['null', () => null],
    ['true', () => true],
    ['a word', () => 'pass'],
    ['an empty object', () => ({})],
    ['an unknown verdict', () => ({ verdict: 'approve', reason: '' })],
    ['a verdict without reason', () => ({ verdict: 'pass' })],
    ['a reason that is no text', () => ({ verdict: 'pass', reason: 5 })],
    ['an unknown key', () => ({ verdict: 'pass', reason: '', approved: true })],
    ['a pass with an action', () => ({ verdict: 'pass', reason: '', action: reply() })],
    ['a modify without action', () => ({ verdict: 'modify', reason: '' })],
    ['a modify with a malformed action', () => ({ verdict: 'modify', reason: '', action: { target: 'telegram' } })],
    ['a promise', () => Promise.resolve(PASS)],
    ['a list', () => [PASS]],
    ['a function', () => () => PASS],
  ];

  it('blocks when a gate answers anything but a verdict', () => {
    const misses = missesOf(broken, ([, answer]) => {
      const set = gateSetWith(gate('broken', answer as Gate['check'], 900));
      const reason = 'the gate gave no valid verdict';
      expect(verify(set, reply(), factsFor(reply()))).toStrictEqual({
        outcome: 'block',
        action: reply(),
        trace: [{ gate: 'broken', verdict: 'block', reason }],
        reason,
      });
    });
    expect(misses).toEqual([]);
  });

  it.each<readonly [string, () => never]>([
    [
      'an error',
      () => {
        throw new Error('secret: hunter2');
      },
    ],
    [
      'a text',
      () => {
        throw 'hunter2';
      },
    ],
    [
      'nothing',
      () => {
        throw undefined;
      },
    ],
  ])('blocks when a gate throws %s, and does not repeat it', (_name, check) => {
    const { outcome, trace } = verify(gateSetWith(gate('broken', check, 900)), reply(), factsFor(reply()));
    expect({ outcome, trace }).toStrictEqual({
      outcome: 'block',
      trace: [{ gate: 'broken', verdict: 'block', reason: 'the gate failed' }],
    });
  });

  it('blocks when a verdict throws while it is read', () => {
    const check = () =>
      Object.defineProperty({ reason: '' }, 'verdict', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      });
    const set = gateSetWith(gate('broken', check as unknown as Gate['check'], 900));
    expect(verify(set, reply(), factsFor(reply())).outcome).toBe('block');
  });

  it('blocks with no gates at all', () => {
    expect(verify(buildGateSet([]), reply(), factsFor(reply()))).toStrictEqual(
      engineBlock(reply(), 'there are no gates'),
    );
  });

  it('blocks when any required gate is missing', () => {
    const misses = missesOf(REQUIRED_GATES, (name) => {
      const set = buildGateSet(GATES.filter((listed) => listed.name !== name));
      expect(verify(set, reply(), factsFor(reply()))).toStrictEqual(
        engineBlock(reply(), `required gates are missing: ${name}`),
      );
    });
    expect(misses).toEqual([]);
  });

  it('names every required gate that is missing', () => {
    const set = buildGateSet(GATES.filter(({ name }) => name !== 'network' && name !== 'explanation'));
    expect(set.problem).toBe('required gates are missing: explanation, network');
  });

  it('blocks when two gates carry one name', () => {
    const set = buildGateSet([...GATES, gate('network', () => PASS, 2000)]);
    expect(verify(set, reply(), factsFor(reply()))).toStrictEqual(engineBlock(reply(), 'two gates are named network'));
  });

  it("blocks when a gate carries the engine's name", () => {
    const set = buildGateSet([...GATES, gate('gate-set', () => PASS)]);
    expect(verify(set, reply(), factsFor(reply())).outcome).toBe('block');
  });

  it.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['no name', { ...gate('x', () => PASS), name: '' }],
    ['a name with spaces', gate('Two Words', () => PASS)],
    ['a name and more', gate('two words', () => PASS)],
    ['a list for a name', { ...gate('extra', () => PASS), name: ['extra'] }],
    ['no priority', { ...gate('extra', () => PASS), priority: Number.NaN }],
    ['no version', { ...gate('extra', () => PASS), version: undefined }],
    ['no check', { ...gate('extra', () => PASS), check: undefined }],
  ])('blocks when the list holds a gate with %s', (_name, bad) => {
    const set = buildGateSet([...GATES, bad as Gate]);
    const reason = 'a gate lacks its name, priority, version or check';
    expect(verify(set, reply(), factsFor(reply()))).toStrictEqual(engineBlock(reply(), reason));
  });

  it('blocks facts about another action', () => {
    const facts = factsFor(reply({ to: '4712' }));
    expect(verify(GATE_SET, reply(), facts)).toStrictEqual(engineBlock(reply(), 'the facts are about another action'));
  });

  it('blocks facts that lack any part', () => {
    const misses = missesOf(Object.keys(factsFor(reply())), (key) => {
      const { [key]: _, ...facts } = factsFor(reply()) as Record<string, unknown>;
      const reason = 'the facts are not what gates can judge by';
      expect(verify(GATE_SET, reply(), facts as Facts)).toStrictEqual(engineBlock(reply(), reason));
    });
    expect(misses).toEqual([]);
  });

  it.each<readonly [string, object]>([
    ['an approved flag', { isApproved: true }],
    ['an unknown tier', { tier: 'always' }],
    ['an unknown stage', { stage: 'later' }],
    ['another schema version', { schemaVersion: 2 }],
  ])('blocks facts with %s', (_name, changes) => {
    const facts = { ...factsFor(reply()), ...changes } as Facts;
    expect(verify(GATE_SET, reply(), facts).reason).toBe('the facts are not what gates can judge by');
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  it.each<readonly [string, unknown]>([
    ['itself', cyclic],
    ['100,000 levels', { deep }],
    ['a lone surrogate', { text: '\ud800' }],
    ['a key with a lone surrogate', { '\ud800': 1 }],
    ['not a number', { n: Number.NaN }],
    ['a function', { f: () => 1 }],
    ['a date', { d: new Date(0) }],
    ['a map', { m: new Map() }],
    ['a hole', { list: new Array(2) }],
    ['a prototype', JSON.parse('{"__proto__": {"x": 1}}')],
    ['a toJSON member', { toJSON: 'x' }],
    ['a big integer', { n: 1n }],
  ])('blocks an action whose arguments hold %s', (_name, args) => {
    const action = toolCall({ args: args as NonNullable<Action['args']> });
    const { outcome, trace } = verify(GATE_SET, action, factsFor(toolCall()));
    const reason = 'the action has no canonical form';
    expect({ outcome, trace }).toStrictEqual({
      outcome: 'block',
      trace: [{ gate: 'gate-set', verdict: 'block', reason }],
    });
  });

  it.each([undefined, null, 5, 'text', []])('blocks %j in place of an action', (nothing) => {
    expect(verify(GATE_SET, nothing as unknown as Action, factsFor(reply())).outcome).toBe('block');
    expect(verify(GATE_SET, reply(), nothing as unknown as Facts).outcome).toBe('block');
  });

  it('blocks an action with an approved flag, whatever the facts say (I5)', () => {
    const action = { ...reply(), approved: true } as Action;
    const facts = factsFor(reply(), { actionHash: actionHash(action) });
    const { outcome, reason } = verify(GATE_SET, action, facts);
    expect({ outcome, reason }).toStrictEqual({ outcome: 'block', reason: 'it does not have the form of an action' });
  });

  it('shows every gate the same action and facts, whatever another gate tries to do with them', () => {
    const seen: string[] = [];
    const look: Gate['check'] = (action, facts) => {
      seen.push(JSON.stringify([action, facts]));
      return PASS;
    };
    const meddle: Gate['check'] = (action, facts) => {
      for (const change of [
        () => Object.assign(action, { text: 'changed' }),
        () => Object.assign(action.args ?? {}, { content: 'changed' }),
        () => Object.assign(facts, { isStopped: false }),
        () => facts.argumentProblems.push('changed'),
      ]) {
        try {
          change();
        } catch {}
      }
      return PASS;
    };
    const set = gateSetWith(gate('a', look, 900), gate('b', meddle, 800), gate('c', look, 700));
    const action = toolCall();
    const facts = factsFor(action);
    expect(verify(set, action, facts).action).toStrictEqual(toolCall());
    expect(seen).toHaveLength(2);
    expect(seen[1]).toBe(seen[0]);
    expect([action, facts]).toStrictEqual([toolCall(), factsFor(toolCall())]);
  });

  it('leaves the caller their own, changeable action', () => {
    const action = toolCall();
    const { action: judged } = verify(GATE_SET, action, factsFor(action));
    Object.assign(action.args ?? {}, { content: 'changed after the judgement' });
    expect(judged).toStrictEqual(toolCall());
    expect(Object.isFrozen(judged.args)).toBe(true);
  });
});

describe('verify at the last mile (I4, I5)', () => {
  const action = webhookCall();
  const facts = approvedFacts(action, { tier: 'ask' });
  const approval = facts.approval as ApprovalFacts;

  it('passes what asks with an approval that fits, and says so', () => {
    const { outcome, trace, reason } = verify(GATE_SET, action, facts);
    const approved = "a person approved exactly this action: the tool call-webhook needs a person's approval";
    expect({ outcome, reason }).toStrictEqual({ outcome: 'pass', reason: approved });
    expect(trace.find(({ gate }) => gate === 'permissions')).toStrictEqual({
      gate: 'permissions',
      verdict: 'ask',
      reason: approved,
    });
    expect(trace).toHaveLength(GATES.length);
    expect(hasAsked(trace)).toBe(true);
  });

  it.each<readonly [string, Partial<ApprovalFacts> | null, string]>([
    ['none', null, 'no approval was given'],
    ['a pending one', { state: 'pending' }, 'the approval is pending'],
    ['a denied one', { state: 'denied' }, 'the approval is denied'],
    ['an expired one', { state: 'expired' }, 'the approval is expired'],
    ['a spent one', { state: 'spent' }, 'the approval is spent'],
    ['one for another action', { actionHash: 'b'.repeat(64) }, 'the approval is for another action'],
    ['one under another policy', { policyVersion: 'b'.repeat(64) }, 'the policy has changed since the approval'],
    ['one of another space', { space: 'other' }, 'the approval is for another space'],
    ['one that ends now', { expiresAt: NOW }, 'the approval has expired'],
    ['one that ended', { expiresAt: 0 }, 'the approval has expired'],
    ['one without an id', { id: '' }, 'the approval has no id'],
  ])('blocks what asks with %s', (_name, changes, problem) => {
    const changed = changes === null ? null : { ...approval, ...changes };
    const { outcome, reason, trace } = verify(GATE_SET, action, { ...facts, approval: changed });
    const blocked = `${problem}: the tool call-webhook needs a person's approval`;
    expect({ outcome, reason, last: trace.at(-1) }).toStrictEqual({
      outcome: 'block',
      reason: blocked,
      last: { gate: 'permissions', verdict: 'block', reason: blocked },
    });
  });

  it('passes what an earlier claim of this very effect has spent, also after the approval has ended', () => {
    const spentHere = { ...approval, state: 'spent-here' as const, expiresAt: NOW };
    expect(verify(GATE_SET, action, { ...facts, approval: spentHere }).outcome).toBe('pass');
    for (const changes of [{ actionHash: 'b'.repeat(64) }, { policyVersion: 'x' }, { space: 'other' }, { id: '' }]) {
      const { outcome } = verify(GATE_SET, action, { ...facts, approval: { ...spentHere, ...changes } });
      expect(outcome, Object.keys(changes).join()).toBe('block');
    }
  });

  it('blocks when any field of the approval is changed in any way', () => {
    const strange = [undefined, null, '', 'x', 0, -1, true, {}, [], Number.NaN];
    for (const field of Object.keys(approval)) {
      for (const value of strange) {
        if (field === 'id' && value === 'x') continue; // Any id is an id: which one is known is the store's question.
        const changed = { ...approval, [field]: value } as ApprovalFacts;
        const { outcome } = verify(GATE_SET, action, { ...facts, approval: changed });
        expect(outcome, `${field} = ${String(value)}`).toBe('block');
      }
    }
    const extended = { ...approval, isForever: true } as ApprovalFacts;
    expect(verify(GATE_SET, action, { ...facts, approval: extended }).outcome).toBe('block');
  });

  it.each(Object.keys(webhookCall()))('blocks when the %s of the action was changed after the approval', (field) => {
    const changed = { ...action, [field]: field === 'args' ? { body: {} } : 'changed' } as Action;
    expect(verify(GATE_SET, changed, facts).reason).toBe('the facts are about another action');
    const { outcome } = verify(GATE_SET, changed, { ...facts, actionHash: actionHash(changed) });
    expect(outcome).toBe('block');
  });

  it('blocks an approved action that a gate blocks', () => {
    expect(verify(GATE_SET, action, { ...facts, isStopped: true }).outcome).toBe('block');
    expect(verify(GATE_SET, action, { ...facts, tier: 'deny' }).outcome).toBe('block');
    expect(verify(GATE_SET, action, { ...facts, secrets: [{ name: 'a', field: 'args' }] }).outcome).toBe('block');
  });

  it('passes what nobody asks about without an approval', () => {
    const { outcome, trace } = verify(GATE_SET, action, factsFor(action, { stage: 'act' }));
    expect([outcome, hasAsked(trace)]).toStrictEqual(['pass', false]);
  });

  it('spends no approval before the last mile', () => {
    expect(verify(GATE_SET, action, { ...facts, stage: 'reason' }).outcome).toBe('ask');
  });

  it('blocks a modify', () => {
    const set = gateSetWith(gate('changes', () => ({ verdict: 'modify', reason: 'path normalised', action }), 900));
    const { outcome, reason } = verify(set, action, facts);
    const blocked = 'it would have to be changed, and at the last mile nothing is: path normalised';
    expect({ outcome, reason }).toStrictEqual({ outcome: 'block', reason: blocked });
  });
});

describe('verifyFully', () => {
  const gatherFacts = async (action: Action): Promise<Facts> => factsFor(action);
  const trimming: Gate['check'] = (action) => {
    const content = String(action.args?.content);
    if (!content.startsWith(' ')) return PASS;
    return { verdict: 'modify', reason: 'trimmed', action: { ...action, args: { content: content.slice(1) } } };
  };
  const spaced = (spaces: number) => toolCall({ args: { content: `${' '.repeat(spaces)}dentist` } });

  it('gives what is stored: action, hash, outcome, trace and facts', async () => {
    expect(await verifyFully(GATE_SET, reply(), gatherFacts)).toStrictEqual({
      action: reply(),
      hash: actionHash(reply()),
      outcome: 'pass',
      trace: verify(GATE_SET, reply(), factsFor(reply())).trace,
      facts: [factsFor(reply())],
      reason: '',
    });
  });

  it('gathers facts and runs every gate again after each modify', async () => {
    const set = gateSetWith(
      gate('before', () => PASS, 950),
      gate('trims', trimming, 900),
    );
    const result = await verifyFully(set, spaced(2), gatherFacts);
    expect(result.outcome).toBe('pass');
    expect(result.action).toStrictEqual(spaced(0));
    expect(result.hash).toBe(actionHash(spaced(0)));
    expect(result.facts).toStrictEqual([factsFor(spaced(2)), factsFor(spaced(1)), factsFor(spaced(0))]);
    expect(result.trace.slice(0, 6).map((entry) => `${entry.gate} ${entry.verdict}`)).toStrictEqual([
      'before pass',
      'trims modify',
      'before pass',
      'trims modify',
      'before pass',
      'trims pass',
    ]);
  });

  it('lets a changed action meet a gate that had passed the first form', async () => {
    const noDentist: Gate['check'] = (action) =>
      action.args?.content === 'dentist' ? { verdict: 'block', reason: 'no dentists' } : PASS;
    const set = gateSetWith(gate('earlier', noDentist, 950), gate('trims', trimming, 900));
    const result = await verifyFully(set, spaced(1), gatherFacts);
    expect([result.outcome, result.reason]).toStrictEqual(['block', 'no dentists']);
  });

  it(`settles after ${MODIFY_ROUNDS_MAX} changes, and blocks after one more`, async () => {
    const set = gateSetWith(gate('trims', trimming, 900));
    const last = await verifyFully(set, spaced(MODIFY_ROUNDS_MAX), gatherFacts);
    expect([last.outcome, last.facts.length]).toStrictEqual(['pass', MODIFY_ROUNDS_MAX + 1]);
    const over = await verifyFully(set, spaced(MODIFY_ROUNDS_MAX + 1), gatherFacts);
    const reason = `the gates were still changing it after ${MODIFY_ROUNDS_MAX} rounds`;
    expect([over.outcome, over.reason, over.facts.length]).toStrictEqual(['block', reason, MODIFY_ROUNDS_MAX + 1]);
    expect(over.trace.at(-1)).toStrictEqual({ gate: 'gate-set', verdict: 'block', reason });
    expect(over.hash).toBe(actionHash(over.action));
  });

  it('blocks gates that change an action to and fro', async () => {
    const swap: Gate['check'] = (action): Verdict => {
      const content = action.args?.content === 'a' ? 'b' : 'a';
      return { verdict: 'modify', reason: 'swapped', action: { ...action, args: { content } } };
    };
    expect((await verifyFully(gateSetWith(gate('swaps', swap)), toolCall(), gatherFacts)).outcome).toBe('block');
  });

  it('blocks what has no canonical form without asking for facts', async () => {
    const action = reply({ text: '\ud800' });
    const unwanted = async () => {
      throw new Error('no facts can be gathered about this');
    };
    const reason = 'the action has no canonical form';
    expect(await verifyFully(GATE_SET, action, unwanted)).toStrictEqual({
      action,
      hash: '',
      outcome: 'block',
      trace: [{ gate: 'gate-set', verdict: 'block', reason }],
      facts: [],
      reason,
    });
  });

  it('throws on what the gathering of facts throws', async () => {
    const failing = async () => {
      throw new Error('store is down');
    };
    await expect(verifyFully(GATE_SET, reply(), failing)).rejects.toThrow('store is down');
  });
});

describe('buildGateSet', () => {
  const versionOf = (gates: readonly Gate[]): string => buildGateSet(gates).version;

  it('gives a set of the gates in force without problem', () => {
    expect(GATE_SET.problem).toBe('');
    const advice = 'GATES of gate-set.ts stands in the order in which gates run: by priority, then by name';
    const inForce = GATE_SET.gates.map(({ name }) => name);
    const listed = GATES.map(({ name }) => name);
    expect(inForce, advice).toStrictEqual(listed);
    expect(GATE_SET.version).toMatch(/^[0-9a-f]{64}$/);
  });

  it('names its version by the engine, each gate and what is wrong', () => {
    const gates = GATE_SET.gates.map(({ name, priority, version }) => [name, priority, version]);
    expect(GATE_SET.version).toBe(hashOf('gate-set', { engine: ENGINE_VERSION, gates, problem: '' }));
  });

  it('requires every gate in force', () => {
    expect([...REQUIRED_GATES].sort(), 'name each gate in REQUIRED_GATES of build-gate-set.ts').toStrictEqual(
      GATES.map(({ name }) => name).sort(),
    );
  });

  it('gives another version for another name, priority, version, or list', () => {
    const rest: readonly Gate[] = GATES.slice(1);
    const first: Gate = { ...(GATES[0] as Gate) };
    const versions = [
      versionOf(GATES),
      versionOf([{ ...first, version: first.version + 1 }, ...rest]),
      versionOf([{ ...first, priority: first.priority + 1 }, ...rest]),
      versionOf([{ ...first, name: 'renamed' }, ...rest]),
      versionOf(rest),
      versionOf([...GATES, gate('more', () => PASS)]),
      versionOf([...GATES, undefined as unknown as Gate]),
      versionOf([]),
    ];
    expect(new Set(versions).size).toBe(versions.length);
    expect(versionOf([...GATES].reverse())).toBe(versions[0]);
  });

  it('cannot be changed by changing a gate later', () => {
    const gates = GATES.map((listed) => ({ ...listed }));
    const set: GateSet = buildGateSet(gates);
    for (const listed of gates) Object.assign(listed, { check: () => PASS, priority: 1 });
    gates.length = 0;
    expect(verify(set, toolCall(), factsFor(toolCall(), { isStopped: true })).outcome).toBe('block');
    expect(() => Object.assign(set.gates[0] ?? {}, { check: () => PASS })).toThrow(TypeError);
    expect(() => Object.assign(set, { problem: '' })).toThrow(TypeError);
  });
});

/** An object or list nested `levels` deep. */
const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};

describe('frozenCopy', () => {
  it('copies and freezes plain data all the way down, and drops undefined members', () => {
    const value = { a: [1, { b: null }], c: 'text', d: undefined, e: Object.assign(Object.create(null), { f: true }) };
    const copy = frozenCopy(value);
    expect(copy).toStrictEqual({ a: [1, { b: null }], c: 'text', e: { f: true } });
    for (const part of [copy, copy.a, copy.a[1], copy.e]) expect(Object.isFrozen(part)).toBe(true);
    for (const part of [value, value.a, value.a[1], value.e]) expect(Object.isFrozen(part)).toBe(false);
  });

  it.each<readonly [string, (inner: unknown) => unknown]>([
    ['objects', (inner) => ({ inner })],
    ['lists', (inner) => [inner]],
  ])('bounds the nesting of %s to one level more than JSON has', (_name, wrap) => {
    const deepest = nested(JSON_DEPTH_MAX + 1, wrap);
    expect(frozenCopy(deepest)).toStrictEqual(deepest);
    expect(() => frozenCopy(nested(JSON_DEPTH_MAX + 2, wrap))).toThrow('the value is nested too deeply');
  });

  it.each<readonly [string, unknown, string]>([
    ['a date', new Date(0), 'the value is not plain data'],
    ['a __proto__ key', JSON.parse('{"__proto__": {}}'), 'the value has a key that objects cannot carry'],
    ['a null __proto__ key', JSON.parse('{"__proto__": null}'), 'the value has a key that objects cannot carry'],
  ])('refuses %s', (_name, value, message) => {
    expect(() => frozenCopy({ value })).toThrow(message);
  });
});

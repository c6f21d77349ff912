import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { buildActionResult, packDecision, packEffect, parseRecord } from '../../../lib/core/ledger/ledger.ts';
import { buildRecordItem } from '../../../lib/core/ledger/record.ts';
import { mayReopen } from '../../../lib/core/ledger/reopen-effect.ts';
import { Decision, Effect, type JudgedAction } from '../../../lib/core/signal/decision.ts';
import { fc } from '../../support/fast-check.ts';
import { buildSignal } from '../edge/console/stored-fixtures.ts';
import { factsFor, reply } from '../gates/samples.ts';

const action = reply();

const judged = fc.record(
  {
    trace: fc.array(
      fc.record(
        {
          gate: fc.constantFrom('kill-switch', 'network', 'permissions'),
          verdict: fc.constantFrom('pass' as const, 'ask' as const, 'block' as const),
          reason: fc.constantFrom('', 'because'),
        },
        { noNullPrototype: true },
      ),
    ),
    isStopped: fc.boolean(),
    isPlainReply: fc.boolean(),
    problems: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  },
  { noNullPrototype: true },
);

it('buildActionResult tells the model that nobody knows an outcome that was not written down', () => {
  const claimed = { schemaVersion: 1, n: 0, actuator: 'webhook', state: 'claimed' } as unknown as Effect;
  expect(buildActionResult(claimed, undefined)).toMatchObject({ n: 0, state: 'unknown' });
});

it('mayReopen lets an effect be tried again once Act may have worked on its signal', () => {
  const states = ['received', 'perceived', 'reasoned', 'suspended', 'acted', 'refused', 'dropped', 'dead-lettered'];
  const signal = buildSignal('con-1');
  const open = states.filter((state) =>
    mayReopen(parseRecord('con-1', { ...buildRecordItem(signal, 'acted', 1), state })),
  );
  expect(open).toStrictEqual(states.filter((state) => state !== 'received' && state !== 'dropped'));
});

describe('packDecision and packEffect', () => {
  it('are read back value for value, whatever they leave out', () => {
    fc.assert(
      fc.property(judged, ({ trace, isStopped, isPlainReply, problems }) => {
        const facts = [{ ...factsFor(action), isStopped, isPlainReply, argumentProblems: problems }];
        const one: JudgedAction = { action, hash: 'h', outcome: 'pass', trace, facts };
        const decision: Decision = {
          schemaVersion: 1,
          signalId: 's',
          at: 1,
          outcome: 'act',
          reason: '',
          gateSet: 'g',
          policyVersion: 'p',
          attemptCount: 1,
          actions: [one],
        };
        const effect: Effect = {
          schemaVersion: 1,
          n: 0,
          actuator: 'tool',
          state: 'done',
          actionHash: 'h',
          trace,
          facts,
          tries: 1,
        };
        expect(z.parse(Decision, packDecision(decision))).toStrictEqual(decision);
        expect(z.parse(Effect, packEffect(effect))).toStrictEqual(effect);
        // An item written whole is read as well.
        expect(z.parse(Decision, decision)).toStrictEqual(decision);
      }),
    );
  });
});

/**
 * The kill switch: whatever the order of writes, a stop is never undone by a resume that is not
 * newer.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStoppedFor, loadKillSwitch, setKillSwitch } from '../../../lib/core/ledger/kill-switch.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const change = fc.record({ isStopped: fc.boolean(), at: fc.integer({ min: 1, max: 6 }), by: fc.constant('console') });

describe('isStoppedFor', () => {
  const at = 5;
  const resumed = { schemaVersion: 1, isStopped: false, by: 'console', at: 9, stoppedAt: at } as const;

  it.each([
    ['nobody ever stopped', undefined, at, false],
    ['it is stopped, whenever that was said', { ...resumed, isStopped: true }, 10, true],
    ['it was said before the last stop', resumed, at - 1, true],
    ['it was said at the same moment: nobody knows which came first', resumed, at, true],
    ['it was said after the last stop', resumed, at + 1, false],
  ])('judges an action if %s', (_, killSwitch, consentedAt, isStopped) => {
    expect(isStoppedFor(killSwitch, consentedAt)).toBe(isStopped);
  });
});

describe('setKillSwitch', () => {
  it('lets every stop in, and a resume only over something older (invariant: STOP stops)', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
        run += 1;
        const space = `s${run}`;
        let expected: (typeof changes)[number] | undefined;
        let stoppedAt: number | undefined;
        for (const wanted of changes) {
          const isTaken = wanted.isStopped || expected === undefined || wanted.at > expected.at;
          expect(await setKillSwitch(dynamo.table, space, wanted)).toBe(isTaken ? 'applied' : 'outdated');
          if (isTaken) expected = wanted;
          if (wanted.isStopped) stoppedAt = wanted.at;
        }
        const stored = await loadKillSwitch(dynamo.table, space);
        const kept = stoppedAt === undefined ? {} : { stoppedAt };
        expect(stored).toStrictEqual(expected === undefined ? undefined : { schemaVersion: 1, ...expected, ...kept });
      }),
      { numRuns: 40 },
    );
  });
});

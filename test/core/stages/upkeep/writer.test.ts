import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../../lib/core/base/errors.ts';
import { MINUTE_MS } from '../../../../lib/core/base/limits.ts';
import { GATE_SET } from '../../../../lib/core/gates/engine/gate-set.ts';
import { finding } from '../../../../lib/core/language/finding.ts';
import { anchorProblemKey, findAnchorProblem } from '../../../../lib/core/log/log-problem.ts';
import { buildWriter } from '../../../../lib/core/stages/upkeep/writer.ts';
import { logKeys } from '../../../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../../../support/dynamo.ts';
import { buildLogWorld, SECRET } from '../../log/log-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

describe('buildWriter', () => {
  it('stores the gates in force before it adds a leaf that names them', async () => {
    const { space, simulation, say } = buildLogWorld(dynamo);
    await say('hello');
    const isGateSetThere: boolean[] = [];
    const key = logKeys.gateSet(space, GATE_SET.version);
    const write = buildWriter({
      table: {
        ...dynamo.table,
        transact: async (writes) => {
          isGateSetThere.push((await dynamo.table.load([key], { isConsistent: true }))[0] !== undefined);
          return dynamo.table.transact(writes);
        },
      },
      space,
      readSecrets: async () => new Map([['LOG_SIGNING_KEY', SECRET]]),
      wake: async () => undefined,
      anchors: undefined,
      loadGateSet: async () => GATE_SET,
      log: () => undefined,
      now: simulation.now,
    });
    await write(
      { stage: 'log', v: 1, space, round: 0 },
      () => 60_000,
      () => undefined,
    );
    expect(isGateSetThere.length).toBeGreaterThan(0);
    expect(isGateSetThere).not.toContain(false);
  });

  it('notes that a checkpoint could not be anchored, for as long as it tries again', async () => {
    const { space, simulation, say } = buildLogWorld(dynamo);
    await say('hello');
    const fail = () => Promise.reject(new UnavailableError('The bucket of anchors did not answer.'));
    const write = buildWriter({
      table: dynamo.table,
      space,
      readSecrets: async () => new Map([['LOG_SIGNING_KEY', SECRET]]),
      wake: async () => undefined,
      anchors: { save: fail, newest: fail, keepForgotten: fail, forgottenSince: fail },
      loadGateSet: async () => GATE_SET,
      log: () => undefined,
      now: simulation.now,
    });
    const run = () =>
      write(
        { stage: 'log', v: 1, space, round: 0 },
        () => 60_000,
        () => undefined,
      );
    await expect(run()).rejects.toThrow(UnavailableError);
    const [item] = await dynamo.table.load([anchorProblemKey(space)]);
    const now = simulation.now();
    expect(findAnchorProblem(item, now)).toStrictEqual([finding('anchor')]);
    expect(findAnchorProblem(item, now + 6 * MINUTE_MS)).toStrictEqual([]);
  });
});

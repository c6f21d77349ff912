/**
 * A person says no under a policy that counts denials, and the write of the count fails below the
 * store's client. The message of the no is delivered again before the action is refused: nothing is
 * lost, the no is counted once, and the person hears of it once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../lib/core/base/errors.ts';
import { NO_TARGETS } from '../../lib/core/judge/declared.ts';
import { embeddedDynamoClient } from '../../lib/core/store/clients.ts';
import { buildTable, type Table } from '../../lib/core/store/table.ts';
import { namesOf } from '../../lib/features/policy/past.ts';
import { savePolicySetting } from '../../lib/features/policy/save-policy.ts';
import { vouchedOf } from '../../lib/features/policy/vouched.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { type LosingProxy, startLosingProxy } from '../support/losing-proxy.ts';
import { buildApprovalWorld } from './approval-world.ts';

const POLICY = `@id("ask") @ask("") permit(principal, action == Action::"call-webhook", resource);
@id("denied-today") forbid(principal, action == Action::"call-webhook", resource)
when { context.past.same.denied >= 1 };`;

let dynamo: TestDynamo;
let proxy: LosingProxy;
let table: Table;
beforeAll(async () => {
  dynamo = await startDynamo();
  proxy = await startLosingProxy(dynamo.endpoint);
  table = buildTable(embeddedDynamoClient(proxy.endpoint, 'us-east-1', dynamo.credentials), dynamo.tableName);
});
afterAll(async () => {
  await proxy?.stop();
  await dynamo?.stop();
});

/** A card waits under the policy. */
const buildWorld = async () => {
  const world = buildApprovalWorld(table);
  await savePolicySetting(dynamo.table, world.space, { text: POLICY, by: 'me', at: 0 });
  const id = await world.say('deploy main');
  const approvalId = await world.approvalOf(id);
  return { ...world, id, approvalId, no: world.tapOf(approvalId, 'deny') };
};
type World = Awaited<ReturnType<typeof buildWorld>>;

/** The denials that each row of the past holds. */
const counted = async ({ space, id, evidence }: World): Promise<readonly string[][]> => {
  const action = (await evidence(id)).decision?.actions[0]?.action;
  if (action === undefined) throw new Error('there is no action');
  const keys = Object.values(namesOf(action, vouchedOf(action, NO_TARGETS))).map((sk) => ({ pk: `past#${space}`, sk }));
  const rows = await dynamo.table.load(keys, { isConsistent: true });
  return rows.map((row) => (JSON.parse(String(row?.denied ?? '[]')) as { id: string }[]).map((one) => one.id));
};
const once = ({ id }: World) => [[`${id}#0`], [`${id}#0`], [`${id}#0`]];

const expectDeniedOnce = async (world: World): Promise<void> => {
  const { id, approvalId } = world;
  expect(await counted(world)).toStrictEqual(once(world));
  expect((await world.evidence(id)).effects).toMatchObject([{ state: 'refused', reason: 'a person denied it' }]);
  expect(await world.approval(approvalId)).toMatchObject({ state: 'denied', decidedBy: world.no.id });
  expect(world.texts().filter((text) => text.startsWith('Denied:'))).toHaveLength(1);
  expect(world.calls()).toStrictEqual([]);
  // The next one is judged by the count.
  const next = await world.evidence(await world.say('deploy main'));
  expect(JSON.stringify(next)).toContain('policy: denied-today');
  expect(world.calls()).toStrictEqual([]);
};

const isCount = (action: string, body: string): boolean =>
  action === 'TransactWriteItems' && body.includes('"past#') && body.includes('"denied"');

describe('a denial that could not be counted', () => {
  it('is tried again with its message before the action is refused', async () => {
    const world = await buildWorld();
    let refused = 0;
    proxy.refuse((action, body) => {
      const isIt = isCount(action, body);
      refused += isIt ? 1 : 0;
      return isIt;
    });
    await expect(world.send(world.no)).rejects.toBeInstanceOf(UnavailableError);
    // Each try of the client failed; the message is still there, and nobody was told anything.
    expect(refused).toBeGreaterThan(1);
    expect(world.simulation.queue.map(({ signalId }) => signalId)).toContain(world.no.id);
    expect(await counted(world)).toStrictEqual([[], [], []]);
    expect(await world.statesOf(world.id)).toStrictEqual(['suspended']);
    expect(world.texts().filter((text) => text.startsWith('Denied:'))).toStrictEqual([]);
    proxy.refuse();
    await world.simulation.drain();
    await expectDeniedOnce(world);
  });

  it('counts once if the count was written and its answer was lost', async () => {
    const world = await buildWorld();
    let isLost = false;
    let counts = 0;
    proxy.refuse((action, body) => {
      isLost = isCount(action, body) && counts === 0;
      counts += isCount(action, body) ? 1 : 0;
      return false;
    });
    proxy.lose(() => isLost);
    await world.send(world.no);
    proxy.refuse();
    proxy.lose(() => false);
    expect(counts).toBeGreaterThan(1);
    await expectDeniedOnce(world);
  });
});

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteForLog } from '../../../lib/core/ledger/ledger.ts';
import { indexPartitions, signalKeys } from '../../../lib/core/store/keys.ts';
import { loadItem } from '../../../lib/core/store/load-named.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const newRef = () => ({ space: `s${randomBytes(6).toString('hex')}`, id: 'tg-1-1' });
const load = ({ space, id }: ReturnType<typeof newRef>) => loadItem(dynamo.table, signalKeys.record(space, id));

describe('noteForLog', () => {
  it('puts a signal that ended before into the index, and counts', async () => {
    const ref = newRef();
    await dynamo.table.put(signalKeys.record(ref.space, ref.id), { ends: 1 });
    await noteForLog(dynamo.table, ref, 7);
    const marks = { awaitsLog: true, unfinishedSpace: indexPartitions.unfinishedSignals(ref.space), unfinishedAt: 7 };
    expect(await load(ref)).toMatchObject({ ...marks, ends: 2 });
  });

  it('only counts for a signal that is in the index', async () => {
    const ref = newRef();
    const unfinishedSpace = indexPartitions.unfinishedSignals(ref.space);
    await dynamo.table.put(signalKeys.record(ref.space, ref.id), { ends: 1, unfinishedSpace, unfinishedAt: 3 });
    await noteForLog(dynamo.table, ref, 7);
    expect(await load(ref)).toMatchObject({ ends: 2, unfinishedAt: 3 });
    expect((await load(ref))?.awaitsLog).toBeUndefined();
  });

  it('makes no record of a signal that is not there', async () => {
    const ref = newRef();
    await noteForLog(dynamo.table, ref, 7);
    expect(await load(ref)).toBeUndefined();
  });
});

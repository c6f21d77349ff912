/**
 * An export of a space that goes on: begun after every single operation of turns, an approval,
 * forgettings and the log's writer, it is verified when it is done; and whatever goes on between
 * two of its own readings. Deterministic: an export that waits goes on after the next operation of
 * the others.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MERGE_DELAY_MS } from '../../../lib/core/base/limits.ts';
import { verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { indexPartitions } from '../../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { isSampled } from '../../support/sample.ts';
import { ownerMessage, signalWith } from '../../support/simulation.ts';
import { buildLogWorld, type Exported, keyOf, type LogWorld } from './log-world.ts';
import { watchTable } from './watched-table.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const DEPLOY = '{"webhook":"deploys","body":{},"explanation":"the owner asked for it"}';
const SECRET = 'the violet heron nests behind the mill';

const ANSWERS = {
  answer: (prompt: { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] }) =>
    prompt.messages.at(-1)?.role !== 'tool' && JSON.stringify(prompt.messages.at(-1)).includes('deploy')
      ? { toolCalls: [{ id: 'c1', name: 'call-webhook', argumentsText: DEPLOY }] }
      : { content: 'Done.' },
  webhookUrls: { deploys: 'https://deploys.example/hook' },
};

/** An export that runs until it waits, and on from there each time it is told to. */
const beginExport = (collect: (pause: () => Promise<boolean>) => Promise<Exported>) => {
  let goOn: () => void = () => undefined;
  let hasArrived: () => void = () => undefined;
  let ended: Exported | undefined;
  let failed: unknown;
  const arrive = (): Promise<void> =>
    new Promise((resolve) => {
      hasArrived = resolve;
    });
  const first = arrive();
  const pause = (): Promise<boolean> =>
    new Promise((resolve) => {
      goOn = () => resolve(true);
      hasArrived();
    });
  collect(pause).then(
    (lines) => {
      ended = lines;
      hasArrived();
    },
    (error: unknown) => {
      failed = error;
      hasArrived();
    },
  );
  return {
    first,
    step: (): Promise<void> => {
      const next = arrive();
      goOn();
      return next;
    },
    ended: (): Exported | undefined => {
      if (failed !== undefined) throw failed;
      return ended;
    },
  };
};

const PARKED_MAX = 2;

const checkExport = async (log: LogWorld, at: number, { lines, problems }: Exported, anchor: string): Promise<void> => {
  const now = log.simulation.now() + 1_000;
  const found = await verifyExport(lines, { now, key: keyOf(log.space), ...(anchor === '' ? {} : { anchor }) });
  const isEmpty = !('wrong' in found) && found.leaves === 0;
  expect({ at, problems, found }).toMatchObject({
    at,
    problems: [],
    found: { status: isEmpty ? 'incomplete' : 'verified' },
  });
  expect((await verifyExport(lines, { now })).status).toBe(isEmpty ? 'incomplete' : 'consistent');
};

/** Everything a day may bring. @param write runs the log's writer */
const live = async (log: LogWorld, write: () => Promise<unknown>): Promise<void> => {
  const { simulation, space } = log;
  let n = 0;
  const deliver = async (): Promise<void> => {
    for (let count = 1; simulation.queue.length > 0; count += 1) {
      await simulation.deliverNext();
      simulation.advance(1_000);
      if (count % 3 === 0) await write();
    }
  };
  const command = async (name: string, rest: string, chat = '7'): Promise<void> => {
    n += 1;
    await simulation.accept(
      signalWith(space, `tg-1-${50 + n}`, { sensor: 'command', name, rest }, chat, simulation.now()),
    );
    await deliver();
  };
  await command('remember', SECRET);
  await command('recall', 'violet heron', '8');
  await simulation.accept(ownerMessage(space, 90, 'please deploy', '7', simulation.now()));
  await deliver();
  const partition = indexPartitions.pendingApprovals(space);
  const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 5 });
  const approvalId = String(items[0]?.pk).split('#').at(-1) ?? '';
  const decide = { sensor: 'approval-decision', approvalId, decision: 'approve' } as const;
  await simulation.accept(signalWith(space, 'tg-1-91', decide, '7', simulation.now()));
  await deliver();
  const id = (await log.memory.list({ limit: 1 })).objects[0]?.id ?? '';
  await command('forget', id);
};

describe('an export of a space that goes on', () => {
  it('is verified, whichever operation of turns, an approval, a forgetting and the log it is begun after', async () => {
    let isExporting = true;
    let operations = 0;
    let anchor = '';
    let done = 0;
    let parked: { readonly at: number; readonly one: ReturnType<typeof beginExport> }[] = [];
    const collectDone = async (): Promise<void> => {
      for (const { at, one } of parked) {
        const ended = one.ended();
        if (ended === undefined) continue;
        done += 1;
        await checkExport(log, at, ended, anchor);
      }
      parked = parked.filter(({ one }) => one.ended() === undefined);
    };
    const lookOnce = async (): Promise<void> => {
      operations += 1;
      for (const { one } of parked) await one.step();
      await collectDone();
      if (parked.length >= PARKED_MAX) return;
      const one = beginExport((pause) => log.exportLines({ pause }));
      await one.first;
      parked.push({ at: operations, one });
      await collectDone();
    };
    // One at a time: some operations are made together.
    let looking: Promise<void> = Promise.resolve();
    const table = watchTable(dynamo.table, () => {
      if (isExporting) looking = looking.then(lookOnce);
      return looking;
    });
    const log = buildLogWorld(dynamo, { ...ANSWERS, table });
    const write = async (): Promise<void> => {
      const { checkpoint } = await log.run({ table });
      anchor = checkpoint?.note ?? anchor;
    };
    await live(log, write);
    // The writer was away for a while.
    await log.say('hello');
    log.simulation.advance(2 * MERGE_DELAY_MS);
    await write();
    isExporting = false;
    for (const { one } of parked) await one.step();
    await collectDone();
    expect({ parked: parked.length, isMany: done > 150 }).toStrictEqual({ parked: 0, isMany: true });
  });

  it('is verified, whatever goes on between two of its readings', async () => {
    for (let k = 1, isWithin = true; isWithin; k += 1) {
      if (!isSampled('reading', k)) continue;
      const log = buildLogWorld(dynamo, ANSWERS);
      await log.say('hello');
      await log.run();
      let reads = 0;
      let hasHappened = false;
      const table = watchTable(dynamo.table, async () => {
        reads += 1;
        if (reads !== k) return;
        hasHappened = true;
        await live(log, () => log.run());
      });
      const pause = async (): Promise<boolean> => {
        await log.run();
        return true;
      };
      const exported = await log.exportLines({ table, pause });
      await checkExport(log, k, exported, '');
      isWithin = hasHappened;
    }
  });
});

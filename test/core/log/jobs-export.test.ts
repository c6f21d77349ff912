/**
 * A job's story over the real stages and the real heartbeat: made and edited by an approved call,
 * on time, late, missed, failed, paused, resumed and run by hand. Its export verifies by the real
 * command. Then somebody with the whole table changes one thing before the log's writer comes by:
 * each change is named, though every hash and signature holds.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import type { Key } from '../../../lib/core/store/keys.ts';
import { indexPartitions, jobKeys, signalKeys } from '../../../lib/core/store/keys.ts';
import type { Item } from '../../../lib/core/store/table.ts';
import { definitionHash, JobDefinition } from '../../../lib/features/jobs/job.ts';
import type { Occurrence } from '../../../lib/features/jobs/occurrence.ts';
import { type HistoryEntry, loadHistory } from '../../../lib/features/jobs/read-jobs.ts';
import { computeMoments } from '../../../lib/features/jobs/verifier-knowledge.ts';
import { CHILD_ENV } from '../../support/child-env.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { scanSpace } from '../../support/scan.ts';
import { signalWith } from '../../support/simulation.ts';
import { buildLogWorld, keyOf, type LogWorld } from './log-world.ts';
import { copySpace } from './space-copy.ts';

const MINUTE = 60_000;
/** The story begins a few seconds after a full minute, as a person does. */
const START = Math.ceil(1_790_000_000_000 / MINUTE) * MINUTE + 7_000;

let dynamo: TestDynamo;
let world: LogWorld;
let history: readonly HistoryEntry[];
let snapshot: Awaited<ReturnType<typeof copySpace>>;
const folder = mkdtempSync(join(tmpdir(), 'passepartout-jobs-'));
let isBroken = false;

const buildStory = () => {
  let sent = 0;
  const { simulation, space } = world;
  const send = async (payload: Parameters<typeof signalWith>[2]): Promise<void> => {
    sent += 1;
    await simulation.accept(signalWith(space, `tg-1-${sent}`, payload, '7', simulation.now()));
    await simulation.drain();
  };
  const jobs = (rest: string) => send({ sensor: 'command', name: 'jobs', rest });
  const say = (text: string) => send({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] });
  const approve = async (): Promise<void> => {
    const partition = indexPartitions.pendingApprovals(space);
    const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 1 });
    const approvalId = String(items[0]?.pk).split('#').at(-1) ?? '';
    await send({ sensor: 'approval-decision', approvalId, decision: 'approve' });
  };
  /** Minutes pass, with a tick in each. */
  const run = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      simulation.advance(MINUTE);
      await simulation.tickJobs();
      await simulation.drain();
    }
  };
  return { jobs, say, approve, run, sleep: (minutes: number) => simulation.advance(minutes * MINUTE) };
};

beforeAll(async () => {
  dynamo = await startDynamo();
  world = buildLogWorld(dynamo, {
    startAt: START,
    answer: () => ({ content: 'All is well.' }),
    outside: () =>
      isBroken
        ? { state: 'failed', reason: 'the service said no' }
        : { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' },
  });
  const { jobs, say, approve, run, sleep } = buildStory();
  await jobs('add report every 10m: Say how it is.');
  await approve();
  await run(21);
  // The machine sleeps: two moments are missed, and the newest runs late.
  sleep(37);
  await run(5);
  isBroken = true;
  await run(7);
  isBroken = false;
  await jobs('edit report every 15m');
  await approve();
  await run(18);
  // It is paused a minute after a moment, before the tick comes.
  sleep(13);
  await jobs('pause report');
  await run(20);
  await jobs('resume report');
  await jobs('run report');
  await run(50);
  // The service goes on: by now the newest moment must be accounted for.
  for (let talks = 0; talks < 5; talks += 1) {
    await run(3);
    await say('hello');
  }
  history = (await loadHistory(dynamo.table, world.space, 'report', 100)).toReversed();
  snapshot = await copySpace(dynamo, world.space);
});
afterAll(async () => {
  await dynamo?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const exportFile = async (name: string): Promise<string> => {
  await world.run();
  const { lines, problems } = await world.exportLines();
  expect(problems).toStrictEqual([]);
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};

const verifyByCommand = (file: string) => {
  const program = join(ROOT, 'infra/cli/passepartout.js');
  const words = [program, 'verify', file, '--key', keyOf(world.space)];
  const env = { ...CHILD_ENV, NO_COLOR: '1', TZ: 'America/New_York' };
  return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env });
};

describe('the story of a job', () => {
  it('has every kind of occurrence', () => {
    expect(history.map(({ occurrence: { kind, state, version } }) => `${kind} ${state} ${version}`)).toStrictEqual([
      ...['rule fired 1', 'rule fired 1', 'rule missed 1', 'rule missed 1', 'rule late 1', 'rule fired 1'],
      ...['rule failed 1', 'rule fired 2', 'rule skipped 2', 'run fired 4'],
      ...['rule fired 4', 'rule fired 4', 'rule fired 4', 'rule fired 4'],
    ]);
  });

  it('is exported, and verified by the command', async () => {
    await snapshot.restore();
    const { status, stdout } = verifyByCommand(await exportFile('good.jsonl'));
    expect({ status, first: stdout.split('\n')[0] }).toStrictEqual({ status: 0, first: 'verified' });
    expect(stdout).toContain(`1 job, ${history.length} occurrences: every moment of a job's rule has its occurrence`);
  });
});

const loadItem = async (key: Key): Promise<Item> => {
  const [item] = await dynamo.table.load([key], { isConsistent: true });
  if (item === undefined) throw new Error(`there is no ${key.pk} ${key.sk}`);
  return item;
};
const removeItem = async ({ pk, sk }: Key): Promise<void> => {
  const Key = { pk: { S: pk }, sk: { S: sk } };
  await dynamo.client.send(new DeleteItemCommand({ TableName: dynamo.tableName, Key }));
};
/** A signal with all that it caused. */
const removeTurn = async (id: string): Promise<void> => {
  for (const item of await scanSpace(dynamo, world.space)) {
    const own = signalKeys.partition(world.space, id);
    const pk = String(item.pk);
    if (pk === own || pk.startsWith(`${own}/`)) await removeItem({ pk, sk: String(item.sk) });
  }
};
const change = async (key: Key, make: (item: Item) => Item): Promise<void> => {
  const { pk: _pk, sk: _sk, ...item } = await loadItem(key);
  await dynamo.table.put(key, make(item));
};
const entryOf = (state: Occurrence['state'], n = 0): HistoryEntry => {
  const entry = history.filter(({ occurrence }) => occurrence.state === state && occurrence.kind === 'rule').at(n);
  if (entry === undefined) throw new Error(`no occurrence ${state}`);
  return entry;
};
const changeOccurrence = (id: string, make: (item: Item) => Item): Promise<void> =>
  change(jobKeys.occurrence(world.space, id), make);
const changesOfJob = async (n: number): Promise<Key> => {
  const items = await scanSpace(dynamo, world.space);
  const found = items.find(({ pk, sk }) => String(pk).startsWith('signal#') && sk === `job#report#00000${n}`);
  return { pk: String(found?.pk), sk: String(found?.sk) };
};

const CHANGES: readonly (readonly [string, () => Promise<void>, string, RegExp])[] = [
  [
    'an occurrence is gone',
    () => removeTurn(entryOf('missed').signalId),
    'occurrence',
    /^it says that it follows .*: an occurrence between is missing$/,
  ],
  [
    'the newest occurrence is gone',
    () => removeTurn(entryOf('fired', -1).signalId),
    'job',
    /^its moment .* has no occurrence$/,
  ],
  [
    'its moment is another',
    () => changeOccurrence(entryOf('late').signalId, (item) => ({ ...item, instant: Number(item.instant) + MINUTE })),
    'occurrence',
    /^its record is of job-report-/,
  ],
  [
    'one that failed says that it fired',
    () => changeOccurrence(entryOf('failed').signalId, ({ why: _why, ...item }) => ({ ...item, state: 'fired' })),
    'occurrence',
    /^it says that it did what the job promises, and no effect of its turn did$/,
  ],
  [
    'one that fired had no effect',
    () => removeItem(signalKeys.effect(world.space, entryOf('fired').signalId, 0)),
    'occurrence',
    /^it says that it did what the job promises, and no effect of its turn did$/,
  ],
  [
    'the moment before it is another',
    () => changeOccurrence(entryOf('late').signalId, (item) => ({ ...item, after: Number(item.after) - MINUTE })),
    'occurrence',
    /^it says that it follows .*: an occurrence between is missing$/,
  ],
  ['a version is gone', async () => removeItem(await changesOfJob(3)), 'job', /^version 3 of the job is missing$/],
  [
    'its rule is another',
    async () =>
      change(await changesOfJob(1), (item) => ({
        ...item,
        definition: String(item.definition).replace('"minutes":10', '"minutes":20'),
      })),
    'job',
    /^its definition was changed$/,
  ],
  [
    'its rule is another, under its own hash',
    async () =>
      change(await changesOfJob(1), (item) => {
        const definition = String(item.definition).replace('"minutes":10', '"minutes":20');
        return { ...item, definition, hash: definitionHash(JobDefinition.parse(JSON.parse(definition))) };
      }),
    'job',
    /^its definition is not the one that a person approved$/,
  ],
];

describe('a table that was changed before the log came by', () => {
  it.each(CHANGES)('is named if %s', async (_, make, kind, what) => {
    await snapshot.restore();
    await make();
    await world.run();
    const { lines } = await world.exportLines();
    const now = world.simulation.now();
    const found = await verifyExport(lines, { now, key: keyOf(world.space), momentsBetween: computeMoments });
    expect(found).toMatchObject({ status: 'wrong', wrong: { kind, what: expect.stringMatching(what) } });
  });

  it('is named by the command too', async () => {
    await snapshot.restore();
    await removeTurn(entryOf('fired', -1).signalId);
    const { status, stdout } = verifyByCommand(await exportFile('bad.jsonl'));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^WRONG: job report#4 \(leaf \d+\): its moment .* has no occurrence\n$/);
  });
});

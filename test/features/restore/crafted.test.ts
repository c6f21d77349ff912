/**
 * Backups that somebody with the passphrase wrote: a right that the log does not prove is refused
 * by its name, however it got into the file, and what stands is listed.
 */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTable } from '../../../infra/features/backup/with-table.ts';
import { DATA_FILE } from '../../../infra/local/database.ts';
import { closeStorage, openTableFile } from '../../../infra/local/table-server/storage.ts';
import type { Grant } from '../../../lib/core/approvals/grant.ts';
import { revokeGrant, saveGrant } from '../../../lib/core/approvals/grants.ts';
import { HOUR_MS } from '../../../lib/core/base/limits.ts';
import { changeOwnerSetting } from '../../../lib/core/ledger/change-owner-setting.ts';
import { pairedChatKey } from '../../../lib/core/ledger/paired-chats.ts';
import { packEntries, unpackEntries } from '../../../lib/core/log/stored.ts';
import { runLog } from '../../../lib/core/log/write-log.ts';
import { indexPartitions } from '../../../lib/core/store/keys.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { buildMcpStore } from '../../../lib/features/mcp/servers.ts';
import { savePolicySetting } from '../../../lib/features/policy/save-policy.ts';
import { runnersWrites } from '../../../lib/features/runner/runner-powers.ts';
import { NO_RUNNERS, type Runner } from '../../../lib/features/runner/runners.ts';
import { signersOf } from '../../core/log/log-world.ts';
import { ownerMessage } from '../../support/simulation.ts';
import { fillFolder } from '../backup/fill-folder.ts';
import { craftBackups, type Line, readLines } from './craft-backup.ts';

const SPACE = 'default';
const NOW = Date.now();
const { root, restore, drop } = craftBackups(NOW);
const home = join(root, 'home');
afterAll(drop);

const MACHINE: Runner = {
  name: 'laptop',
  publicKey: 'key',
  slot: 1,
  pairedAt: 1,
  pairedBy: 'console',
  isPaused: true,
  allow: { hash: 'a'.repeat(64), home: '/home/p', read: [], write: [], programs: [], hasNetwork: false },
};
const GRANT: Grant = {
  schemaVersion: 1,
  id: '0123456789ab',
  space: SPACE,
  policyVersion: 'v',
  gates: ['permissions'],
  target: 'tool',
  tool: 'fetch-url',
  args: { url: 'https://example.com/a' },
  loosened: [],
  usesMax: 5,
  uses: 4,
  state: 'live',
  createdAt: 1,
  createdBy: 'console',
  fromSignal: 'con-1',
  fromN: 0,
  expiresAtMs: NOW + HOUR_MS,
  unfinishedSpace: indexPartitions.grants(SPACE),
  unfinishedAt: NOW + HOUR_MS,
};
const WIDE = 'permit (principal, action, resource);';

const logAll = async (table: Table): Promise<void> => {
  const report = (problem: string): void => expect.fail(problem);
  const deps = { table, space: SPACE, now: () => NOW, signers: signersOf(SPACE), hasTime: () => true, report };
  while ((await runLog(deps)).hasMore);
};

const giveRights = async (table: Table): Promise<void> => {
  await table.put(pairedChatKey(SPACE, '7'), { schemaVersion: 1, pairedAt: 1, by: 'p' });
  await saveGrant(table, GRANT, NOW);
  await saveGrant(table, { ...GRANT, id: 'ba9876543210' }, NOW);
  await savePolicySetting(table, SPACE, { text: WIDE, by: 'console', at: 1 });
  const by = { id: 'con-2', space: SPACE, sender: { id: 'console', isApprover: true }, receivedAt: 1 };
  await changeOwnerSetting(table, by, 'memory.-5', 'ask');
  await table.transact(runnersWrites(SPACE, NO_RUNNERS, [MACHINE]));
  const server = { name: 'maps', url: 'https://maps.example', by: 'console', at: 1, accepted: [] };
  await buildMcpStore(table, SPACE).change(() => [server]);
  await logAll(table);
  // Since then they are narrower.
  await savePolicySetting(table, SPACE, { text: 'forbid (principal, action, resource);', by: 'console', at: 2 });
  await revokeGrant(table, SPACE, 'ba9876543210', 'console');
  await logAll(table);
};

let lines: readonly Line[] = [];
beforeAll(async () => {
  await fillFolder(home, 5, 3);
  const file = join(home, DATA_FILE);
  const storage = openTableFile(file);
  await withTable(storage, file, giveRights);
  closeStorage(storage);
  lines = await readLines(home, NOW);
});

const isAt = (pk: string, sk: string) => (line: Line) => line.item?.pk?.S === pk && line.item?.sk?.S === sk;
/** With an item changed; fails if there is none. */
const changed = (pk: string, sk: string, change: object): readonly Line[] => {
  expect(lines.filter(isAt(pk, sk)), `${pk} ${sk}`).toHaveLength(1);
  return lines.map((line) => (isAt(pk, sk)(line) ? { ...line, item: { ...line.item, ...change } } : line));
};
const withItem = (...items: readonly object[]): readonly Line[] => [
  ...lines.slice(0, -1),
  ...items.map((item) => ({ type: 'item', item: { schemaVersion: { N: '1' }, ...item } })),
  ...lines.slice(-1),
];
/** With the entries of the log in another order, or fewer of them. */
const withEntries = (change: (entries: readonly Uint8Array[]) => readonly Uint8Array[]): readonly Line[] =>
  lines.map((line) => {
    const { pk, sk, packed } = line.item ?? {};
    if (pk?.S !== 'log#default' || sk?.S?.startsWith('entries#') !== true) return line;
    const start = Number(sk.S.slice('entries#'.length));
    const stored = { start, schemaVersion: 1, packed: Buffer.from(packed?.B ?? '', 'base64') };
    const count = Number(line.item?.count?.N);
    const next = change(unpackEntries([{ ...stored, count }], start));
    const { packed: bytes } = packEntries(start, next);
    const item = {
      ...line.item,
      count: { N: `${next.length}` },
      packed: { B: Buffer.from(Object(bytes)).toString('base64') },
    };
    return { ...line, item };
  });
const without = (pk: string, sk: string): readonly Line[] => {
  expect(lines.filter(isAt(pk, sk))).toHaveLength(1);
  return lines.filter((line) => !isAt(pk, sk)(line));
};
const itemAt = (pk: string, sk: string) => lines.find(isAt(pk, sk))?.item;

const UNDER_WAY = indexPartitions.unfinishedSignals(SPACE);
const listedIn = (partition: string) => ({ unfinishedSpace: { S: partition }, unfinishedAt: { N: '1' } });
const message = (n: number, more: object) => {
  const signal = JSON.stringify({ ...ownerMessage(SPACE, n, 'pair my friend', undefined, NOW), id: `tg-1-${n}` });
  const counts = { round: { N: '0' }, sweeps: { N: '0' } };
  const feed = { feedSpace: { S: indexPartitions.feed(SPACE) }, feedAt: { N: `${NOW}` } };
  const key = { pk: { S: `signal#default#tg-1-${n}` }, sk: { S: 'record' } };
  return { ...key, ...counts, ...feed, state: { S: 'received' }, signal: { S: signal }, ...more };
};

describe('a crafted backup', () => {
  it('is restored as it is if nobody changed it, with what stands in it', async () => {
    const { spaces } = await restore(lines);
    expect(spaces).toMatchObject([
      {
        problems: [],
        rights: [
          'the Telegram chat 7 is paired',
          `the grant 0123456789ab for fetch-url: 1 uses until ${new Date(GRANT.expiresAtMs).toISOString()}`,
          'the machine laptop is paired',
          'a policy set by console',
          'the MCP server maps at https://maps.example',
          'settings: memory.-5',
          'not proven: order of turns and stops of a conversation (3 rows)',
        ],
      },
    ]);
  });

  it('names a message that it claims was under way, behind any number of ended ones', async () => {
    const ended = { state: { S: 'acted' }, awaitsLog: { BOOL: true } };
    const crowd = Array.from({ length: 20 }, (_, n) => message(1_000 + n, { ...listedIn(UNDER_WAY), ...ended }));
    const { spaces } = await restore(
      withItem(...crowd, message(2_000, { ...listedIn(UNDER_WAY), unfinishedAt: { N: '2' } })),
    );
    expect(spaces[0]?.rights).toContainEqual(
      expect.stringMatching(/^chat-message of \S+ was under way, and is left out: nothing proves who said it$/),
    );
  });

  it('names a run under way, and counts what it does not name', async () => {
    const run = { pk: { S: 'run#default' }, sk: { S: 'run#x' }, state: { S: 'running' }, runbook: { S: 'deploy' } };
    const crowd = Array.from({ length: 20 }, (_, n) => message(1_000 + n, listedIn(UNDER_WAY)));
    const listed = listedIn(indexPartitions.jobs(SPACE));
    const { spaces } = await restore(withItem(...crowd, { ...run, ...listed, by: { S: 'console' } }));
    expect(spaces[0]?.rights).toContain('a run of the runbook deploy, begun by console, was under way, and is stopped');
    expect(spaces[0]?.rights).toContain('1 more were under way, and ended');
  });

  it('loses codes, logins, and the yes to a whole run or job with the grants of its steps', async () => {
    const approved = { M: { by: { S: 'console' } } };
    const { folder } = await restore(
      withItem(
        { pk: { S: 'pairing#default' }, sk: { S: 'code#ab' }, expiresAtMs: { N: `${NOW + HOUR_MS}` } },
        { pk: { S: 'runner#default' }, sk: { S: 'code#cd' }, expiresAtMs: { N: `${NOW + HOUR_MS}` } },
        { pk: { S: 'mcp#default' }, sk: { S: 'login#tracker' }, sealed: { S: 'x' } },
        { pk: { S: 'mcp#default' }, sk: { S: 'begun#tracker' }, sealed: { S: 'x' } },
        { pk: { S: 'grant#default#step' }, sk: { S: 'record' }, state: { S: 'live' } },
        {
          ...{ pk: { S: 'grant#default#unlisted' }, sk: { S: 'record' }, state: { S: 'live' } },
          unfinishedSpace: { S: indexPartitions.grants(SPACE) },
        },
        { pk: { S: 'run#default' }, sk: { S: 'run#x' }, approved },
        { pk: { S: 'job#default' }, sk: { S: 'version#x#000001' }, approved },
      ),
    );
    const all = JSON.stringify(await readLines(folder, NOW));
    for (const lost of ['code#ab', 'code#cd', 'login#', 'begun#', 'grant#default#step', 'unlisted', 'approved":{"M"'])
      expect(all).not.toContain(lost);
    for (const there of ['run#x', 'version#x#000001']) expect(all).toContain(there);
  });

  const grant = `grant#${SPACE}#${GRANT.id}`;
  const machine = { name: { S: 'evil' }, publicKey: { S: 'k' }, slot: { N: '2' } };
  const cases: readonly (readonly [string, () => readonly Line[], RegExp])[] = [
    [
      'a chat',
      () => withItem({ pk: { S: 'pairing#default' }, sk: { S: 'chat#666' }, pairedAt: { N: '1' } }),
      /chat 666: the log has no leaf of it/,
    ],
    [
      'more uses of a grant',
      () => changed(grant, 'record', { uses: { N: '0' } }),
      /grant 0123456789ab: .* newest leaf/,
    ],
    [
      'wider bounds of a grant',
      () => changed(grant, 'record', { loosened: { L: [{ M: { path: { S: '/url' }, kind: { S: 'any' } } }] } }),
      /grant 0123456789ab: .* newest leaf/,
    ],
    [
      'a grant that was revoked',
      () =>
        changed('grant#default#ba9876543210', 'record', {
          state: { S: 'live' },
          unfinishedSpace: { S: indexPartitions.grants(SPACE) },
          unfinishedAt: { N: `${NOW + HOUR_MS}` },
        }),
      /grant ba9876543210: it is not what its newest leaf in the log says/,
    ],
    [
      'an older policy',
      () => changed('setting#default', 'policy', { text: { S: WIDE }, at: { N: '1' } }),
      /policy: it is not what its newest leaf/,
    ],
    [
      'no policy at all',
      () => lines.filter((line) => line.item?.pk?.S !== 'setting#default' || line.item.sk?.S !== 'policy'),
      /policy: the log has a leaf of it, and it is not there/,
    ],
    [
      'a setting',
      () => changed('setting#default', 'owner', { fields: { S: '{"memory.-5":{"value":"open","by":"c","at":2}}' } }),
      /settings: it is not what its newest leaf/,
    ],
    [
      'an older change of a setting',
      () => changed('setting#default', 'owner#000001', { value: { S: 'open' } }),
      /setting 1 memory.-5: it is not what its newest leaf/,
    ],
    [
      'a change of a setting that nobody made',
      () =>
        withItem({
          ...{ pk: { S: 'setting#default' }, sk: { S: 'owner#000002' }, field: { S: 'config.STREAMING' } },
          ...{ value: { S: 'off' }, by: { S: 'c' }, at: { N: '2' }, signal: { S: 'con-9' } },
        }),
      /setting 2 config.STREAMING: the log has no leaf of it/,
    ],
    [
      'a change of a setting left out',
      () => without('setting#default', 'owner#000001'),
      /setting 1 memory.-5: the log has a leaf of it, and it is not there/,
    ],
    [
      'a machine',
      () =>
        changed('runner#default', 'list', {
          runners: {
            L: [
              ...[itemAt('runner#default', 'list')?.runners ?? {}].flatMap((one) => Object.values(one)[0] ?? []),
              { M: machine },
            ],
          },
        }),
      /machine evil: the log has no leaf of it/,
    ],
    [
      'an MCP server',
      () => changed('mcp#default', 'catalogue', { servers: { S: '[{"name":"maps","url":"https://evil.example"}]' } }),
      /server maps: it is not what its newest leaf/,
    ],
    [
      'a skill',
      () =>
        withItem({
          pk: { S: 'skill#default' },
          sk: { S: 'active' },
          round: { N: '1' },
          skills: { S: '[{"name":"evil"}]' },
        }),
      /skill evil: the log has no leaf of it/,
    ],
    [
      'a job',
      () =>
        withItem({
          ...{ pk: { S: 'job#default' }, sk: { S: 'job#evil' }, name: { S: 'evil' }, state: { S: 'active' } },
          ...{ version: { N: '1' }, definition: { S: '{}' } },
        }),
      /job evil: the log has no leaf of it/,
    ],
    [
      'a second job of a name that the log knows, in the list of jobs for events',
      () =>
        withItem({
          ...{ pk: { S: 'job#default' }, sk: { S: 'other#morning' }, name: { S: 'morning' }, state: { S: 'active' } },
          ...{ feedSpace: { S: indexPartitions.eventJobs(SPACE, 'ci') }, feedAt: { N: '0' } },
        }),
      /an item in a list of others: job other#morning/,
    ],
    [
      'an item of another kind in the list of approvals',
      () =>
        withItem({
          ...{ pk: { S: 'spend#default' }, sk: { S: 'x' } },
          ...listedIn(indexPartitions.pendingApprovals(SPACE)),
        }),
      /an item in a list of others: spend x/,
    ],
    [
      'a message in the list of another space',
      () => withItem(message(2_001, listedIn(indexPartitions.unfinishedSignals('other')))),
      /an item in a list of others: signal record/,
    ],
    [
      'an approval in force that no list has',
      () =>
        withItem({
          ...{ pk: { S: 'approval#default#x' }, sk: { S: 'record' }, state: { S: 'approved' }, space: { S: SPACE } },
          expiresAtMs: { N: `${NOW + HOUR_MS}` },
        }),
      /an approval in force that no list has/,
    ],
    [
      'an approval in force that its list cannot hold',
      () =>
        withItem({
          ...{ pk: { S: 'approval#default#x' }, sk: { S: 'record' }, state: { S: 'approved' }, space: { S: SPACE } },
          unfinishedSpace: { S: indexPartitions.pendingApprovals(SPACE) },
          expiresAtMs: { N: `${NOW + HOUR_MS}` },
        }),
      /an approval in force that no list has/,
    ],
    [
      'a message under way that no list has',
      () => withItem(message(2_000, {})),
      /a message under way that no list has/,
    ],
    [
      'a run under way that no list has',
      () => withItem({ pk: { S: 'run#default' }, sk: { S: 'run#x' }, state: { S: 'waiting' } }),
      /a run under way that no list has/,
    ],
    [
      'an item of an unknown kind',
      () => withItem({ pk: { S: 'evil#default' }, sk: { S: 'x' } }),
      /no known kind, evil#/,
    ],
    [
      'an item twice',
      () => [...lines.slice(0, -1), ...lines.filter(isAt('setting#default', 'owner')).slice(0, 1), ...lines.slice(-1)],
      /twice/,
    ],
    [
      'a space that hides behind a missing version',
      () => [
        ...without('data#default', 'version').slice(0, -1),
        { type: 'item', item: { pk: { S: 'pairing#default' }, sk: { S: 'chat#666' } } },
        ...lines.slice(-1),
      ],
      /chat 666: the log has no leaf of it/,
    ],
    ['a leaf cut at the end', () => withEntries((entries) => entries.slice(0, -1)), /leaf|entries|cannot be read|hash/],
    [
      'two leaves swapped',
      () => withEntries(([a, b, ...rest]) => [b, a, ...rest].flatMap((one) => one ?? [])),
      /leaf|hash|root/,
    ],
    ['a log without its head', () => without('log#default', 'head'), /the log has no leaf|missing|cannot be read/],
    ['no log at all', () => lines.filter((line) => line.item?.pk?.S !== 'log#default'), /the log has no leaf of it/],
  ];

  it.each(cases)('with %s is refused by its name', async (_what, craft, problem) => {
    await expect(restore(craft())).rejects.toThrow(problem);
  });
});

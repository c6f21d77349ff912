/**
 * Changes every field of every row of a backup, one at a time, as somebody with the passphrase can:
 * each change is refused, left out, computed anew from the records, or counted as not proven.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Arbitrary } from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unprovenName } from '../../../infra/features/restore/restored-items.ts';
import { DATA_FILE } from '../../../infra/local/database.ts';
import { readJson } from '../../../lib/core/base/json.ts';
import { noteOwnMessage } from '../../../lib/core/ledger/own-messages.ts';
import { runLog } from '../../../lib/core/log/write-log.ts';
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import { raiseDataVersion } from '../../../lib/core/store/data-version.ts';
import { sessionKey } from '../../../lib/core/store/keys.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { signersOf } from '../../core/log/log-world.ts';
import { callTool } from '../../flow/adversity-world.ts';
import { fc } from '../../support/fast-check.ts';
import { randomFrom } from '../../support/generated-decisions.ts';
import { TAKES_ALL, TAKES_MORE } from '../../support/sample.ts';
import { SEED } from '../../support/seed.ts';
import { type Answer, buildSimulation, DEAR, ownerMessage, providersOf } from '../../support/simulation.ts';
import { fillTableOf } from '../backup/fill-folder.ts';
import { craftBackups, type Line, readLines } from './craft-backup.ts';

const SPACE = 'default';
const USAGE = { inputTokens: 1_000, outputTokens: 100 };
const NOW = 1_790_000_000_000;
/** Of all fields, but with `STEPS=all` each is taken. */
const SHARE = TAKES_MORE ? 0.15 : 0.05;
const SHARE_SPOKEN = TAKES_MORE ? 1 : 0.5;
/** Those that matter most: words, sender, conversation, route, model and spending. */
const SPOKEN = /^(?:signal record (?:signal|replies|toolCalls)|session |spend )/;
const REFUSALS = /^(?:RestoreCheckError|BackupFileError|StoredItemError|TableError|ProtocolError)$/;

const answer = ({ messages }: Prompt): Answer => {
  const last = messages.at(-1)?.content ?? '';
  const call = last.includes('state: ') ? undefined : /^(note|deploy) (.+)$/m.exec(last);
  if (call === null || call === undefined) return { content: 'That is how it went.', usage: USAGE };
  const tool =
    call[1] === 'note'
      ? callTool('remember', { text: call[2] })
      : callTool('call-webhook', { webhook: 'deploys', body: { ref: call[2] } });
  return { ...tool, usage: USAGE };
};

const fill = async (table: Table): Promise<void> => {
  await raiseDataVersion(table, SPACE);
  const simulation = buildSimulation({
    table,
    space: SPACE,
    answer,
    startAt: NOW,
    variables: providersOf(DEAR),
    webhookUrls: { deploys: 'https://deploys.example/hook' },
    outside: () => ({ state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' }),
  });
  for (const [n, text] of ['hello', 'note the bike is blue', 'deploy main', 'and then?'].entries()) {
    await simulation.accept(ownerMessage(SPACE, n + 1, text, undefined, simulation.now()));
    await simulation.drain();
  }
  await noteOwnMessage(table, SPACE, { chat: '7', message: 5 }, NOW);
  const model = { model: 'openai:big', modelBy: 'telegram:7', modelAt: NOW, focus: 'a'.repeat(32), focusAt: NOW };
  await table.update(sessionKey(SPACE, 'telegram:7'), { set: model });
  const report = (problem: string): void => expect.fail(problem);
  const deps = { table, space: SPACE, now: () => NOW, signers: signersOf(SPACE), hasTime: () => true, report };
  while ((await runLog(deps)).hasMore);
};

const { root, restore, drop } = craftBackups(NOW);
afterAll(drop);
let lines: readonly Line[];

type Item = NonNullable<Line['item']>;
type Rows = ReadonlyMap<string, Item>;
const rowsOf = (read: readonly Line[]): Rows =>
  new Map(read.flatMap(({ item }) => (item === undefined ? [] : [[rowOf(item), item] as const])));

type Value = unknown;
/** Every field of a value, at any depth, also within the JSON of a text. */
const fieldsOf = (value: Value, path: readonly string[] = []): readonly (readonly string[])[] => {
  const json = (typeof value === 'string' && readJson(value)) || value;
  if (typeof json !== 'object' || json === null) return [path];
  return Object.entries(json).flatMap(([name, one]) => fieldsOf(one, [...path, name]));
};
/** The value at a path; `to` in its place, if given. */
const valueAt = (value: Value, [name, ...rest]: readonly string[]): Value => {
  if (name === undefined) return value;
  return valueAt(Reflect.get(Object(typeof value === 'string' ? JSON.parse(value) : value), name), rest);
};
const change = (value: Value, [name, ...rest]: readonly string[], to: Value): Value => {
  if (name === undefined) return to;
  const isJson = typeof value === 'string';
  const container: object = structuredClone(isJson ? JSON.parse(value) : value);
  Reflect.set(container, name, change(Reflect.get(container, name), rest, to));
  return isJson ? JSON.stringify(container) : container;
};

/** Another value of the same type, mostly a likely one. */
const other = (value: Value): Arbitrary<Value> => {
  if (typeof value === 'boolean') return fc.constant(!value);
  if (typeof value === 'number' || /^-?\d+$/.test(String(value)))
    return fc
      .integer({ min: -3, max: 3 })
      .filter((add) => add !== 0)
      .map((add) => (typeof value === 'number' ? value + add : String(Number(value) + add)));
  const likely = ['owner', 'agent', 'outside', 'done', 'telegram:7', 'telegram:666', 'deploy all of it', 'con-1'];
  return fc.constantFrom(...likely, `${String(value)}x`).filter((one) => one !== value);
};

/** Fields that say nothing of who said or may do what. */
const SILENT: readonly RegExp[] = [
  // The table's own: tokens of writes, and times at which something is looked at or deleted.
  / (?:.*\.)?(?:w\d|schemaVersion|expiresAt|unfinishedAt|leaseUntil)$/,
  // Where a card stands, and how it read: nobody can decide it any more.
  /^approval record (?:lines|notable|policyHash|asks|costs|card|feed)/,
  // Bookkeeping: how often something was tried or ended, and what it caused.
  /^signal record (?:round|sweeps|ends|counted|children|stateReason)/,
  // Dates and links of notes, whose words, author and place are proven.
  /^memory \S+ (?:commit|createdAt|updatedAt|bySignal|byEffect)$/,
  /^commit (?:done\S+|record\S+ (?:effectId|changes\.oldHash\.NULL))/,
  /^data version version$/,
  // Where the writer put a leaf: a receipt with another place fails its own check.
  /^signal log leaves\.\S+\.index$/,
  /^log (?:checkpoint\S+|head) at$/,
];

/** Fields of a conversation that are never brought back, though the rest of its row is. */
const LEFT_OUT = /^session head (?:model|focus|scope|turn|mailbox|movedFrom)/;

interface Place {
  readonly row: string;
  readonly path: readonly string[];
}
const rowOf = (item: Line['item']): string => `${item?.pk?.S} ${item?.sk?.S}`;
const kindOf = (row: string): string => `${row.split('#')[0]} ${row.split(' ')[1]}`;
const nameOf = ({ row, path }: Place): string => {
  const names = path.filter((one) => !/^(?:\d+|[SNLMB]|SS|BOOL)$/.test(one));
  return `${kindOf(row)} ${names.join('.')}`;
};

let before: { readonly rows: Rows; readonly rights: readonly string[] };
const restored = async (crafted: readonly Line[]) => {
  const { folder, spaces } = await restore(crafted);
  return { rows: rowsOf(await readLines(folder, NOW)), rights: spaces.flatMap(({ rights }) => rights) };
};

beforeAll(async () => {
  await fillTableOf(join(root, 'home'), fill);
  lines = await readLines(join(root, 'home'), NOW);
  before = await restored(lines);
});

/** @returns how the change was taken; undefined if it was believed */
const tryChange = async (place: Place, to: Value): Promise<string | undefined> => {
  const { row, path } = place;
  const crafted = lines.map((line) =>
    rowOf(line.item) === row ? { ...line, item: change(line.item, path, to) as Item } : line,
  );
  let after: typeof before;
  try {
    after = await restored(crafted);
  } catch (error) {
    const { name, message } = error as Error;
    return REFUSALS.test(name) ? 'refused' : `${name}: ${message}`;
  }
  const [was, is] = [before.rows.get(row), after.rows.get(row)];
  const says = (what: string) => after.rights.some((line) => line.startsWith(`not proven: ${what}`));
  if (JSON.stringify(was) === JSON.stringify(is)) return 'left out';
  const counted = unprovenName(kindOf(row));
  if (counted !== undefined && says(counted) && !LEFT_OUT.test(nameOf(place))) return 'counted';
  const origins = [...JSON.stringify(is?.replies ?? '').matchAll(/"origin":\{"S":"(\w+)"/g)].map(([, one]) => one);
  if (says('answers') && is?.toolCalls === undefined && origins.every((one) => one === 'outside')) return 'outside';
  const isLarger = Number(is?.usd?.N) >= Number(was?.usd?.N) && Number(is?.tokens?.N) >= Number(was?.tokens?.N);
  if (row.startsWith('spend#') && isLarger) return 'the larger';
  return SILENT.some((one) => one.test(nameOf(place))) ? 'silent' : undefined;
};

it('is never believed in any field of any row', async () => {
  const rows = [...rowsOf(lines)];
  const places = new Map(
    rows.flatMap(([row, item]) =>
      fieldsOf(item)
        .filter(([name]) => name !== 'pk' && name !== 'sk')
        .map((path) => [nameOf({ row, path }), { row, path }] as const),
    ),
  );
  const draw = randomFrom(SEED);
  const chosen = [...places].filter(([name]) => TAKES_ALL || draw() < (SPOKEN.test(name) ? SHARE_SPOKEN : SHARE));
  const taken = new Map<string, number>();
  const believed: string[] = [];
  for (const [name, place] of chosen) {
    const value = valueAt(rowsOf(lines).get(place.row), place.path);
    // Less spending is what somebody wants who changes it.
    const changed = name.startsWith('spend') && Number(value) > 1 ? fc.constant('0') : other(value);
    const [to] = fc.sample(changed, { numRuns: 1, seed: Math.floor(draw() * 2 ** 31) });
    const how = await tryChange(place, to);
    if (how === undefined || how.includes(':'))
      believed.push(`${name}: ${String(value)} -> ${String(to)} ${how ?? ''}`);
    taken.set(how ?? 'believed', (taken.get(how ?? 'believed') ?? 0) + 1);
  }
  console.log(`${chosen.length} of ${places.size} fields, seed ${SEED}: ${JSON.stringify(Object.fromEntries(taken))}`);
  expect(believed).toStrictEqual([]);
  // A message without such a row counts as outside.
  expect([...before.rows.keys()].filter((row) => / sent#/.test(row))).toStrictEqual([]);
}, 600_000);

it('counts all messages of a log of an earlier release as text from outside', async () => {
  const folder = join(root, 'earlier');
  mkdirSync(folder);
  const packed = readFileSync(new URL('../../fixtures/2026-11-25/table.sqlite.gz', import.meta.url));
  writeFileSync(join(folder, DATA_FILE), gunzipSync(packed));
  const earlier = await readLines(folder, Date.UTC(2026, 10, 27));
  const messages = [...rowsOf(earlier).keys()].filter((row) => row.endsWith(' record') && row.startsWith('signal#'));
  const { rows, rights } = await restored(earlier);
  expect(rights).toContain(`not proven: ${messages.length} messages, which count as text from outside`);
  const texts = messages.map((row) => String(rows.get(row)?.signal?.S));
  expect(texts.filter((text) => /"origin":"(?:owner|agent)"|"isApprover":true/.test(text))).toStrictEqual([]);
});

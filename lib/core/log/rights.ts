/**
 * Rights as evidence: everything by which somebody may do something without being asked again. The
 * log's writer compares the rows with those that it saw last, and adds a leaf for each right that
 * is new, changed or gone, and one for each change of a stored setting. A restore compares the rows
 * with the newest leaves. A right that stands in no list here has no leaf:
 * `infra/features/restore/restored-items.ts` drops it at a restore.
 */
import * as z from 'zod/mini';
import { GRANTS_READ_MAX } from '../approvals/grants.ts';
import { hashOf } from '../base/canonical.ts';
import { asText } from '../base/json.ts';
import type { Leaf } from '../evidence/leaf.ts';
import { policyKey } from '../judge/policy-setting.ts';
import { loadSettingChanges } from '../ledger/change-owner-setting.ts';
import { ownerSettingsKey, readOwnerSettings } from '../ledger/owner-settings.ts';
import { pairedChatKey } from '../ledger/paired-chats.ts';
import { CHANNELS, chatRoute } from '../signal/channels.ts';
import { indexPartitions, jobKeys, type Key, logKeys, mcpKey, runnerKeys, skillKeys } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import { queryAll } from '../store/query-all.ts';
import type { Item, Table, Write } from '../store/table.ts';
import type { NewLeaf } from './append.ts';

export type RightsTable = Pick<Table, 'load' | 'query' | 'queryIndex'>;

interface Right {
  /** Names it among all rights, such as `machine laptop`. */
  readonly id: string;
  /** Everything in it that gives power; what only counts or dates is left out. */
  readonly power: unknown;
  /** For people; empty if it stands and gives nobody anything. */
  readonly words: string;
}

const Row = z.record(z.string(), z.unknown());
const Rows = z.array(Row);
const RowsText = asText(Rows);

const listOf = (value: unknown): readonly Item[] =>
  (typeof value === 'string' ? RowsText : Rows).safeParse(value).data ?? [];

const omit = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

const pairedOf = ({ sk, removedAt, pairedAt, by = '' }: Item): readonly Right[] => {
  const chat = String(sk).slice('chat#'.length);
  if (removedAt !== undefined) return [];
  const { target, to } = chatRoute(chat);
  return [{ id: `chat ${chat}`, power: { pairedAt, by }, words: `${CHANNELS[target].words} ${to} is paired` }];
};

/** Uses count too: a grant that was used up must not come back. */
const grantOf = (item: Item): readonly Right[] => {
  const { id, tool, target, uses, usesMax, expiresAtMs, state } = item;
  const until = new Date(Number(expiresAtMs)).toISOString();
  const left = `${Number(usesMax) - Number(uses)} uses until ${until}`;
  const words = state === 'live' ? `the grant ${String(id)} for ${String(tool ?? target)}: ${left}` : '';
  return [{ id: `grant ${String(id)}`, power: omit(item, ['pk', 'sk', 'unfinishedSpace', 'unfinishedAt']), words }];
};

const policyOf = ({ text, by }: Item): readonly Right[] => {
  const words = text === '' ? '' : `a policy set by ${String(by)}`;
  return [{ id: 'policy', power: text, words }];
};

const settingsOf = ({ fields = '' }: Item): readonly Right[] => {
  const set = Row.safeParse(asText(Row).safeParse(fields).data).data ?? {};
  const names = Object.keys(set);
  return [{ id: 'settings', power: fields, words: names.length === 0 ? '' : `settings: ${names.join(', ')}` }];
};

const machinesOf = ({ runners }: Item): readonly Right[] =>
  listOf(runners).map((one) => ({
    id: `machine ${String(one.name)}`,
    power: omit(one, ['seenAt']),
    words: `the machine ${String(one.name)} is paired`,
  }));

const skillsOf = ({ skills }: Item): readonly Right[] =>
  listOf(skills).map((one) => ({
    id: `skill ${String(one.name)}`,
    power: one,
    words: `the skill ${String(one.name)} is in force`,
  }));

const serversOf = ({ servers }: Item): readonly Right[] =>
  listOf(servers).map((one) => ({
    id: `server ${String(one.name)}`,
    power: one,
    words: `the MCP server ${String(one.name)} at ${String(one.url)}`,
  }));

/** Its version is what runs; the yes to a whole job is no part of a restore. */
const jobOf = ({ name, state, version, definition, runs }: Item): readonly Right[] => [
  {
    id: `job ${String(name)}`,
    power: { state, version, definition, runs },
    words: `the job ${String(name)} is ${String(state)}`,
  },
];

const loadJobItems = async (table: RightsTable, space: string): Promise<readonly Item[]> => {
  const { items } = await queryAll(table, { pk: jobKeys.partition(space), skPrefix: 'job#' });
  const live = items.filter(({ state }) => state !== 'removed');
  const keys = live.map(({ name, version }) => jobKeys.version(space, String(name), Number(version)));
  const versions = keys.length === 0 ? [] : await table.load(keys, { isConsistent: true });
  return live.map((item, at) => ({ ...item, runs: versions[at]?.definition ?? null }));
};

/** Grants that neither ended nor belong to one step of a run. */
const loadGrantItems = async (table: RightsTable, space: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const partition = indexPartitions.grants(space);
    const page = await loadIndexed(table, { index: 'unfinished', partition, limit: GRANTS_READ_MAX, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
};

const LISTED: readonly {
  readonly load: (table: RightsTable, space: string) => Promise<readonly Item[]>;
  readonly rightsOf: (item: Item) => readonly Right[];
}[] = [
  {
    load: async (table, space) => (await queryAll(table, { pk: pairedChatKey(space, '').pk, skPrefix: 'chat#' })).items,
    rightsOf: pairedOf,
  },
  { load: loadJobItems, rightsOf: jobOf },
  { load: loadGrantItems, rightsOf: grantOf },
];

/** Rights that stand in one item of the space. */
const SINGLE: readonly {
  readonly keyOf: (space: string) => Key;
  readonly rightsOf: (item: Item) => readonly Right[];
}[] = [
  { keyOf: policyKey, rightsOf: policyOf },
  { keyOf: ownerSettingsKey, rightsOf: settingsOf },
  { keyOf: runnerKeys.list, rightsOf: machinesOf },
  { keyOf: skillKeys.active, rightsOf: skillsOf },
  { keyOf: mcpKey, rightsOf: serversOf },
];

const CHANGE = 'setting ';

/**
 * A change of a stored setting, such as `setting 12 config.TIME_ZONE`: the number is the version of
 * all settings since then. It never changes, and gives nobody anything by itself.
 */
const loadChanges = async (table: RightsTable, space: string, after: number) =>
  (await loadSettingChanges(table, space, after)).map(({ version, field, value, by, at, signal }) => ({
    id: `${CHANGE}${version} ${field}`,
    power: { value, by, at },
    words: '',
    version,
    cause: { signal, actor: by, at },
  }));

/** The rights that the log's writer saw last, and those that stand in one item each. */
export const rightKeys = (space: string): readonly Key[] => [
  logKeys.rights(space),
  ...SINGLE.map(({ keyOf }) => keyOf(space)),
];

/** @param found the items of `rightKeys` @returns the rights by their ids, and those seen last */
const loadRights = async (table: RightsTable, space: string, found: readonly (Item | undefined)[]) => {
  const [seen, ...items] = found;
  const listed = await Promise.all(
    LISTED.map(async ({ load, rightsOf }) => (await load(table, space)).flatMap(rightsOf)),
  );
  const single = SINGLE.flatMap(({ rightsOf }, at) => {
    const item = items[at];
    return item === undefined ? [] : rightsOf(item);
  });
  const owner = items.find((item) => item?.sk === ownerSettingsKey(space).sk);
  const { round: version = 0 } = readOwnerSettings(owner) ?? {};
  return { rights: [...listed.flat(), ...single].sort((a, b) => (a.id < b.id ? -1 : 1)), seen, version };
};

/** Members that a row lacks are left out: they have no canonical form. */
const hashOfRight = ({ id, power }: Pick<Right, 'id' | 'power'>): string =>
  hashOf('right', JSON.parse(JSON.stringify({ id, power })));
/** Of a right that is there no more. */
const goneHash = (id: string): string => hashOfRight({ id, power: null });

const Seen = z.object({
  schemaVersion: z.literal(1),
  hashes: asText(z.record(z.string(), z.string())),
  /** Changes of settings up to this version have their leaf. */
  settings: z._default(z.int(), 0),
});

const leafOf = (space: string, id: string, hash: string, cause: Pick<Leaf, 'signal' | 'actor' | 'at'>): Leaf => ({
  v: 1,
  kind: 'right',
  space,
  id,
  hash,
  ...cause,
});

export interface DueRights {
  readonly leaves: readonly NewLeaf[];
  /** Goes into the transaction of these leaves. */
  readonly writes: readonly Write[];
}

/**
 * Leaves of all rights that changed since the last run. @param found the items of `rightKeys`
 * @throws StoredItemError
 */
export const collectRights = async (
  table: RightsTable,
  space: string,
  found: readonly (Item | undefined)[],
  now: number,
): Promise<DueRights> => {
  const { rights, seen: item, version } = await loadRights(table, space, found);
  const last = item === undefined ? { hashes: {}, settings: 0 } : parseStored(item, Seen);
  const seen = new Map(Object.entries(last.hashes));
  const changes = version > last.settings ? await loadChanges(table, space, last.settings) : [];
  const current = new Map(rights.map((right) => [right.id, hashOfRight(right)]));
  const gone = [...seen.keys()].filter((id) => !current.has(id)).map((id) => [id, goneHash(id)] as const);
  const changed = [...[...current].filter(([id, hash]) => seen.get(id) !== hash), ...gone];
  if (changed.length === 0 && changes.length === 0) return { leaves: [], writes: [] };
  const cause = { signal: '', actor: 'system', at: now };
  const settings = changes.at(-1)?.version ?? last.settings;
  return {
    leaves: [
      ...changes.map((change) => ({ leaf: leafOf(space, change.id, hashOfRight(change), change.cause) })),
      ...changed.map(([id, hash]) => ({ leaf: leafOf(space, id, hash, cause) })),
    ],
    writes: [
      {
        kind: 'put',
        key: logKeys.rights(space),
        item: { schemaVersion: 1, hashes: JSON.stringify(Object.fromEntries(current)), settings },
      },
    ],
  };
};

export interface CheckedRights {
  /** A sentence for each right that is not what its newest leaf says. */
  readonly problems: readonly string[];
  /** For people: what stands. */
  readonly standing: readonly string[];
}

/** @param logged hash in the newest leaf of each right */
export const checkRights = async (
  table: RightsTable,
  space: string,
  logged: ReadonlyMap<string, string>,
): Promise<CheckedRights> => {
  const found = await table.load(rightKeys(space), { isConsistent: true });
  const { rights: present } = await loadRights(table, space, found);
  const rights = [...present, ...(await loadChanges(table, space, 0))];
  // A log that an earlier release wrote has no leaf of a change.
  const hasChanges = [...logged.keys()].some((id) => id.startsWith(CHANGE));
  const ids = new Set(rights.map(({ id }) => id));
  const wrong = rights.flatMap((right) => {
    const hash = logged.get(right.id);
    const isChange = hasChanges && right.id.startsWith(CHANGE);
    const isNothing = hash === undefined && right.words === '' && !isChange;
    if (isNothing || hash === hashOfRight(right)) return [];
    const why = hash === undefined ? 'the log has no leaf of it' : 'it is not what its newest leaf in the log says';
    return [`${right.id}: ${why}`];
  });
  const missing = [...logged].filter(([id, hash]) => !ids.has(id) && hash !== goneHash(id));
  return {
    problems: [...wrong, ...missing.map(([id]) => `${id}: the log has a leaf of it, and it is not there`)],
    standing: rights.map(({ words }) => words).filter((words) => words !== ''),
  };
};

/**
 * The version of the data in the table. If older code finds data of a newer release, it changes
 * nothing and its messages wait. The local start and the heartbeat store the version; Act raises it
 * with the first data that the release before cannot read.
 */
import {
  DATA_VERSION,
  JOB_DATA_VERSION,
  LATEST_DATA_VERSION,
  RUNNER_DATA_VERSION,
  START_DATA_VERSION,
} from '../base/data-version.ts';
import { NewerDataError } from '../base/errors.ts';
import { HOUR_MS } from '../base/limits.ts';
import { dynamoClient } from './clients.ts';
import { absent, anyOf, below } from './condition.ts';
import { dataVersionKey } from './keys.ts';
import { loadItem } from './load-named.ts';
import { buildTable, type Item, type Table, type Write } from './table.ts';
import { wasWritten } from './update-if.ts';

/** A queue grants three such waits, an hour each, to bring the newer code back. */
const NEWER_DATA_WAIT_MS = HOUR_MS;

/** Data without a version is of the first. */
const versionOf = (item: Item | undefined): number => (item === undefined ? 1 : Number(item.version));

export const storedDataVersion = async (table: Pick<Table, 'load'>, space: string): Promise<number> =>
  versionOf(await loadItem(table, dataVersionKey(space)));

/** @throws NewerDataError */
export const checkDataVersion = async (table: Pick<Table, 'load'>, space: string): Promise<Item | undefined> => {
  const item = await loadItem(table, dataVersionKey(space));
  const version = versionOf(item);
  // Something that is no number is of an unknown release.
  if (!(version <= DATA_VERSION)) throw new NewerDataError(version, DATA_VERSION, NEWER_DATA_WAIT_MS);
  return item;
};

/**
 * Checks the version, and stores that of a start if an older one or none is stored.
 * @throws NewerDataError
 */
export const raiseDataVersion = async (table: Pick<Table, 'load' | 'put'>, space: string): Promise<void> => {
  const item = await checkDataVersion(table, space);
  if (item !== undefined && versionOf(item) >= START_DATA_VERSION) return;
  const isOlder = anyOf(absent('pk'), below('version', START_DATA_VERSION));
  const condition = { name: 'the stored version is older', holds: isOlder };
  if (!(await wasWritten(table.put(dataVersionKey(space), { version: START_DATA_VERSION }, condition))))
    await checkDataVersion(table, space);
};

/**
 * Part of the transaction that stores data which older releases cannot read: jobs, runs of
 * runbooks, added skills. Never lowers a version that runners or chats have raised.
 */
export const newDataWrite = (space: string): Write => ({
  kind: 'update',
  key: dataVersionKey(space),
  change: { setFrom: { version: { from: 'atLeast', otherwise: JOB_DATA_VERSION } } },
});

/** The same for runners: nothing later stores a lower version. */
export const runnerDataWrite = (space: string): Write => {
  const atLeast = { from: 'atLeast', otherwise: RUNNER_DATA_VERSION };
  return { kind: 'update', key: dataVersionKey(space), change: { setFrom: { version: atLeast, atLeast } } };
};

/** The same for a removed chat, a change of who may write or approve, a job's stopped run. */
export const latestDataWrite = (space: string): Write => ({
  kind: 'update',
  key: dataVersionKey(space),
  change: { set: { version: LATEST_DATA_VERSION, atLeast: LATEST_DATA_VERSION } },
});

/** Makes every operation wait for the check, which is repeated until it succeeds once. */
const guardTable = (table: Table, check: (table: Table) => Promise<unknown>): Table => {
  let checked: Promise<unknown> | undefined;
  const guarded =
    <Given extends readonly unknown[], Answer>(operation: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      checked ??= check(table).catch((error: unknown) => {
        checked = undefined;
        throw error;
      });
      await checked;
      return operation(...given);
    };
  return {
    load: guarded(table.load),
    query: guarded(table.query),
    queryIndex: guarded(table.queryIndex),
    put: guarded(table.put),
    update: guarded(table.update),
    transact: guarded(table.transact),
  };
};

export interface TableEnv {
  readonly TABLE_NAME: string;
  readonly SPACE: string;
}

export const openTable = ({ TABLE_NAME, SPACE }: TableEnv): Table =>
  guardTable(buildTable(dynamoClient(), TABLE_NAME), (table) => checkDataVersion(table, SPACE));

/** The table of the heartbeat, which alone may store the version. */
export const openRaisingTable = ({ TABLE_NAME, SPACE }: TableEnv): Table =>
  guardTable(buildTable(dynamoClient(), TABLE_NAME), (table) => raiseDataVersion(table, SPACE));

/** The check of a process that has made it before. @throws NewerDataError */
export const checkDataAgain = ({ TABLE_NAME, SPACE }: TableEnv): Promise<unknown> =>
  checkDataVersion(buildTable(dynamoClient(), TABLE_NAME), SPACE);

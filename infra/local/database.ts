/** The database of a local stack: the embedded table server in this process, over one file. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { ConfigError } from '../../lib/core/base/errors.ts';
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import { loadOwnerSettings } from '../../lib/core/ledger/owner-settings.ts';
import { withNames } from '../../lib/core/ledger/provider-names.ts';
import {
  awayMarks,
  healthChange,
  isEverybodyAway,
  isLookDue,
  marksToSet,
  outdatedFaults,
  questionMarks,
  RECOVERIES,
} from '../../lib/core/llm/provider-health.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../lib/core/log/restore-state.ts';
import { loadLatestSpend, spendKey } from '../../lib/core/money/day-spend.ts';
import { findMissing } from '../../lib/core/operations/feature-views.ts';
import { embeddedDynamoClient } from '../../lib/core/store/clients.ts';
import { raiseDataVersion } from '../../lib/core/store/data-version.ts';
import { loadVault, VAULT_KEYS } from '../../lib/core/store/secrets.ts';
import { SETTINGS, type Variables } from '../../lib/core/store/settings.ts';
import { buildTable, type Table } from '../../lib/core/store/table.ts';
import { FEATURE_VIEWS } from '../../lib/features/views.ts';
import type { Inspection } from '../inspection.ts';
import type { LocalRoute } from './beside.ts';
import { compactTable } from './compact-table.ts';
import { BESIDE_TABLE } from './features.ts';
import { type Credentials, signRequest } from './table-server/signature.ts';
import { closeStorage, openTableFile } from './table-server/storage.ts';
import { startTableServer } from './table-server/table-server.ts';
import type { AnswerWire } from './wire.ts';
import type { Wiring } from './wiring.ts';

/** @throws ConfigError in one sentence for each missing mandatory skill; StoredItemError */
const checkMandatorySkills = async (
  table: Pick<Table, 'load'>,
  space: string,
  mandatory: readonly string[],
): Promise<void> => {
  if (mandatory.length === 0) return;
  const missing = await findMissing(FEATURE_VIEWS, 'MANDATORY_SKILLS', table, space, mandatory);
  if (missing.length > 0)
    throw new ConfigError(missing.map(({ name, why }) => `MANDATORY_SKILLS: the skill ${name} is missing (${why})`));
};

export interface TableAccess {
  readonly endpoint: string;
  readonly credentials: Credentials;
}

const Failure = z.object({ __type: z.string(), message: z.optional(z.string()) });

export class DynamoCallError extends Error {
  override readonly name: string = 'DynamoCallError';
  /** Without namespace: `ResourceNotFoundException`. */
  readonly type: string;
  constructor(action: string, type: string, message: string) {
    super(`${action}: ${type} ${message}`);
    this.type = type;
  }
}

/** @throws DynamoCallError if it refuses, TypeError if no server answers */
export const callDynamo = async (access: TableAccess, action: string, input: object): Promise<unknown> => {
  const body = Buffer.from(JSON.stringify(input));
  const request = {
    service: 'dynamodb' as const,
    host: new URL(access.endpoint).host,
    region: 'us-east-1',
    target: `DynamoDB_20120810.${action}`,
    date: new Date().toISOString().replace(/[:-]|\.\d+/g, ''),
  };
  const { host: _, ...signed } = signRequest(access.credentials, request, body);
  const headers = { ...signed, 'content-type': 'application/x-amz-json-1.0' };
  const answer = await fetch(access.endpoint, { method: 'POST', headers, body });
  const answered: unknown = await answer.json();
  if (answer.ok) return answered;
  const failure = Failure.safeParse(answered);
  const type = failure.success ? failure.data.__type.slice(failure.data.__type.lastIndexOf('#') + 1) : 'Unknown';
  throw new DynamoCallError(action, type, failure.success ? (failure.data.message ?? '') : `status ${answer.status}`);
};

const Key = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const Index = z.object({ IndexName: z.string(), KeySchema: Key, Projection: z.unknown() });
const TableInput = z.object({
  TableName: z.string(),
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: Key,
  GlobalSecondaryIndexes: z.array(Index),
});
const Described = z.object({
  Table: z.object({
    KeySchema: Key,
    GlobalSecondaryIndexes: z._default(z.array(z.object({ IndexName: z.string() })), []),
  }),
});

const describeTable = async (access: TableAccess, TableName: string) => {
  try {
    return Described.parse(await callDynamo(access, 'DescribeTable', { TableName }));
  } catch (error) {
    if (error instanceof DynamoCallError && error.type === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

export interface TablePlace {
  readonly access: TableAccess;
  readonly region: string;
  readonly tableName: string;
  readonly space: string;
}

export const withTable = async <T>(place: TablePlace, use: (table: Table) => Promise<T>): Promise<T> => {
  const client = embeddedDynamoClient(place.access.endpoint, place.region, place.access.credentials);
  try {
    return await use(buildTable(client, place.tableName));
  } finally {
    client.destroy();
  }
};

/**
 * Makes the table as the template has it. The table of an earlier release stays and gets the
 * indexes it lacks. One with other keys is refused, because no copy of it could be right.
 * @throws ConfigError for other keys, NewerDataError before the data of a newer release is changed
 */
export const ensureTable = async (place: TablePlace, wiring: Wiring): Promise<void> => {
  const { access } = place;
  const input = TableInput.parse(wiring.table);
  const existing = await describeTable(access, input.TableName);
  if (existing === undefined) {
    await callDynamo(access, 'CreateTable', wiring.table);
    const TimeToLiveSpecification = { AttributeName: wiring.ttlAttribute, Enabled: true };
    await callDynamo(access, 'UpdateTimeToLive', { TableName: input.TableName, TimeToLiveSpecification });
  } else if (JSON.stringify(existing.Table.KeySchema) !== JSON.stringify(input.KeySchema)) {
    throw new ConfigError([`the table ${input.TableName} has other keys than this release: use another DATA_DIR`]);
  }
  await withTable(place, (table) => raiseDataVersion(table, place.space));
  if (existing === undefined) return;
  const present = existing.Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);
  for (const Create of input.GlobalSecondaryIndexes.filter(({ IndexName }) => !present.includes(IndexName))) {
    await callDynamo(access, 'UpdateTable', {
      TableName: input.TableName,
      AttributeDefinitions: input.AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create }],
    });
  }
};

/** A start waits so long for an older copy of the table to forget again. */
const RESTORE_WAIT_MS = 30 * SECOND_MS;
const RESTORE_POLL_MS = 200;

/**
 * Before that nothing is served from an older copy. The heartbeat finds such a copy, and Act
 * erases. If the time runs out, the copy stays stopped, and every answer says so.
 */
export const awaitForgotten = (
  place: TablePlace,
  tick: () => Promise<unknown>,
  log: (line: string) => void,
): Promise<void> =>
  withTable(place, async (table) => {
    const deadline = performance.now() + RESTORE_WAIT_MS;
    for (let ticks = 0; ; ticks += 1) {
      const state = await loadRestoreState(table, place.space);
      if (state === undefined || !isForgetting(state)) {
        if (ticks > 0) log(`the table is an older copy: ${state?.total ?? 0} forgotten objects were forgotten again`);
        return;
      }
      if (performance.now() > deadline) return log(describeForgetting(state));
      await tick().catch((error: unknown) => log(`forgetting again: ${String(error).slice(0, 500)}`));
      await sleep(RESTORE_POLL_MS);
    }
  });

/** @throws ConfigError if a skill is missing that the settings name */
export const checkSkills = (place: TablePlace, names = ''): Promise<void> =>
  withTable(place, (table) => checkMandatorySkills(table, place.space, SETTINGS.MANDATORY_SKILLS.schema.parse(names)));

/** With settings and keys that were stored while the stack ran. A broken record changes none. */
export const withAdded = async (place: TablePlace, variables: Variables): Promise<Variables> => {
  const settings = await withTable(place, (table) => loadOwnerSettings(table, place.space)).catch(() => undefined);
  if (settings === undefined) return variables;
  return { ...withNames(variables, settings), [VAULT_KEYS]: await loadVault(variables).catch(() => '') };
};

/** Whether the models are to be asked a small question to know whether they answer. */
export const isQuestionDue = (place: TablePlace): Promise<boolean> =>
  withTable(place, async (table) => isLookDue(await loadLatestSpend(table, place.space, Date.now())));

/** Of the model that answers most questions. */
const endpointOf = ({ name, address, models: [first] }: Inspection['providers'][number]) => ({
  name,
  baseUrl: address,
  model: first?.model ?? '',
});

/**
 * As Reason does after each question: jobs of a provider that was mended go on, and health names
 * one that refuses. Marks of one that is configured no more are removed.
 */
export const noteKeys = (place: TablePlace, { providers }: Inspection): Promise<void> =>
  withTable(place, async (table) => {
    const now = Date.now();
    const key = spendKey(place.space, now);
    const item = await loadLatestSpend(table, place.space, now);
    const hasAnswer = providers.some(({ hasAnswered }) => hasAnswered === true);
    const looks = providers.map((provider) => {
      const { fault, hasAnswered } = provider;
      const isFailed = fault !== undefined && (!hasAnswer || RECOVERIES[fault].mark === 'always');
      const troubles = isFailed ? [{ place: 0, fault }] : [];
      return { troubles, change: healthChange([endpointOf(provider)], item, troubles, hasAnswered ? 0 : undefined) };
    });
    const isEveryoneAway = isEverybodyAway(looks.flatMap(({ troubles }) => troubles)) && !hasAnswer;
    const marks = looks.flatMap(({ change }) => Object.entries(marksToSet(change, now)));
    const set = { ...Object.fromEntries(marks), ...(isEveryoneAway ? awayMarks(item, now) : {}) };
    const stays = questionMarks(item);
    const well = looks.flatMap(({ change }) => change.well).filter((name) => !stays.includes(name));
    const configured = providers.map(({ name, models }) => ({ name, models: models.map(({ model }) => model) }));
    const gone = new Set([...well, ...outdatedFaults(item, configured)]);
    const remove = [...gone].filter((name) => !Object.hasOwn(set, name));
    if (Object.keys(set).length + remove.length > 0)
      await table.update(key, { set: { schemaVersion: 1, ...set }, remove });
  });

export interface Database extends TableAccess {
  /** A sentence, if the file cannot be read or written now. */
  readonly problem: () => string | undefined;
  /** Absent if somebody else runs the server. */
  readonly answer?: AnswerWire;
  /** Sentences for the person who starts the stack. */
  readonly notes: readonly string[];
  /** None if the table is not in the folder. */
  readonly routes: readonly LocalRoute[];
  readonly stop: () => Promise<void>;
}

export interface DatabaseInput {
  readonly folder: string;
  readonly tableName: string;
  readonly space: string;
  readonly credentials: Credentials;
  readonly log: (line: string) => void;
}

export const DATA_FILE = 'table.sqlite';

/** A DynamoDB-compatible server that somebody else runs. It takes any credentials. */
export const foreignDatabase = (endpoint: string, credentials: Credentials): Database => ({
  endpoint,
  credentials,
  problem: () => undefined,
  routes: [],
  notes: [`The database at ${endpoint} is not this stack's: whoever reaches it can read and change everything in it.`],
  stop: () => Promise.resolve(),
});

/** The caller holds the lock of the folder. @throws TableFileError */
export const startDatabase = async (input: DatabaseInput): Promise<Database> => {
  const { folder } = input;
  const file = join(folder, DATA_FILE);
  const storage = openTableFile(file);
  try {
    compactTable(storage, { ...input, at: 'start' });
    const server = await startTableServer({ storage, file, credentials: input.credentials });
    const beside = BESIDE_TABLE.map((begin) => begin(storage, folder));
    return {
      routes: beside.flatMap(({ routes }) => routes),
      answer: server.answer,
      endpoint: server.endpoint,
      credentials: server.credentials,
      problem: server.problem,
      notes: [],
      stop: async () => {
        await server.stop();
        for (const { end } of beside) end();
        compactTable(storage, { ...input, at: 'stop' });
        closeStorage(storage);
      },
    };
  } catch (error) {
    closeStorage(storage);
    throw error;
  }
};

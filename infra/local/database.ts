/**
 * The database of a local stack: the embedded table server in this process, on one file of the data
 * folder. It is checked, compacted when something was forgotten, and made from the file of an
 * earlier release at the first start; it ends with us.
 */
import { join } from 'node:path';
import { carryOver } from './carry-over.ts';
import { compactTable } from './compact-table.ts';
import type { TableAccess } from './dynamo-call.ts';
import type { Credentials } from './table-server/signature.ts';
import { openTableFile } from './table-server/table-file.ts';
import { startTableServer } from './table-server/table-server.ts';

export interface Database extends TableAccess {
  /** One sentence when the file cannot be read or written now. */
  readonly problem: () => string | undefined;
  /** To be shown at the start. */
  readonly notes: readonly string[];
  readonly stop: () => Promise<void>;
}

export interface DatabaseInput {
  readonly folder: string;
  readonly tableName: string;
  readonly space: string;
  /** Which requests have to be signed with. */
  readonly credentials: Credentials;
  readonly log: (line: string) => void;
}

export const DATA_FILE = 'table.sqlite';

/** A DynamoDB-compatible server that is not ours to run; it takes any credentials. */
export const foreignDatabase = (endpoint: string, credentials: Credentials): Database => ({
  endpoint,
  credentials,
  problem: () => undefined,
  notes: [`The database at ${endpoint} is not this stack's: whoever reaches it can read and change everything in it.`],
  stop: () => Promise.resolve(),
});

/**
 * Opens the folder's table and serves it; call it only with the folder's lock held. @throws
 * TableFileError
 */
export const startDatabase = async (input: DatabaseInput): Promise<Database> => {
  const { folder } = input;
  const file = join(folder, DATA_FILE);
  const carried = carryOver(input, file);
  const storage = openTableFile(file);
  try {
    compactTable(storage, { ...input, at: carried === undefined ? 'start' : 'carry-over' });
    const server = await startTableServer({ storage, file, credentials: input.credentials });
    return {
      endpoint: server.endpoint,
      credentials: server.credentials,
      problem: server.problem,
      notes: carried === undefined ? [] : [carried],
      stop: async () => {
        await server.stop();
        compactTable(storage, { ...input, at: 'stop' });
        storage.close();
      },
    };
  } catch (error) {
    storage.close();
    throw error;
  }
};

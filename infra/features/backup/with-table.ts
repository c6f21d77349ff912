/** Lets library code work on the table of a file that no stack has open. */
import { embeddedDynamoClient } from '../../../lib/core/store/clients.ts';
import { buildTable, type Table } from '../../../lib/core/store/table.ts';
import { TABLE_NAME } from '../../local/data-folder.ts';
import type { Storage } from '../../local/table-server/storage.ts';
import { startTableServer } from '../../local/table-server/table-server.ts';

export const withTable = async <T>(storage: Storage, file: string, use: (table: Table) => Promise<T>): Promise<T> => {
  const server = await startTableServer({ storage, file });
  const client = embeddedDynamoClient(server.endpoint, 'us-east-1', server.credentials);
  try {
    return await use(buildTable(client, TABLE_NAME));
  } finally {
    client.destroy();
    await server.stop();
  }
};

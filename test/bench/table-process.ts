/**
 * The embedded table server as a process of its own, on the file named by the first argument. Ends
 * with its parent.
 */
import { openTableFile } from '../../infra/local/table-server/storage.ts';
import { startTableServer } from '../../infra/local/table-server/table-server.ts';

const [, , file = ''] = process.argv;
const { endpoint, credentials } = await startTableServer({ storage: openTableFile(file), file });
process.send?.({ endpoint, credentials });
process.once('disconnect', () => process.exit(0));

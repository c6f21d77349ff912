/** The answer to the verb: a look at the server, or the card of the job that reads its events. */
import { NotFoundError } from '../../core/base/errors.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { mcpKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { readMcpCatalogue } from '../../core/tools/mcp-catalogue.ts';
import { schedule } from '../jobs/handlers.ts';
import { loadJob } from '../jobs/read-jobs.ts';
import { mcpTexts } from '../mcp/texts.ts';
import { mcpEvents } from './operations.ts';

/** Pause between two looks at a server. */
const EVERY = '5m';

export const POLLING_HANDLERS: readonly Handler[] = [
  change(mcpEvents, async (context, { server, events }) => {
    const { table, signal, language } = context;
    const { servers } = readMcpCatalogue(await loadItem(table, mcpKey(signal.space)));
    const found = servers.find(({ name }) => name === server);
    if (found === undefined) throw new NotFoundError((await mcpTexts.in(language)).noServer(server));
    const { url } = found;
    if (events === undefined) return { call: { tool: 'list-mcp-events', args: { server, url } } };
    const step = { tool: 'poll-mcp-events', args: { server, url, events } };
    const name = `events-${server}`;
    const job = await loadJob(table, signal.space, name);
    const isThere = job?.state === 'active' || job?.state === 'paused';
    return schedule(context, {
      ...{ name, every: EVERY, steps: [step], to: [], promises: 'nothing' },
      ...(isThere ? { edit: true } : {}),
    });
  }),
];

/** Servers on the owner's machines, among those of other addresses. */
import { machineOf } from '../../core/signal/runner-tools.ts';
import type { Table } from '../../core/store/table.ts';
import { type McpTool, offerHash } from '../../core/tools/mcp-catalogue.ts';
import { buildMcpTools } from './build-tools.ts';
import { loadOffer, type MachineOffer } from './offers.ts';
import { type McpSession, type McpStore, withOffer } from './servers.ts';

/** The hashes are made here: a machine says words, and no hash. */
export const toolsOf = ({ server, tools }: MachineOffer): readonly McpTool[] =>
  buildMcpTools(
    server,
    tools.map(({ isRead, ...tool }) => ({ ...tool, annotations: { readOnlyHint: isRead } })),
  );

/** The same session; servers of machines are listed from what their machine said. */
export const withMachines = (session: McpSession, table: Pick<Table, 'load'>, space: string): McpSession => ({
  ...session,
  listServerTools: async (access) => {
    const machine = machineOf(access.url);
    if (machine === undefined) return session.listServerTools(access);
    const offer = await loadOffer(table, space, machine, access.server);
    if (offer === undefined)
      return { kind: 'failed', why: `${machine} has not said what its server ${access.server} offers` };
    if (offer.problem !== undefined) return { kind: 'failed', why: `${machine} says: ${offer.problem}` };
    return { kind: 'listed', offered: toolsOf(offer), count: offer.count };
  },
});

/** Notes offers of machines' servers that are not the accepted ones: such tools are off. */
export const noteOffers = async (table: Pick<Table, 'load'>, space: string, store: McpStore): Promise<void> => {
  const { servers } = await store.load();
  for (const server of servers) {
    const machine = machineOf(server.url);
    const offer = machine === undefined ? undefined : await loadOffer(table, space, machine, server.name);
    if (offer === undefined || offer.problem !== undefined) continue;
    const offered = toolsOf(offer);
    if (offerHash(offered) === offerHash(server.offered ?? server.accepted)) continue;
    await store.change((all) =>
      all.map((one) => (one.name === server.name && one.url === server.url ? withOffer(one, offered) : one)),
    );
  }
};

/** The reach that the tools of a server add, once its offer is accepted. Pure. */
import { type Reach, sayReach } from '../../core/approvals/say-reach.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { buildTierOf, type Rules, type TierMoment } from '../../core/judge/tier-of.ts';
import type { Action } from '../../core/signal/action.ts';
import type { Mark } from '../../core/tools/marks.ts';
import { isOffered, type McpCatalogue, type McpServer, type McpTool } from '../../core/tools/mcp-catalogue.ts';
import { withFacts } from './servers.ts';
import { acceptMcpServer } from './tools.ts';

/** The tools as they will be accepted; none if the words behind the offer are faulty. */
const acceptedBy = ({ offered, accepted }: McpServer, facts: string): readonly McpTool[] => {
  try {
    return withFacts(offered ?? accepted, facts);
  } catch (error) {
    if (error instanceof ProtocolError) return [];
    throw error;
  }
};

/** @returns nothing for any action but the yes to a server's offer */
export const sayNewTools = (
  { tool, args }: Action,
  rules: Rules,
  moment: TierMoment,
  mark?: Mark,
): readonly string[] => {
  const server = rules.mcp.servers.find(({ name }) => name === args?.server);
  if (tool !== acceptMcpServer.name || server === undefined) return [];
  const tools = acceptedBy(server, typeof args?.facts === 'string' ? args.facts : '');
  const tiersOf = (accepted: readonly McpTool[]): Reach => {
    const mcp: McpCatalogue = { ...rules.mcp, servers: [{ ...server, accepted: [...accepted], offered: undefined }] };
    const tierOf = buildTierOf({ ...rules, mcp }, moment);
    return new Map(accepted.map(({ name }) => [name, tierOf(name, {}, `mcp-${server.name}`)]));
  };
  return sayReach(tiersOf(server.accepted.filter((one) => isOffered(one, tools))), tiersOf(tools), mark);
};

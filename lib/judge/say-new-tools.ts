/** The permission of a call as the rules are now, and the reach that a server's tools add. Pure. */

import { type Reach, sayReach, type TierOf } from '../approvals/say-reach.ts';
import { ProtocolError } from '../base/errors.ts';
import type { Action } from '../signal/action.ts';
import type { Mark } from '../tools/marks.ts';
import { findMcpTool, isOffered, type McpCatalogue, type McpServer, type McpTool } from '../tools/mcp/catalogue.ts';
import { withFacts } from '../tools/mcp/servers.ts';
import { acceptMcpServer } from '../tools/mcp-servers.ts';
import { rulePermission } from './facts/permissions.ts';
import { NO_PAST } from './policy/policy-domain.ts';
import type { SpacePolicy } from './policy/space-policy.ts';
import type { Vouched } from './policy/vouched.ts';

interface Rules {
  readonly policy: SpacePolicy;
  readonly mcp: McpCatalogue;
}

/** The call that asks for permission. */
interface Moment {
  readonly space: string;
  readonly now: number;
  readonly session: string;
}

/** Of the furthest that a call may come. */
const LEAST: Vouched = { recipient: '', amount: 0, url: '' };

/** As if the owner had asked for the call, and nothing had been done before. */
export const buildTierOf =
  (state: Rules, { space, now, session }: Moment): TierOf =>
  (tool, args, to) => {
    const place = to === undefined ? ({ target: 'tool' } as const) : ({ target: 'webhook', to } as const);
    const call: Action = { ...place, tool, args, explanation: '', author: 'model' };
    const passingRead = findMcpTool(state.mcp, tool)?.passes && { isOwnWords: true };
    const sources = {
      space,
      now,
      origin: 'owner',
      session,
      passingRead,
      past: NO_PAST,
      vouched: LEAST,
      state,
    } as const;
    return rulePermission(call, false, sources).tier;
  };

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
export const sayNewTools = ({ tool, args }: Action, rules: Rules, moment: Moment, mark?: Mark): readonly string[] => {
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

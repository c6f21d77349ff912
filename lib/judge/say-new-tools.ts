/** The permission of a call as the rules are now, and the reach that a server's tools add. Pure. */
import { sayReach, type TierOf } from '../approvals/say-reach.ts';
import type { Action } from '../signal/action.ts';
import type { McpCatalogue } from '../tools/mcp/catalogue.ts';
import { acceptMcpServer } from '../tools/mcp-servers.ts';
import { rulePermission } from './gather-facts.ts';
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
    const sources = { space, now, origin: 'owner', session, past: NO_PAST, vouched: LEAST, state } as const;
    return rulePermission(call, false, sources).tier;
  };

/** @returns nothing for any action but the yes to a server's offer */
export const sayNewTools = ({ tool, args }: Action, rules: Rules, moment: Moment): readonly string[] => {
  const server = rules.mcp.servers.find(({ name }) => name === args?.server);
  if (tool !== acceptMcpServer.name || server === undefined) return [];
  const known = new Set(server.accepted.map(({ hash }) => hash));
  const fresh = (server.offered ?? []).filter(({ hash }) => !known.has(hash));
  const mcp: McpCatalogue = { ...rules.mcp, servers: [{ ...server, accepted: [...fresh] }] };
  const tierOf = buildTierOf({ ...rules, mcp }, moment);
  return sayReach(new Map(), new Map(fresh.map(({ name }) => [name, tierOf(name, {}, `mcp-${server.name}`)])));
};

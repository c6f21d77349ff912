/** The tools that accepting a server's offer newly allows, first on its card. Pure. */
import type { Action } from '../signal/action.ts';
import type { McpCatalogue } from '../tools/mcp/catalogue.ts';
import { acceptMcpServer } from '../tools/mcp-servers.ts';
import { rulePermission } from './gather-facts.ts';
import type { Tier } from './policy/default-permissions.ts';
import { NO_PAST } from './policy/policy-domain.ts';
import type { SpacePolicy } from './policy/space-policy.ts';

const WORDS: readonly (readonly [Tier, string])[] = [
  ['allow', 'Newly possible without a question'],
  ['ask', 'Newly possible after your yes to each call'],
  ['deny', 'Denied by your policy all the same'],
];

/** @returns nothing for any other action */
export const sayNewTools = (
  { tool, args }: Action,
  { policy, mcp }: { readonly policy: SpacePolicy; readonly mcp: McpCatalogue },
  { space, now, session }: { readonly space: string; readonly now: number; readonly session: string },
): readonly string[] => {
  const server = mcp.servers.find(({ name }) => name === args?.server);
  if (tool !== acceptMcpServer.name || server === undefined) return [];
  const known = new Set(server.accepted.map(({ hash }) => hash));
  const fresh = (server.offered ?? []).filter(({ hash }) => !known.has(hash));
  const accepted: McpCatalogue = { ...mcp, servers: [{ ...server, accepted: [...fresh] }] };
  const tierOf = (name: string): Tier => {
    const call: Action = {
      target: 'webhook',
      tool: name,
      to: `mcp-${server.name}`,
      args: {},
      explanation: '',
      author: 'model',
    };
    const sources = { space, now, origin: 'owner', session, past: NO_PAST, state: { policy, mcp: accepted } } as const;
    return rulePermission(call, false, sources).tier;
  };
  return WORDS.flatMap(([tier, words]) => {
    const names = fresh.filter(({ name }) => tierOf(name) === tier).map(({ name }) => name);
    return names.length === 0 ? [] : [`${words}: ${names.join(', ')}.`];
  });
};

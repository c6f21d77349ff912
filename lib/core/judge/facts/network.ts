/** The address that an action would connect to, and the IP addresses that its host has now. */
import { effectsOf } from '../../gates/rules/tool-effects.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { machineOf } from '../../signal/runner-tools.ts';
import { mcpUrls, NO_MCP } from '../../tools/mcp-catalogue.ts';
import { addressOf } from '../../tools/webhooks.ts';
import type { FactSources } from '../fact-sources.ts';

type NetworkSources = Pick<FactSources, 'stage' | 'setup' | 'state'>;

/** @returns '' for a name that is not configured; undefined for an action that goes nowhere. */
const configuredUrlOf = (
  action: Action,
  { stage, setup: { webhookUrls = {} } = {}, state: { mcp = NO_MCP, brought } }: NetworkSources,
  found: Facts,
): string | undefined => {
  const { connectsTo } = effectsOf(action, found);
  // Such a tool connects to an address that a person typed. Act judges the address, and connects.
  if (action.target === 'tool' && connectsTo !== undefined) {
    const url = action.args?.[connectsTo];
    return stage === 'act' && typeof url === 'string' ? url : undefined;
  }
  if (action.target !== 'webhook') return undefined;
  const urls = isMcpTool(action.tool) ? mcpUrls(mcp) : { ...brought, ...webhookUrls };
  const name = action.to ?? '';
  return Object.hasOwn(urls, name) ? addressOf(urls[name] ?? '', action.args?.body) : '';
};

export const gatherNetwork = async (
  action: Action,
  sources: NetworkSources,
  found: Facts,
): Promise<Pick<Facts, 'network'>> => {
  const configuredUrl = configuredUrlOf(action, sources, found);
  if (configuredUrl === undefined) return { network: null };
  const { resolveAddresses, isLoopbackAllowed = false } = sources.setup ?? {};
  const hasHost = configuredUrl !== '' && machineOf(configuredUrl) === undefined;
  const addresses = hasHost && (await resolveAddresses?.(configuredUrl));
  return {
    network: {
      isConfigured: configuredUrl !== '',
      configuredUrl,
      addresses: [...(addresses || [])].sort(),
      isLoopbackAllowed,
    },
  };
};

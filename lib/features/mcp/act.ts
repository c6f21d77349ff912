/** The part of MCP in Act: lets servers in, and calls their tools. */
import type { ActFeature, KeyContext } from '../../core/operations/act-feature.ts';
import { SETTINGS } from '../../core/store/settings.ts';
import { secretValuesOf } from '../../core/text/secret-values.ts';
import { canonicalUrl } from '../../core/tools/webhooks.ts';
import { buildMcpActuator } from './actuator.ts';
import { noteOffers, withMachines } from './machines.ts';
import { offerWithout } from './offer-without.ts';
import { sayNewTools } from './say-new-tools.ts';
import { buildMcpServers, buildMcpStore, loadMcpSession } from './servers.ts';

const reachOf = ({ table, space, secrets }: KeyContext) => {
  const configured = SETTINGS.MCP_SERVERS.schema.safeParse(secrets.get('MCP_SERVERS') ?? '{}').data ?? {};
  return {
    store: buildMcpStore(table, space),
    loadSession: async () => offerWithout(withMachines(await loadMcpSession(), table, space), secretValuesOf(secrets)),
    /** The token configured for exactly this server at exactly this address. */
    tokenFor: (server: string, url: string): string | undefined => {
      const known = Object.hasOwn(configured, server) ? configured[server] : undefined;
      return known !== undefined && canonicalUrl(known.url) === url ? known.token : undefined;
    },
  };
};

export const actMcp: ActFeature = {
  buildKeyPowers: (context) => {
    const { store, loadSession, tokenFor } = reachOf(context);
    const servers = buildMcpServers(store, loadSession, tokenFor);
    const list = async () => {
      await noteOffers(context.table, context.space, store);
      return servers.list();
    };
    return { mcp: { ...servers, list } };
  },
  buildRemote: (context, keepOutput) => buildMcpActuator({ ...reachOf(context), keepOutput }),
  markCard: sayNewTools,
};

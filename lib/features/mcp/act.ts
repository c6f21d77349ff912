/** The part of MCP in Act: lets servers in, and calls their tools. */
import type { ActFeature, KeyContext } from '../../core/operations/act-feature.ts';
import { SETTINGS } from '../../core/store/settings.ts';
import { secretValuesOf } from '../../core/text/secret-values.ts';
import { canonicalUrl } from '../../core/tools/webhooks.ts';
import { loginParts } from '../consent/act.ts';
import { buildLogins } from '../consent/logins.ts';
import { buildMcpActuator } from './actuator.ts';
import { noteOffers, withMachines } from './machines.ts';
import { offerWithout } from './offer-without.ts';
import { sayNewTools } from './say-new-tools.ts';
import { buildMcpServers, buildMcpStore, type GivenToken, loadMcpSession } from './servers.ts';

/** The record of the servers, the client that reaches them, and the token of each. */
export const reachOf = (context: KeyContext) => {
  const { table, space, secrets } = context;
  const logins = buildLogins(loginParts(context));
  const configured = SETTINGS.MCP_SERVERS.schema.safeParse(secrets.get('MCP_SERVERS') ?? '{}').data ?? {};
  return {
    store: buildMcpStore(table, space),
    loadSession: async () => offerWithout(withMachines(await loadMcpSession(), table, space), secretValuesOf(secrets)),
    logins,
    /** The token configured for exactly this server at exactly this address, or that of a login. */
    tokenFor: (server: string, url: string): GivenToken => {
      const known = Object.hasOwn(configured, server) ? configured[server] : undefined;
      const token = known !== undefined && canonicalUrl(known.url) === url ? known.token : undefined;
      if (token !== undefined) return { token };
      return { login: { tokenOf: (spent) => logins.tokenOf(server, url, spent), shown: new Map() } };
    },
  };
};

export const actMcp: ActFeature = {
  buildKeyPowers: (context) => {
    const reach = reachOf(context);
    const servers = buildMcpServers(reach);
    const list = async () => {
      await noteOffers(context.table, context.space, reach.store);
      return servers.list();
    };
    return { mcp: { ...servers, list } };
  },
  buildRemote: (context, keepOutput) => buildMcpActuator({ ...reachOf(context), keepOutput }),
  markCard: sayNewTools,
};

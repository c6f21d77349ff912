/** The part of logins in Act. Its code is loaded with the first call. */
import { randomUUID } from 'node:crypto';
import type { ActFeature, KeyContext } from '../../core/operations/act-feature.ts';
import { SETTINGS } from '../../core/store/settings.ts';
import { loadFeatureParts } from '../../core/tools/tool.ts';
import { canonicalUrl } from '../../core/tools/webhooks.ts';
import { CLIENT_PATH } from './client-metadata.ts';
import type { OwnClient } from './login-record.ts';
import type { LoginParts } from './logins.ts';

export const loginParts = ({ table, space, loadSigningSecret }: KeyContext): LoginParts => ({
  table,
  space,
  loadSecret: loadSigningSecret,
  now: Date.now,
  newId: randomUUID,
});

const ownClientIn =
  ({ secrets }: KeyContext) =>
  (server: string, url: string): OwnClient | undefined => {
    const all = SETTINGS.MCP_SERVERS.schema.safeParse(secrets.get('MCP_SERVERS') ?? '{}').data ?? {};
    const { client, issuer, secret, url: at = '' } = (Object.hasOwn(all, server) ? all[server] : undefined) ?? {};
    return client !== undefined && issuer !== undefined && canonicalUrl(at) === url
      ? { client, secret, issuer }
      : undefined;
  };

export const actConsent: ActFeature = {
  buildKeyPowers: (context) => ({
    logins: async (...call) => {
      const { performLogin } = await loadFeatureParts();
      const base = context.env.CONSOLE_URL;
      const clientUrl = base === undefined ? undefined : new URL(CLIENT_PATH, base).href;
      return performLogin({ ...loginParts(context), ownClient: ownClientIn(context), clientUrl }, ...call);
    },
  }),
};

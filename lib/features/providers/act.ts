/** The part of providers in Act. Its code is loaded with the first call. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { loadVault } from '../../core/store/secrets.ts';
import { loadFeatureParts } from '../../core/tools/tool.ts';
import type { ProviderPowers } from './provider-powers.ts';

export const actProviders: ActFeature = {
  buildKeyPowers: ({ table, space, env }) => {
    const powers = async (): Promise<ProviderPowers> =>
      (await loadFeatureParts()).buildProviderPowers({
        table,
        space,
        loadVault: () => loadVault(env),
        isLocal: env.PROVIDER_VAULT_FILE !== undefined,
      });
    return {
      providers: {
        add: async (wanted) => (await powers()).add(wanted),
        try: async (wanted) => (await powers()).try(wanted),
        order: async (wanted) => (await powers()).order(wanted),
        remove: async (wanted) => (await powers()).remove(wanted),
      },
    };
  },
};

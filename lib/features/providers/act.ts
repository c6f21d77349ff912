/** The part of providers in Act. Its code is loaded with the first call. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { loadVault } from '../../core/store/secrets.ts';
import { loadFeatureParts } from '../../core/tools/tool.ts';

export const actProviders: ActFeature = {
  buildKeyPowers: ({ table, space, env }) => ({
    providers: async (...call) => {
      const { performProviderTool } = await loadFeatureParts();
      const isLocal = env.PROVIDER_VAULT_FILE !== undefined;
      return performProviderTool({ table, space, loadVault: () => loadVault(env), isLocal }, ...call);
    },
  }),
};

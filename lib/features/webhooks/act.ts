/** The part of webhooks in Act: calls those that are configured, and those that features bring. */
import { SECOND_MS } from '../../core/base/limits.ts';
import { broughtWebhooks } from '../../core/judge/rules-of-features.ts';
import { ownerSettingsKey, readOwnerSettings } from '../../core/ledger/owner-settings.ts';
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { STANDING } from '../../core/stages/turn-records.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import { SETTINGS } from '../../core/store/settings.ts';
import { canonicalWebhooks, withPreset } from '../../core/tools/webhooks.ts';
import { buildWebhookActuator } from './actuator.ts';

const WEBHOOK_TIMEOUT_MS = 10 * SECOND_MS;

export const actWebhooks: ActFeature = {
  buildWebhook: ({ table, space, env, secrets }) => {
    const configured = SETTINGS.WEBHOOK_TARGETS.schema.safeParse(secrets.get('WEBHOOK_TARGETS') ?? '{}').data ?? {};
    return buildWebhookActuator({
      targets: new Map(Object.entries(canonicalWebhooks(configured, withPreset))),
      findBrought: async (name) => {
        const keys = { standing: STANDING.keys(space), owner: ownerSettingsKey(space) };
        const { standing, owner } = await loadNamed(table, keys);
        const brought = broughtWebhooks(STANDING.read(standing), readOwnerSettings(owner));
        return Object.hasOwn(brought, name) ? brought[name] : undefined;
      },
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      isLoopbackAllowed: env.ALLOW_LOOPBACK_WEBHOOKS,
    });
  },
};

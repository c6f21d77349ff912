/** The part of webhooks in Act: calls those that are configured, and those of added skills. */
import { SECOND_MS } from '../../core/base/limits.ts';
import { ownerSettingsKey, readOwnerSettings } from '../../core/ledger/owner-settings.ts';
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { skillTargets } from '../../core/skills/skill-targets.ts';
import { skillKeys } from '../../core/store/keys.ts';
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
      findSkillTarget: async (name) => {
        const { skills, owner } = await loadNamed(table, {
          skills: skillKeys.active(space),
          owner: ownerSettingsKey(space),
        });
        const brought = skillTargets(skills, readOwnerSettings(owner));
        return Object.hasOwn(brought, name) ? brought[name] : undefined;
      },
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      isLoopbackAllowed: env.ALLOW_LOOPBACK_WEBHOOKS,
    });
  },
};

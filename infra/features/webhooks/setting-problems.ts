/** Faults of the webhooks' settings that no form of one value shows. Pure. */
import { buildCosts } from '../../../lib/core/money/caps.ts';
import { normaliseName } from '../../../lib/core/signal/action.ts';
import { isLoopback } from '../../../lib/core/store/setting-forms.ts';
import { withPreset } from '../../../lib/core/tools/webhooks.ts';
import { parseSources } from '../../../lib/features/webhooks/edge/sources.ts';
import type { FindConflicts } from '../../local/settings.ts';

export const webhookConflicts: FindConflicts = (variables, environment) => {
  const problems = parseSources(variables.WEBHOOK_SECRETS).problems.map((problem) => `WEBHOOK_SECRETS: ${problem}`);
  const targets = new Set(Object.keys(environment.WEBHOOK_TARGETS ?? {}).map(normaliseName));
  for (const name of buildCosts({ WEBHOOK_COSTS: environment.WEBHOOK_COSTS ?? '' }).keys()) {
    if (targets.size > 0 && !targets.has(name)) problems.push(`WEBHOOK_COSTS: ${name} is not one of WEBHOOK_TARGETS`);
  }
  for (const [name, target] of Object.entries(environment.WEBHOOK_TARGETS ?? {})) {
    const { url } = withPreset(target);
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    const isLocal = parsed !== undefined && isLoopback(parsed) && environment.ALLOW_LOOPBACK_WEBHOOKS;
    if (parsed?.protocol === 'https:' || (isLocal && parsed.protocol === 'http:')) continue;
    problems.push(`WEBHOOK_TARGETS: ${name} needs an https address (or this machine, with ALLOW_LOOPBACK_WEBHOOKS=1)`);
  }
  return problems;
};

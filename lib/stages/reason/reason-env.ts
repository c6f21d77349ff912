/** Reason's environment: its identity, providers and the addresses of webhooks, but no secrets. */

import { parseEventLinkHosts } from '../../judge/listed-links.ts';
import { parseModelRules } from '../../llm/choose-model.ts';
import { readEnvironment } from '../../store/env.ts';
import type { Variables } from '../../store/settings.ts';

const PARSERS = { MODEL_RULES: parseModelRules, EVENT_LINK_HOSTS: parseEventLinkHosts };

/** @throws ConfigError naming every variable that is missing or does not fit */
export const readReasonEnv = (source?: Variables) => readEnvironment('reason', source, PARSERS);
export type ReasonEnv = ReturnType<typeof readReasonEnv>;

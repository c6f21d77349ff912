/** Says which kinds of action new webhooks and new tokens of scripts make possible. Pure. */
import * as z from 'zod/mini';
import { type Reach, sayReach, UNDER_POLICY, webhookKind } from '../../../lib/core/approvals/say-reach.ts';
import { needOf } from '../../../lib/core/edge/console/operation-path.ts';
import { parseApiTokens, type Scope } from '../../../lib/core/edge/console/tokens.ts';
import { operationsIn } from '../../../lib/core/operations/feature.ts';
import { SETTINGS } from '../../../lib/core/store/settings.ts';
import { readWebhooks } from '../../../lib/core/tools/webhooks.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import type { Variables } from '../stack.ts';

/** The operations that need exactly this scope. */
const namesFor = (scope: Scope): readonly string[] =>
  operationsIn(FEATURES)
    .filter((one) => needOf(one) === scope && one.doors?.includes('http') !== false)
    .map(({ name }) => name);

const SCOPE_KINDS: Readonly<Record<Scope, () => string>> = {
  read: () => `sees all but the ids of approvals, by ${namesFor('read').length} operations`,
  speak: () => 'writes in conversations of its own, in untrusted words',
  'speak-as-owner': () =>
    `writes as you in conversations of its own, and does ${namesFor('speak-as-owner').join(', ')}`,
};

/** A value that does not fit opens nothing. */
const webhooksIn = (name: 'WEBHOOK_TARGETS' | 'WEBHOOK_URLS', text: string | undefined) =>
  z.safeParse(SETTINGS[name].schema, text ?? '{}').data ?? {};

const settingReach = (variables: Variables): Reach => {
  const { WEBHOOK_TARGETS: targets, WEBHOOK_URLS: urls, API_TOKENS: tokens, APPROVER_TOKEN: approver } = variables;
  const { webhookCalls } = readWebhooks({
    ...webhooksIn('WEBHOOK_URLS', urls),
    ...webhooksIn('WEBHOOK_TARGETS', targets),
  });
  return new Map([
    ...Object.entries(webhookCalls).map(([name, { method, url }]) => [webhookKind(name, method, url), 'ask'] as const),
    ...parseApiTokens(tokens, approver).tokens.flatMap(({ name, scopes }) =>
      [...scopes].map((scope) => [`the script ${name} ${SCOPE_KINDS[scope]()}`, 'allow'] as const),
    ),
  ]);
};

/** @returns nothing if neither changes @param given the settings that are about to be written */
export const sayNewSettings = (before: Variables, given: Variables): readonly string[] => {
  const hasTargets = given.WEBHOOK_TARGETS !== undefined || given.WEBHOOK_URLS !== undefined;
  if (!hasTargets && given.API_TOKENS === undefined) return [];
  const lines = sayReach(settingReach(before), settingReach({ ...before, ...given }));
  return hasTargets ? [...lines, UNDER_POLICY] : lines;
};

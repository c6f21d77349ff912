/**
 * GET /api/policy → {"text", "hash", "zone"?, "at"?, "targets"?} and POST /api/policy {"text"} →
 * 200 with the same and "endsCards": the owner's policy. Only an approver changes it. A text that
 * does not parse or type-check, or asks for an amount or recipient that no target declares, is a
 * 400 that says what is wrong, where, and what to write. An empty text takes the policy back.
 */
import * as z from 'zod/mini';
import { countOpenCards } from '../../core/approvals/open-cards.ts';
import { defined } from '../../core/base/defined.ts';
import { ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { KIB } from '../../core/base/limits.ts';
import { type ConsoleDeps, parseBody, type RouteCall } from '../../core/edge/console/router.ts';
import { type HttpResponse, respondJson } from '../../core/http/function-url.ts';
import type { Cedar } from '../../core/judge/code/cedar-engine.ts';
import { type PolicySetting, parsePolicySetting, policyKey } from '../../core/judge/policy-setting.ts';
import { mcpKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { readMcpCatalogue } from '../../core/tools/mcp-catalogue.ts';
import { readWebhooks } from '../../core/tools/webhooks.ts';
import { parsePolicy } from './cedar.ts';
import { findUndeclared, type ShownTargets, showTargets } from './find-undeclared.ts';
import { savePolicySetting } from './save-policy.ts';

/** Room for hundreds of rules in one small item. */
const POLICY_CHARS_MAX = 32 * KIB;

export const PolicyBody = z.strictObject({ text: z.string().check(z.maxLength(POLICY_CHARS_MAX)) });

/** The targets that actions go to, with what their owner declares. */
export const loadShownTargets = async ({ table, space, settings }: ConsoleDeps): Promise<ShownTargets> => {
  const { webhookCalls } = readWebhooks(settings.webhooks ?? {});
  return showTargets(webhookCalls, readMcpCatalogue(await loadItem(table, mcpKey(space))));
};

/** @param endsCards the cards that a change of the policy ends, which must be asked for again */
const show = (
  { settings: { zone } }: ConsoleDeps,
  setting: PolicySetting | undefined,
  { webhookCalls, tools }: ShownTargets,
  endsCards?: number,
): HttpResponse => {
  const hasTargets = Object.keys(webhookCalls).length + Object.keys(tools).length > 0;
  return respondJson(200, {
    text: setting?.text ?? '',
    hash: setting?.hash ?? '',
    ...defined({ zone, at: setting?.at, endsCards, targets: hasTargets ? { webhookCalls, tools } : undefined }),
  });
};

const showPolicy = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const item = await loadItem(deps.table, policyKey(deps.space));
  return show(deps, parsePolicySetting(item), await loadShownTargets(deps));
};

export const loadEngine = async (deps: ConsoleDeps): Promise<Cedar> => {
  try {
    return await deps.importCedar();
  } catch (error) {
    throw new UnavailableError('The policy engine could not be loaded. Try again.', { cause: error });
  }
};

/** @throws ProtocolError that says all that is wrong */
const requireUsable = async (deps: ConsoleDeps, text: string, targets: ShownTargets): Promise<void> => {
  const cedar = await loadEngine(deps);
  const { rules, problems } = parsePolicy(cedar, text);
  const found = problems.length > 0 ? problems : findUndeclared(cedar, rules, targets);
  if (found.length > 0) throw new ProtocolError(`the policy is not usable: ${found.join('; ')}`);
};

const postPolicy = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> => {
  const { text } = parseBody(request, PolicyBody);
  const wanted = text.trim() === '' ? '' : text;
  const targets = await loadShownTargets(deps);
  if (wanted !== '') await requireUsable(deps, wanted, targets);
  const change = { text: wanted, by: 'approver', at: deps.now() };
  const { table, space } = deps;
  const before = parsePolicySetting(await loadItem(table, policyKey(space)));
  const open = await countOpenCards(table, space, deps.now());
  const setting = await savePolicySetting(table, space, change);
  return show(deps, setting, targets, setting.hash === (before?.hash ?? '') ? 0 : open);
};

export const POLICY_CONSOLE = { showPolicy, postPolicy } as const;

/**
 * Makes the grants of a plan that a person approved: one for each step, for this turn alone, named
 * by the exact bytes of its card. Only exact arguments, which were approved before anything outside
 * was read, stay covered once it was. A repeat changes nothing.
 */
import { createHash } from 'node:crypto';
import { type Grant, turnScope } from '../approvals/grant.ts';
import { countGrant, saveGrant } from '../approvals/grants.ts';
import { recipientPath } from '../approvals/task-grant.ts';
import { canonicalJson } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { HOUR_MS } from '../base/limits.ts';
import { rootOf } from '../signal/ids.ts';
import { indexPartitions, mcpKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { mayCover } from '../tools/may-cover.ts';
import { mcpUrls, readMcpCatalogue } from '../tools/mcp-catalogue.ts';
import { boundPath, fillBounds, type PlanStep, parsePlan } from '../tools/plan-form.ts';
import type { PlanPowers } from '../tools/propose-plan.ts';
import type { Webhooks } from '../tools/webhooks.ts';
import { buildCall } from './build-actions.ts';
import { findDeclared, type Targets, targetsOf } from './declared.ts';

/** Gates whose questions the card answers: it shows every call with its arguments. */
const GATES = ['permissions', 'provenance', 'network'] as const;

type Of = Parameters<PlanPowers['allow']>[1];

/** Pure. @throws ProtocolError if a step names no known target, or leaves its receiver open */
export const buildPlanGrants = (
  steps: readonly PlanStep[],
  { signalId, effectId, session, now, approvedBy = '', policyVersion = '' }: Of,
  {
    space,
    urls,
    targets,
  }: { readonly space: string; readonly urls: Readonly<Record<string, string>>; readonly targets: Targets },
): readonly Grant[] =>
  steps.map((step, n): Grant => {
    const { tool, bounds = [], times = 1 } = step;
    const args = fillBounds(step);
    const action = buildCall({ tool, args: args ?? {}, explanation: '' }, { webhookUrls: urls });
    const isKnown = args !== undefined && action.target === 'webhook' && action.url !== undefined;
    if (!isKnown || !mayCover(action.tool ?? '', bounds.length > 0))
      throw new ProtocolError(`step ${n + 1} of the plan calls nothing that is set up here`);
    const { recipient } = findDeclared(action, targets);
    const receiver = recipient === undefined ? undefined : recipientPath(action, recipient);
    if (bounds.some((bound) => bound.oneOf === undefined && boundPath(bound) === receiver))
      throw new ProtocolError(`step ${n + 1} of the plan does not name its receiver`);
    const name = `passepartout/plan-grant\n${effectId}\n${canonicalJson({ steps })}\n${n}`;
    return {
      schemaVersion: 1,
      id: createHash('sha256').update(name).digest('hex').slice(0, 12),
      space,
      session: turnScope(rootOf(signalId)),
      askedIn: session,
      policyVersion,
      gates: [...GATES],
      target: action.target,
      ...defined({ tool: action.tool, to: action.to, url: action.url, args: action.args }),
      loosened: bounds.map((bound) => ({
        path: boundPath(bound),
        kind: 'shape',
        template: '{{this}}',
        shape: bound.oneOf ?? { from: 0, to: bound.atMost ?? 0 },
      })),
      ...(bounds.length === 0 ? { isBeforeOutside: true } : {}),
      usesMax: times,
      uses: 0,
      state: 'live',
      createdAt: now,
      createdBy: approvedBy,
      fromSignal: signalId,
      fromN: Number(effectId.split('#').at(-1) ?? 0),
      expiresAtMs: now + HOUR_MS,
      unfinishedSpace: indexPartitions.grants(space),
      unfinishedAt: now + HOUR_MS,
    };
  });

export const buildPlanPowers = (
  table: Pick<Table, 'load' | 'queryIndex' | 'put' | 'update'>,
  space: string,
  { webhookUrls, webhookCalls }: Webhooks,
): PlanPowers => ({
  allow: async (given, of) => {
    const steps = parsePlan({ steps: given });
    if (of.approvedBy === undefined) throw new ProtocolError('a plan needs a yes on its card');
    const mcp = readMcpCatalogue(await loadItem(table, mcpKey(space)));
    const urls = { ...webhookUrls, ...mcpUrls(mcp) };
    for (const grant of buildPlanGrants(steps, of, { space, urls, targets: targetsOf(webhookCalls, mcp) })) {
      const problem = await saveGrant(table, grant, of.now);
      if (problem !== '') throw new ProtocolError(problem);
      await countGrant(table, grant);
    }
  },
});

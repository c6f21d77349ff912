/** Prepares an action for the last mile: consent, bill, and sources of facts (I4). Reads only. */

import { parseApproval } from '../../approvals/approval.ts';
import type { buildGrantFacts as grantFacts } from '../../approvals/find-grant.ts';
import { hashOf } from '../../base/canonical.ts';
import { defined } from '../../base/defined.ts';
import { PipelineError } from '../../base/errors.ts';
import { baseFacts } from '../../judge/base-facts.ts';
import type { FactSources } from '../../judge/fact-sources.ts';
import { isStoppedFor } from '../../ledger/kill-switch.ts';
import { buildFloodFacts, isSessionStoppedFor } from '../../ledger/session-controls.ts';
import type { Action } from '../../signal/action.ts';
import type { ApprovalFacts } from '../../signal/facts.ts';
import { isChosenJob } from '../../signal/signal.ts';
import { findTool } from '../../tools/catalogue.ts';
import { type ActDeps, type ActTurn, loadLazy, type Task } from './act-context.ts';
import { factsOf, lookAtTask } from './guard.ts';
import type { NamedAction } from './load-decision.ts';

export const prepareTask = async (deps: ActDeps, turn: ActTurn, named: NamedAction): Promise<Task> => {
  const { table } = deps;
  const { decision, effects, killSwitch, head } = turn;
  const { signal } = turn.record;
  const { n, approvalId } = named;
  const judged = decision.actions[n];
  if (judged === undefined) throw new PipelineError(`the decision has no action ${n}`, signal.id, false);
  const { action } = judged;
  const effect = effects.get(n);
  const { at: consentedAt, by: approvedBy } = consentOf(turn, named);
  const isStopped =
    isStoppedFor(killSwitch, consentedAt) ||
    isSessionStoppedFor(head, { at: consentedAt, isApproved: approvedBy !== undefined });
  const isQuestion = findTool(action.tool ?? '')?.isQuestion === true;
  const needsGrant = judged.outcome === 'ask' && approvalId === undefined && !isStopped && !isQuestion;
  const own = deps.guards.flatMap(({ grantOf }) => grantOf?.(turn) ?? [])[0];
  const { findGrant, buildGrantFacts } = needsGrant ? await loadLazy() : {};
  const grant = await findGrant?.(table, signal, action, effect, deps.now(), own);
  const loaded = { signal, n, judged, effect, approvalId, consentedAt, approvedBy, grant };
  const looks = await lookAtTask(deps, turn, loaded);
  return {
    ...loaded,
    looks,
    namedHash: turn.isForged ? '' : named.hash,
    factSources: factSourcesOf(deps, turn, { ...loaded, looks }, named, buildGrantFacts),
  };
};

/** When somebody last said it may be done, and who: the approver, else Reason as it asked. */
const consentOf = (
  { record, decision, approvals }: ActTurn,
  { n, approvalId = '' }: NamedAction,
): { readonly at: number; readonly by: string | undefined } => {
  const item = approvals.get(approvalId);
  const approval = item === undefined ? undefined : parseApproval(approvalId, item);
  const isForThis = approval?.signalId === record.signal.id && approval.n === n;
  const consent = isForThis ? approval : undefined;
  return { at: consent?.decidedAt ?? decision.attempt?.at ?? decision.at, by: consent?.decider };
};

/**
 * The approval as it stands (I5). It counts only for the signal and action it was made for, and
 * only while the action it shows to people is the one its hash is of. One spent by an earlier,
 * lapsed claim of this very effect is spent here.
 */
const approvalFacts = (
  { record, effects, approvals }: ActTurn,
  { n, approvalId }: NamedAction,
): ApprovalFacts | null => {
  const item = approvalId === undefined ? undefined : approvals.get(approvalId);
  if (approvalId === undefined || item === undefined) return null;
  const { id, signalId, policyVersion, space, state, expiresAtMs, ...approval } = parseApproval(approvalId, item);
  const effect = effects.get(n);
  if (signalId !== record.signal.id || approval.n !== n || effect?.approvalId !== id) return null;
  const actionHash = hashOf('action', approval.action);
  if (actionHash !== approval.actionHash) return null;
  const isSpentHere = state === 'spent' && effect.state !== 'suspended';
  return { id, actionHash, policyVersion, space, state: isSpentHere ? 'spent-here' : state, expiresAt: expiresAtMs };
};

const factSourcesOf = (
  deps: ActDeps,
  turn: ActTurn,
  { signal, judged, consentedAt, approvedBy, grant, looks }: Omit<Task, 'namedHash' | 'factSources'>,
  named: NamedAction,
  buildGrantFacts: typeof grantFacts | undefined,
): FactSources => {
  const { before, ...facts } = factsOf(looks);
  const { space, reply, session, payload } = signal;
  const now = deps.now();
  const known = {
    stage: 'act',
    now,
    zone: deps.zone,
    space,
    setup: { ...deps.setup, gateSet: deps.gateSet },
    policy: turn.policy,
    settings: turn.settings,
    shown: turn.decision.skill,
    mcp: turn.mcp,
    records: turn.records,
    isStopped: isStoppedFor(turn.killSwitch, consentedAt),
    earlier: { table: deps.table, ...defined({ before }) },
  } as const;
  // The asker, the links that may open, whose words they are, and the proposals of other models
  // were decided and stored with these very bytes: none is asked again.
  const {
    origin = 'outside',
    knownUrls,
    askedBy,
    isMemoryShown = true,
    consensus,
    passingRead,
  } = judged.facts.at(-1) ?? {};
  return baseFacts(known, {
    reply,
    session,
    sensor: payload.sensor,
    origin,
    turn: {
      isChosen: isChosenJob(signal),
      isMemoryShown,
      ...defined({
        askedBy,
        listedLinks: knownUrls,
        areOwnWords: passingRead && (() => passingRead.isOwnWords),
      }),
    },
    refused: { flood: buildFloodFacts(turn.head, now, { at: consentedAt, isApproved: approvedBy !== undefined }) },
    consent: {
      approval: approvalFacts(turn, named),
      ...(grant === undefined || buildGrantFacts === undefined
        ? {}
        : { grantFor: (action: Action) => buildGrantFacts(grant, signal, turn.decision, action) }),
    },
    ...defined({ consensus, copies: turn.run?.copies }),
    ...facts,
  });
};

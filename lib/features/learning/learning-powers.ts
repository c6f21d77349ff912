/**
 * The powers of the skill `learning`, over the table: looks for one offer, describes it, and puts
 * it in force after a person's yes. Each offer is checked against exactly the evidence it names, so
 * that nobody can make one up.
 */

import { parseApproval } from '../../core/approvals/approval.ts';
import { buildGrant, countGrant, saveGrant } from '../../core/approvals/grants.ts';
import { canonicalJson } from '../../core/base/canonical.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { parseWith } from '../../core/base/json.ts';
import { DAY_MS } from '../../core/base/limits.ts';
import { GATE_SET } from '../../core/gates/engine/gate-set.ts';
import { describeGrant } from '../../core/judge/card.ts';
import type { Cedar } from '../../core/judge/code/cedar-engine.ts';
import { targetsOf } from '../../core/judge/declared.ts';
import { parseDecision, parseEffect } from '../../core/ledger/ledger.ts';
import { walkFeed } from '../../core/ledger/walk-feed.ts';
import { approvalKey, mcpKey, signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import { type Mark, UNMARKED } from '../../core/tools/marks.ts';
import { readMcpCatalogue } from '../../core/tools/mcp-catalogue.ts';
import type { Webhooks } from '../../core/tools/webhooks.ts';
import { ruledAction } from '../policy/draft-rule.ts';
import { buildPastAt } from '../policy/past.ts';
import { sayNewReach } from '../policy/policy-reach.ts';
import { addRule, compileWith } from '../policy/save-policy.ts';
import { happenedIn, type PastJudgement, type PolicyTrial, tryPolicy } from '../policy/try-policy.ts';
import type { AddedSkills } from '../skills/added-skills.ts';
import { describeOffer, type OfferFacts } from './describe-offer.ts';
import { HABIT_WINDOW_MS } from './find-decided.ts';
import { chooseOffer, findHabits } from './find-habits.ts';
import type { Evidence } from './habit-evidence.ts';
import { loadDecided } from './load-decided.ts';
import { loadHeard, loadNamedEvidence } from './load-evidence.ts';
import { Offer } from './offer.ts';
import type { LearningPowers, OfferSource } from './tools.ts';

export interface LearningDeps {
  readonly table: Pick<Table, 'load' | 'query' | 'queryIndex' | 'put' | 'update'>;
  readonly space: string;
  readonly skills: AddedSkills;
  readonly privacyTags: readonly string[];
  /** The owner's; UTC if absent. */
  readonly zone?: string | undefined;
  readonly webhookCalls?: Webhooks['webhookCalls'] | undefined;
  /** Loaded only if there is a rule to offer. */
  readonly loadCedar: () => Promise<Cedar>;
}

/** The rules' version under which this signal was decided. */
const versionNow = async ({ table, space }: LearningDeps, signalId: string): Promise<string | undefined> => {
  const item = await loadItem(table, signalKeys.decision(space, signalId));
  return item === undefined ? undefined : parseDecision(signalId, item).policyVersion;
};

const isSame = (a: Offer, b: Offer): boolean => canonicalJson(a) === canonicalJson(b);

const isSupported = (offer: Offer, evidence: Evidence, { privacyTags }: LearningDeps): boolean =>
  findHabits(evidence, privacyTags).some((found) => isSame(found, offer));

const look = async (deps: LearningDeps, signalId: string, now: number): Promise<Offer | string> => {
  const { table, space, privacyTags } = deps;
  const since = now - HABIT_WINDOW_MS;
  const { asked, earlier } = await loadDecided(table, space, since, now);
  const version = await versionNow(deps, signalId);
  // A grant of other rules would cover nothing.
  const current = asked.filter((one) => one.ending === 'denied' || one.policyVersion === version);
  const evidence = { asked: current, ...(await loadHeard(table, space, since)) };
  const offers = findHabits(evidence, privacyTags);
  const chosen = chooseOffer(offers, earlier, now);
  if (chosen === undefined) return offers.length === 0 ? 'nothing came again and again' : 'nothing new to offer today';
  return isSupported(chosen, await loadNamedEvidence(table, space, chosen.evidence), deps)
    ? chosen
    : 'its evidence changed while it was read';
};

const approvalOf = async ({ table, space }: LearningDeps, action: string) => {
  const [signalId = '', n = ''] = action.split('#');
  const effectItem = await loadItem(table, signalKeys.effect(space, signalId, Number(n)));
  const id = effectItem === undefined ? undefined : parseEffect(signalId, effectItem).approvalId;
  const item = id === undefined ? undefined : await loadItem(table, approvalKey(space, id));
  return item === undefined || id === undefined ? undefined : parseApproval(id, item);
};

/** As `policy try` looks back. */
const TRIAL_DAYS = 30;

/** Judges every decision of these days again, as if the rule had been in force. */
const tryRule = async (
  deps: LearningDeps,
  rule: string,
  now: number,
  mark: Mark,
): Promise<Pick<OfferFacts, 'trial' | 'tried' | 'reach'> | undefined> => {
  const { table, space, loadCedar } = deps;
  const compiled = await compileWith(table, space, rule, await loadCedar());
  if (typeof compiled === 'string') return undefined;
  const { policy, before, after } = compiled;
  const past: PastJudgement[] = [];
  const isWhole = await walkFeed(table, space, now - TRIAL_DAYS * DAY_MS, (signals) => {
    for (const { id, record, decision } of signals) {
      if (decision === undefined) continue;
      const { session } = record.signal;
      past.push({ id, session, attempts: [], decision, isForgotten: decision.forgottenAt !== undefined });
    }
  });
  const targets = targetsOf(deps.webhookCalls, readMcpCatalogue(await loadItem(table, mcpKey(space))));
  const pastAt = buildPastAt(policy.readPast === undefined ? [] : past.flatMap(happenedIn), deps.zone, targets);
  const trials = past.map((one) => tryPolicy(GATE_SET, policy, one, pastAt, targets));
  const actionCount = trials.reduce((sum, trial) => sum + trial.actionCount, 0);
  const trial: PolicyTrial = { actionCount, flips: trials.flatMap(({ flips }) => flips) };
  const action = ruledAction(rule);
  // Of another form it is no offer of ours, and the card says so.
  const reach = action === undefined ? [] : sayNewReach(await loadCedar(), before, after, [action], mark);
  const tried = isWhole ? `In the last ${TRIAL_DAYS} days` : 'Among the newest decisions alone,';
  return { trial, tried, reach };
};

const describe = async (
  deps: LearningDeps,
  offer: Offer,
  now: number,
  mark: Mark = UNMARKED,
): Promise<readonly string[]> => {
  const evidence = await loadNamedEvidence(deps.table, deps.space, offer.evidence);
  const approval = offer.kind === 'grant' ? await approvalOf(deps, offer.action) : undefined;
  const warning = 'Its evidence does not support this offer, so a yes will be refused.';
  const first = isSupported(offer, evidence, deps) ? [] : [mark(warning)];
  const trial = offer.kind === 'rule' ? await tryRule(deps, offer.rule, now, mark) : {};
  return [...first, ...describeOffer(offer, { approval, ...trial }, mark)];
};

const acceptGrant = async (
  deps: LearningDeps,
  { action, loosen, count, hours }: Extract<Offer, { kind: 'grant' }>,
  { signalId, by, now }: OfferSource,
): Promise<readonly string[]> => {
  const { table } = deps;
  const approval = await approvalOf(deps, action);
  if (approval === undefined) throw new ProtocolError('the action it was made from is gone');
  if (approval.policyVersion !== (await versionNow(deps, signalId)))
    throw new ProtocolError('the rules have changed since that was approved, so no grant can be made of it');
  const wish = { loosen, count, hours, coversTaint: false, anySession: false };
  const maker = { id: signalId, sender: { id: by, isApprover: true } };
  const grant = buildGrant(approval, findTool(approval.action.tool ?? '')?.effects ?? {}, wish, maker, now);
  if (typeof grant === 'string') throw new ProtocolError(grant);
  const problem = await saveGrant(table, grant, now);
  if (problem !== '') throw new ProtocolError(problem);
  await countGrant(table, grant, true);
  return ['Learned: the grant is in force.', describeGrant(grant), `/revoke ${grant.id} takes it back.`];
};

const accept = async (deps: LearningDeps, offer: Offer, source: OfferSource): Promise<readonly string[]> => {
  const evidence = await loadNamedEvidence(deps.table, deps.space, offer.evidence);
  if (!isSupported(offer, evidence, deps)) throw new ProtocolError('its evidence does not support this offer');
  switch (offer.kind) {
    case 'grant':
      return acceptGrant(deps, offer, source);
    case 'rule': {
      const { table, space, loadCedar } = deps;
      await addRule(table, space, { rule: offer.rule, by: source.by, at: source.now }, await loadCedar());
      return [
        'Learned: the rule is in force.',
        'npx passepartout policy show shows it, npx passepartout policy set takes it back.',
      ];
    }
    case 'advice':
      return ['Noted.', ...(offer.command === undefined ? [] : [`To change it: ${offer.command}`])];
    case 'skill':
      return deps.skills.add({ files: offer.files, trust: 'owner' }, source);
    default:
      return offer satisfies never;
  }
};

export const buildLearning = (deps: LearningDeps): LearningPowers => ({
  look: (signalId, now) => look(deps, signalId, now),
  describe: (offer, now, mark) => describe(deps, parseWith('the offer', offer, Offer), now, mark),
  accept: (offer, source) => accept(deps, parseWith('the offer', offer, Offer), source),
});

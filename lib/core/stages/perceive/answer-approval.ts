/** A person's answer to an approval: yes, no, or bounds. A repeat changes nothing more. */

import type { Approval } from '../../approvals/approval.ts';
import {
  noteSimilar,
  parseApproval,
  type RulingFacts,
  ruleOnApproval,
  settleApproval,
} from '../../approvals/approval.ts';
import { ALL_LISTED, allChoices, type SimilarChoice, taskChoice } from '../../approvals/similar.ts';
import { approvalNotices, saveCardUpdate } from '../../judge/approval-notices.ts';
import { targetsOf } from '../../judge/declared.ts';
import { buildPolicyVersion } from '../../judge/judge.ts';
import { hashOfList, loadListed } from '../../judge/listed-cards.ts';
import { countDenied } from '../../judge/load-policy.ts';
import type { Notice } from '../../judge/notices.ts';
import { mayNamePast, parsePolicySetting, policyKey } from '../../judge/policy-setting.ts';
import { acceptSignal } from '../../ledger/accept.ts';
import { isStoppedFor, loadKillSwitch } from '../../ledger/kill-switch.ts';
import { actMessage } from '../../ledger/ledger.ts';
import { deniedHash, isSessionStoppedFor, loadHead, noteDenial } from '../../ledger/session-controls.ts';
import type { CodeContext, PayloadOf } from '../../operations/code-context.ts';
import { chatOfSession } from '../../signal/channels.ts';
import { chainOf } from '../../signal/ids.ts';
import { approvalKey, mcpKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { readMcpCatalogue } from '../../tools/mcp-catalogue.ts';
import { refuseSuspended, resumeSuspended } from '../suspended.ts';
import { grantSimilar, problemForTask } from './grant-similar.ts';

type ApprovalDecision = PayloadOf<'approval-decision'>;

export const answerApproval = async (context: CodeContext, payload: ApprovalDecision): Promise<Notice> => {
  const { table, gateSet, signal, now } = context;
  const { approvalId: id } = payload;
  const item = await loadItem(table, approvalKey(signal.space, id));
  const approval = item === undefined ? undefined : parseApproval(id, item);
  const stopped = await findStop(context, approval);
  const policy = parsePolicySetting(await loadItem(table, policyKey(signal.space)));
  const facts = {
    now,
    policyVersion: buildPolicyVersion(gateSet, policy?.hash ?? ''),
    isStopped: stopped !== 'nothing',
    movedFrom: await findFormerGroup(context, payload, approval),
  };
  const ruled = { context, payload, facts, stopped, policyText: policy?.text ?? '' };
  if (approval === undefined) return approvalNotices.approvalStale('unknown', undefined);
  const ofList = payload.decision === 'allow-similar' ? undefined : payload.choice;
  return ofList === undefined ? answerRuled(ruled, approval) : answerListed(ruled, approval, ofList);
};

/** A person's answer, with everything but the approval that rules on it. */
interface Ruled {
  readonly context: CodeContext;
  readonly payload: ApprovalDecision;
  readonly facts: RulingFacts;
  readonly stopped: 'space' | 'session' | 'nothing';
  readonly policyText: string;
}

const answerRuled = async (ruled: Ruled, approval: Approval): Promise<Notice> => {
  const { context, payload, facts, stopped, policyText } = ruled;
  const ruling = ruleOnApproval(approval, context.signal, facts);
  switch (ruling.kind) {
    case 'may-not':
      return approvalNotices.mayNotApprove(ruling.because, approval.id);
    case 'stale':
      return approvalNotices.approvalStale(ruling.state, approval.endedBecause);
    case 'stopped':
      return stopped === 'session'
        ? approvalNotices.approvalSessionStopped(approval.session)
        : approvalNotices.approvalStopped();
    case 'outdated':
      return expireOutdated(context, approval);
    case 'decided':
      return (
        (await showBounds(context, approval, payload)) ??
        (ruling.state === 'denied'
          ? await deny(context, approval, policyText)
          : await approve(context, approval, payload))
      );
    default:
      return ruling satisfies never;
  }
};

/**
 * A tap on the card of several calls. It decides each by its own record, as if its card had been
 * tapped, if the list is the very one whose hash the button names.
 */
const answerListed = async (
  ruled: Ruled,
  first: Approval,
  { n, at }: NonNullable<ApprovalDecision['choice']>,
): Promise<Notice> => {
  const { context, payload, facts, policyText } = ruled;
  const { table, signal, now } = context;
  const listed = (await loadListed(table, first)).map(({ approval }) => approval);
  if (payload.card === undefined || hashOfList(listed) !== at) return approvalNotices.similarStale();
  const chosen = n === ALL_LISTED ? listed : listed.slice(n, n + 1);
  const mine = chosen.filter((one) => ruleOnApproval(one, signal, facts).kind === 'decided');
  const [one = first] = mine;
  if (mine.length === 0) return answerRuled(ruled, chosen[0] ?? first);
  if (payload.decision === 'show-similar') return approvalNotices.cardFromList(one, payload.card.message);
  const isYes = payload.decision === 'approve';
  const outcome = { state: 'approved', by: signal.id, decider: signal.sender.id } as const;
  const decided: Approval[] = [];
  for (const approval of mine) {
    const settled = isYes
      ? await settleApproval(table, approval, outcome, now)
      : await noteNo(context, approval, policyText);
    if (settled.decidedBy === signal.id) decided.push(settled);
  }
  if (isYes && decided[0] !== undefined) {
    await changeCard(context, decided[0]);
    await resume(context, first);
  }
  if (!isYes) for (const denied of decided) await refuse(context, denied, 'denied', denied === decided.at(-1));
  const actions = decided.map(({ action }) => action);
  return approvalNotices.decidedAll(isYes, actions, listed.length - actions.length);
};

/** Looked up only for a card of another chat. */
const findFormerGroup = async (
  { table, signal }: CodeContext,
  { card }: ApprovalDecision,
  approval: Approval | undefined,
): Promise<string | undefined> => {
  if (card === undefined || approval?.cardChat === card.chat) return undefined;
  const { movedFrom } = (await loadHead(table, signal)) ?? {};
  return movedFrom === undefined ? undefined : chatOfSession(movedFrom);
};

/** A yes from before a stop counts no more, even after a resume. */
const findStop = async (
  { table, signal: { space, receivedAt } }: CodeContext,
  approval: Approval | undefined,
): Promise<'space' | 'session' | 'nothing'> => {
  if (isStoppedFor(await loadKillSwitch(table, space), receivedAt)) return 'space';
  const head = approval === undefined ? undefined : await loadHead(table, approval);
  return isSessionStoppedFor(head, { at: receivedAt, isApproved: true }) ? 'session' : 'nothing';
};

const choiceOf = ({ choice }: ApprovalDecision): SimilarChoice | undefined =>
  choice === undefined ? undefined : allChoices(choice.at)[choice.n];

/** Shows bounds of "allow similar…", or the card again; undefined if the payload decides. */
const showBounds = async (
  { table, signal, now }: CodeContext,
  approval: Approval,
  payload: ApprovalDecision,
): Promise<Notice | undefined> => {
  const { decision, card, choice } = payload;
  if (card !== undefined && decision === 'hide-similar') {
    const listed = await loadListed(table, approval);
    return listed.length > 0
      ? approvalNotices.listCard(listed, card)
      : approvalNotices.cardAgain(approval, card.message);
  }
  if (card !== undefined && decision === 'show-similar')
    return (await noteSimilar(table, approval, signal.receivedAt))
      ? approvalNotices.similarCard(approval, card.message, signal.receivedAt, problemForTask(approval) === '')
      : approvalNotices.approvalStale('decided', undefined);
  const chosen = choiceOf(payload);
  const isShown = choice?.at === approval.similarAt && chosen !== undefined && now < chosen.expiresAtMs;
  // The console names no choice: it shows the usual bounds beside its button.
  const isStale = approval.state === 'pending' && choice !== undefined && !isShown;
  return isStale || decision === 'show-similar' || decision === 'hide-similar'
    ? approvalNotices.similarStale()
    : undefined;
};

const deny = async (context: CodeContext, approval: Approval, policyText: string): Promise<Notice> => {
  const settled = await noteNo(context, approval, policyText);
  if (settled.decidedBy !== context.signal.id)
    return approvalNotices.approvalStale(settled.state, settled.endedBecause);
  await refuse(context, settled, 'denied');
  return approvalNotices.denied(approval.action);
};

/** @returns the approval as it stands, by this no or by an earlier answer */
const noteNo = async (context: CodeContext, approval: Approval, policyText: string): Promise<Approval> => {
  const { table, signal, now } = context;
  const { id: by, sender } = signal;
  const settled = await settleApproval(table, approval, { state: 'denied', by, decider: sender.id }, now);
  if (settled.decidedBy !== by) return settled;
  const [root = settled.signalId] = chainOf(settled.signalId);
  const denial = { hash: deniedHash(settled.action), root, at: settled.decidedAt ?? now };
  await noteDenial(table, settled, denial, now);
  // Few policies count denials.
  if (mayNamePast(policyText))
    await countDenied(
      table,
      signal.space,
      settled.action,
      targetsOf(context.webhookCalls, readMcpCatalogue(await loadItem(table, mcpKey(signal.space)))),
      {
        at: denial.at,
        id: `${settled.signalId}#${settled.n}`,
      },
    );
  return settled;
};

const approve = async (context: CodeContext, approval: Approval, payload: ApprovalDecision): Promise<Notice> => {
  const { table, signal, now } = context;
  const { id: by, sender } = signal;
  const settled = await settleApproval(table, approval, { state: 'approved', by, decider: sender.id }, now);
  if (settled.decidedBy !== by) return approvalNotices.approvalStale(settled.state, settled.endedBecause);
  await changeCard(context, settled);
  const notice = await answerYes(context, settled, payload);
  await resume(context, approval);
  return notice;
};

const resume = async ({ table, hooks, publishAct, record, now }: CodeContext, approval: Approval): Promise<void> => {
  const publish: typeof publishAct = (message, step) => publishAct(message, `${step}:${record.round}`);
  await resumeSuspended({ table, hooks, publishAct: publish, now }, approval.space, approval.signalId);
};

const answerYes = async (context: CodeContext, approval: Approval, payload: ApprovalDecision): Promise<Notice> => {
  const { decision } = payload;
  const chosen = decision === 'allow-task' ? taskChoice(context.signal.receivedAt) : choiceOf(payload);
  if (chosen?.isForTask) {
    // Few answers are one.
    const { grantForTask } = await import('./grant-for-task.ts');
    return grantForTask(context, approval, chosen, (one) => changeCard(context, one));
  }
  return decision === 'allow-similar'
    ? grantSimilar(context, approval, chosen)
    : approvalNotices.approved(approval.action);
};

/** A yes to what was asked under other rules does not count: the approval expires. */
const expireOutdated = async (context: CodeContext, approval: Approval): Promise<Notice> => {
  const by = context.signal.id;
  const outcome = { state: 'expired', by, endedBecause: 'policy' } as const;
  const settled = await settleApproval(context.table, approval, outcome, context.now);
  if (settled.decidedBy !== by) return approvalNotices.approvalStale(settled.state, settled.endedBecause);
  await refuse(context, settled, 'expired');
  return approvalNotices.approvalOutdated();
};

const refuse = async (
  context: CodeContext,
  approval: Approval,
  decision: 'denied' | 'expired',
  isLast = true,
): Promise<void> => {
  const { table, publishPerceive } = context;
  const child = await refuseSuspended(context, approval, decision, isLast);
  await changeCard(context, approval);
  if (child !== undefined) await acceptSignal({ table, publish: publishPerceive }, child);
};

/** Act has it before anything that the answer leads to: a person sees at once that it counts. */
const changeCard = async (context: CodeContext, approval: Approval): Promise<void> => {
  const update = await saveCardUpdate(context.table, context, approval);
  if (update !== undefined) await context.publishAct(actMessage(update.signal, update.decision), 'act:0');
};

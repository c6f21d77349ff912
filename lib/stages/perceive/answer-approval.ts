/** A person's answer to an approval: yes, no, or bounds. A repeat changes nothing more. */

import type { Approval } from '../../approvals/approval.ts';
import { noteSimilar, parseApproval, ruleOnApproval, settleApproval } from '../../approvals/approval.ts';
import { allChoices, type SimilarChoice, taskChoice } from '../../approvals/similar.ts';
import { approvalNotices, saveCardUpdate } from '../../judge/approval-notices.ts';
import { targetsOf } from '../../judge/gather-facts.ts';
import { buildPolicyVersion } from '../../judge/judge.ts';
import type { Notice } from '../../judge/notices.ts';
import { countDenied } from '../../judge/policy/past.ts';
import { mayNamePast, parsePolicySetting, policyKey } from '../../judge/policy/policy-setting.ts';
import { acceptSignal } from '../../ledger/accept.ts';
import { isStoppedFor, loadKillSwitch } from '../../ledger/kill-switch.ts';
import { actMessage } from '../../ledger/ledger.ts';
import { deniedHash, isSessionStoppedFor, loadHead, noteDenial } from '../../ledger/session-controls.ts';
import type { CodeContext, PayloadOf } from '../../operations/code-context.ts';
import { chatOfSession } from '../../signal/channels.ts';
import { chainOf } from '../../signal/ids.ts';
import { approvalKey, mcpKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { readMcpCatalogue } from '../../tools/mcp/catalogue.ts';
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
  const ruling = ruleOnApproval(approval, signal, {
    now,
    policyVersion: buildPolicyVersion(gateSet, policy?.hash ?? ''),
    isStopped: stopped !== 'nothing',
    movedFrom: await findFormerGroup(context, payload, approval),
  });
  if (approval === undefined) return approvalNotices.approvalStale('unknown', undefined);
  switch (ruling.kind) {
    case 'may-not':
      return approvalNotices.mayNotApprove(ruling.because, id);
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
          ? await deny(context, approval, policy?.text ?? '')
          : await approve(context, approval, payload))
      );
    default:
      return ruling satisfies never;
  }
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
  if (card !== undefined && decision === 'hide-similar') return approvalNotices.cardAgain(approval, card.message);
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
  const { table, signal, now } = context;
  const { id: by, sender } = signal;
  const settled = await settleApproval(table, approval, { state: 'denied', by, decider: sender.id }, now);
  if (settled.decidedBy !== by) return approvalNotices.approvalStale(settled.state, settled.endedBecause);
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
  await refuse(context, settled, 'denied');
  return approvalNotices.denied(approval.action);
};

const approve = async (context: CodeContext, approval: Approval, payload: ApprovalDecision): Promise<Notice> => {
  const { table, publishAct, signal, record, now } = context;
  const { id: by, sender } = signal;
  const settled = await settleApproval(table, approval, { state: 'approved', by, decider: sender.id }, now);
  if (settled.decidedBy !== by) return approvalNotices.approvalStale(settled.state, settled.endedBecause);
  await changeCard(context, settled);
  const notice = await answerYes(context, settled, payload);
  const publish: typeof publishAct = (message, step) => publishAct(message, `${step}:${record.round}`);
  await resumeSuspended({ table, publishAct: publish, now }, approval.space, approval.signalId);
  return notice;
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

const refuse = async (context: CodeContext, approval: Approval, decision: 'denied' | 'expired'): Promise<void> => {
  const { table, publishPerceive } = context;
  const child = await refuseSuspended(context, approval, decision);
  await changeCard(context, approval);
  if (child !== undefined) await acceptSignal({ table, publish: publishPerceive }, child);
};

/** Act has it before anything that the answer leads to: a person sees at once that it counts. */
const changeCard = async (context: CodeContext, approval: Approval): Promise<void> => {
  const update = await saveCardUpdate(context.table, context, approval);
  if (update !== undefined) await context.publishAct(actMessage(update.signal, update.decision), 'act:0');
};

/**
 * Reflexes: what code answers by itself, at zero tokens and without waiting for a running turn. Each gives the notices
 * to send; what one changes, it changes so that a repeated message changes nothing more.
 */
import type { Approval } from '../../approvals/approval.ts';
import { noteSimilar, parseApproval, ruleOnApproval, settleApproval } from '../../approvals/decide-approval.ts';
import { similarChoices } from '../../approvals/similar.ts';
import { PENDING_APPROVALS_MAX } from '../../base/limits.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { loadPolicyVersion } from '../../judge/judge.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { saveCardUpdate } from '../../judge/notify.ts';
import { stopsItsOwn } from '../../ledger/command-rights.ts';
import { isStoppedFor, loadKillSwitch, setKillSwitch } from '../../ledger/kill-switch.ts';
import { identityOf, ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import { parseHead } from '../../ledger/session.ts';
import {
  deniedHash,
  isSessionStoppedFor,
  loadHead,
  loadStoppedSessions,
  noteDenial,
  resumeSession,
  stopSession,
} from '../../ledger/session-controls.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../log/restore-state.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import { parseDaySpend, spendKey } from '../../money/day-spend.ts';
import { budgetLines } from '../../money/describe-spending.ts';
import { chainOf } from '../../signal/ids.ts';
import type { ActMessage, PerceiveMessage } from '../../signal/messages.ts';
import type { Signal } from '../../signal/signal.ts';
import { approvalKey, indexPartitions, sessionKey, signalKeys } from '../../store/keys.ts';
import { loadItem, loadNamed } from '../../store/load-named.ts';
import type { Publish } from '../../store/queue.ts';
import type { Item, Table } from '../../store/table.ts';
import { explainSignal } from '../explain/explain.ts';
import { refuseSuspended, resumeSuspended } from '../suspended.ts';
import { parseCostPeriod, reportCost } from './cost.ts';
import { answerGrantCommand, grantSimilar } from './grant-commands.ts';
import { answerMemoryChats } from './memory-chats.ts';
import { answerModelCommand } from './model-command.ts';
import { answerIdentityCommand, answerSkillCommand } from './owner-commands.ts';

export interface ReflexDeps {
  readonly table: Table;
  readonly publishAct: (message: ActMessage, step: string) => Promise<void>;
  /** Accepts a signal that a decision caused. */
  readonly accept: (signal: Signal) => Promise<unknown>;
  readonly publish: Publish<PerceiveMessage>;
  /** Publishes a notice that is stored with its decision. */
  readonly publishNotice: (signal: Signal) => Promise<void>;
  readonly gateSet: GateSet;
  readonly now: number;
  readonly assistant: string;
  readonly caps: BudgetCaps;
}

/** @returns what to say; empty when nothing is to be said. */
export const answerReflex = async (deps: ReflexDeps, signal: Signal): Promise<readonly Notice[]> => {
  const { payload } = signal;
  switch (payload.sensor) {
    case 'command':
      return [await answerCommand(deps, signal, payload.name, payload.rest)];
    case 'interrupt':
      return [await answerStop(deps, signal)];
    case 'resume':
      return answerResume(deps, signal);
    case 'approval-decision':
      return [await answerApproval(deps, signal)];
    case 'send-again': {
      const { answerSendAgain } = await import('./send-again.ts');
      return [await answerSendAgain(deps, signal)];
    }
    case 'over-quota':
      return [notices.overQuota(payload.account, payload.limit, signal.sender.id)];
    case 'unpaired-chat':
      return [notices.unpaired()];
    case 'pairing':
      return [payload.outcome === 'paired' ? notices.paired() : notices.wrongCode()];
    default:
      return [];
  }
};

/**
 * The stop of an untrusted script is one of its own conversation; all others were set at the door.
 */
const answerStop = async (deps: ReflexDeps, signal: Signal): Promise<Notice> => {
  if (!stopsItsOwn(signal)) return notices.stopped();
  const head = await loadHead(deps.table, signal);
  await stopSession(deps.table, signal, head, { because: 'asked', by: signal.id }, deps.now);
  return notices.stoppedHere(signal.session);
};

const answerCommand = async (deps: ReflexDeps, signal: Signal, name: string, rest: string): Promise<Notice> => {
  switch (name) {
    case 'help':
    case 'start':
      return notices.help(await assistantName(deps, signal));
    case 'status':
      return notices.status(await statusLines(deps, signal));
    case 'budget': {
      const { space, session } = signal;
      const items = await loadNamed(deps.table, {
        spend: spendKey(space, deps.now),
        head: sessionKey(space, session),
      });
      const of = { session, head: items.head === undefined ? undefined : parseHead(session, items.head).spend };
      return notices.budget(budgetLines(parseDaySpend(items.spend), deps.caps, deps.now, of));
    }
    case 'cost': {
      const [word = '', ...name] = rest.trim().split(/\s+/);
      const period = parseCostPeriod(word);
      if (period === undefined || (period !== 'job' && name.length > 0))
        return notices.usage('/cost [day | week | session | job [name]]');
      const of = period === 'job' ? name.join(' ') : signal.session;
      return notices.cost((await reportCost(deps.table, signal.space, deps.now, period, of)).lines);
    }
    case 'model':
      return answerModelCommand(deps.table, signal, rest.trim());
    case 'identity':
      return answerIdentityCommand(deps.table, signal, rest.trim());
    case 'memory':
      return answerMemoryChats(deps.table, signal, rest);
    case 'skill':
      return answerSkillCommand(deps.table, signal, rest.trim());
    case 'pair':
      // The code that opened this chat, come again after a crash, or a further one: the chat is open either way.
      return signal.source === 'telegram' ? notices.paired() : notices.unknownCommand(name);
    case 'why':
      return notices.why(await whyLines(deps, signal, rest.trim()));
    case 'grants':
    case 'revoke':
    case 'grant-add':
      return answerGrantCommand(deps, signal, name, rest.trim());
    case 'resume':
      return notices.resumeUsage();
    default:
      return notices.unknownCommand(name.replace(/[^a-z0-9_-]/giu, '').slice(0, 32));
  }
};

/** Help is given even where the settings cannot be read. */
const assistantName = async ({ table, assistant }: ReflexDeps, { space }: Signal): Promise<string> => {
  const item = await loadItem(table, ownerSettingsKey(space));
  return identityOf(readOwnerSettings(item), { assistant, user: '' }).assistant;
};

const answerResume = async (deps: ReflexDeps, signal: Signal): Promise<readonly Notice[]> => {
  if (!signal.sender.isApprover) return [notices.mayNotResume()];
  const named = signal.payload.sensor === 'resume' ? signal.payload.session : undefined;
  if (named !== undefined) return [await resumeNamed(deps, signal, named)];
  const said = await resumeSpace(deps, signal);
  const own = await resumeSession(deps.table, signal, signal.receivedAt, deps.now);
  return own === 'resumed' ? [said, notices.sessionResumed(signal.session)] : [said];
};

const resumeNamed = async (deps: ReflexDeps, signal: Signal, session: string): Promise<Notice> => {
  const outcome = await resumeSession(deps.table, { space: signal.space, session }, signal.receivedAt, deps.now);
  switch (outcome) {
    case 'resumed':
      return notices.sessionResumed(session);
    case 'not-stopped':
      return notices.sessionNotStopped(session);
    case 'outdated':
      return notices.sessionStoppedAgain(session);
    default:
      return outcome satisfies never;
  }
};

const resumeSpace = async (deps: ReflexDeps, signal: Signal): Promise<Notice> => {
  const restore = await loadRestoreState(deps.table, signal.space);
  if (restore !== undefined && isForgetting(restore)) return notices.stillForgetting(describeForgetting(restore));
  const outcome = await setKillSwitch(deps.table, signal.space, {
    isStopped: false,
    by: signal.sender.id,
    at: signal.receivedAt,
  });
  return outcome === 'applied' ? notices.resumed() : await stateNotice(deps, signal);
};

/** A resume that was not written: a later stop holds, or an earlier delivery of this same resume was. */
const stateNotice = async (deps: ReflexDeps, signal: Signal): Promise<Notice> =>
  (await isStopped(deps.table, signal.space)) ? notices.isStopped() : notices.resumed();

const isStopped = async (table: Table, space: string): Promise<boolean> =>
  (await loadKillSwitch(table, space))?.isStopped ?? false;

const answerApproval = async (deps: ReflexDeps, signal: Signal): Promise<Notice> => {
  if (signal.payload.sensor !== 'approval-decision') return notices.approvalStale('unknown');
  const id = signal.payload.approvalId;
  const item = await loadItem(deps.table, approvalKey(signal.space, id));
  const approval = item === undefined ? undefined : parseApproval(id, item);
  const held = await holdsOf(deps.table, signal, approval);
  const ruling = ruleOnApproval(approval, signal, {
    now: deps.now,
    policyVersion: await loadPolicyVersion(deps.table, signal.space, deps.gateSet),
    isStopped: held !== 'nothing',
  });
  if (approval === undefined) return notices.approvalStale('unknown');
  switch (ruling.kind) {
    case 'may-not':
      return notices.mayNotApprove();
    case 'stale':
      return notices.approvalStale(ruling.state);
    case 'stopped':
      return held === 'session' ? notices.approvalSessionStopped(approval.session) : notices.approvalStopped();
    case 'outdated':
      return expireOutdated(deps, approval, signal);
    case 'decided':
      return (await chooseSimilar(deps, approval, signal)) ?? applyDecision(deps, approval, ruling.state, signal);
    default:
      return ruling satisfies never;
  }
};

/**
 * The way to a choice of bounds and back, and a choice that is not the one shown: all of them
 * decide nothing.
 */
const chooseSimilar = async (
  deps: ReflexDeps,
  approval: Approval,
  { payload, receivedAt: at }: Signal,
): Promise<Notice | undefined> => {
  if (payload.sensor !== 'approval-decision') return undefined;
  const { decision, card, choice } = payload;
  if (card !== undefined && decision === 'hide-similar') return notices.cardAgain(approval, card.message);
  if (card !== undefined && decision === 'show-similar')
    return (await noteSimilar(deps.table, approval, at))
      ? notices.similarCard(approval, card.message, at)
      : notices.approvalStale('decided');
  const chosen = choice === undefined ? undefined : similarChoices(choice.at)[choice.n];
  const isShown = choice?.at === approval.similarAt && chosen !== undefined && deps.now < chosen.expiresAtMs;
  // The console names no choice: it shows the usual bounds beside its button.
  const isStale = approval.state === 'pending' && choice !== undefined && !isShown;
  return isStale || decision === 'show-similar' || decision === 'hide-similar' ? notices.similarStale() : undefined;
};

/** Whether space or conversation are stopped, or were since it was said: a yes from before a stop is not revived by a resume. */
const holdsOf = async (
  table: Table,
  { space, receivedAt }: Signal,
  approval: Approval | undefined,
): Promise<'space' | 'session' | 'nothing'> => {
  if (isStoppedFor(await loadKillSwitch(table, space), receivedAt)) return 'space';
  const head = approval === undefined ? undefined : await loadHead(table, approval);
  return isSessionStoppedFor(head, receivedAt) ? 'session' : 'nothing';
};

const applyDecision = async (
  deps: ReflexDeps,
  approval: Approval,
  state: 'approved' | 'denied',
  { id: by, sender, payload }: Signal,
): Promise<Notice> => {
  const isSimilar = payload.sensor === 'approval-decision' && payload.decision === 'allow-similar';
  const choice = isSimilar ? payload.choice : undefined;
  const chosen = choice === undefined ? undefined : similarChoices(choice.at)[choice.n];
  const settled = await settleApproval(deps.table, approval, { state, by, decider: sender.id }, deps.now);
  if (settled.decidedBy !== by) return notices.approvalStale(settled.state);
  if (state === 'denied') {
    const [root = settled.signalId] = chainOf(settled.signalId);
    const denial = { hash: deniedHash(settled.action), root, at: settled.decidedAt ?? deps.now };
    await noteDenial(deps.table, settled, denial, deps.now);
    await refuse(deps, settled, 'denied');
    return notices.denied();
  }
  await changeCard(deps, settled);
  const said = isSimilar ? await grantSimilar(deps, settled, { id: by, sender }, chosen) : notices.approved();
  await resumeSuspended(deps, approval.space, approval.signalId);
  return said;
};

/** Nobody's yes to what was asked under other rules counts: it ends, and its card says so. */
const expireOutdated = async (deps: ReflexDeps, approval: Approval, { id: by }: Signal): Promise<Notice> => {
  const outcome = { state: 'expired', by, endedBecause: 'policy' } as const;
  const settled = await settleApproval(deps.table, approval, outcome, deps.now);
  if (settled.decidedBy !== by) return notices.approvalStale(settled.state);
  await refuse(deps, settled, 'expired');
  return notices.approvalOutdated();
};

const refuse = async (deps: ReflexDeps, approval: Approval, decision: 'denied' | 'expired'): Promise<void> => {
  const child = await refuseSuspended(deps.table, approval, decision, deps.now);
  await changeCard(deps, approval);
  if (child !== undefined) await deps.accept(child);
};

/** Published before anything the decision leads to, so that the card's next change comes after this one. */
const changeCard = async (deps: ReflexDeps, approval: Approval): Promise<void> => {
  const update = await saveCardUpdate(deps.table, { gateSet: deps.gateSet, now: deps.now }, approval);
  if (update !== undefined) await deps.publishNotice(update);
};

const statusLines = async (deps: ReflexDeps, signal: Signal): Promise<readonly string[]> => {
  const head = await loadItem(deps.table, sessionKey(signal.space, signal.session));
  const session = head === undefined ? undefined : parseHead(signal.session, head);
  const approvals = await deps.table.queryIndex({
    index: 'unfinished',
    partition: indexPartitions.pendingApprovals(signal.space),
    limit: PENDING_APPROVALS_MAX,
  });
  const unknown = await deps.table.queryIndex({
    index: 'unfinished',
    partition: indexPartitions.unknownEffects(signal.space),
    limit: PENDING_APPROVALS_MAX,
  });
  const last = session?.recent?.at(-1);
  const elsewhere = (await loadStoppedSessions(deps.table, signal.space)).filter((name) => name !== signal.session);
  return [
    (await isStopped(deps.table, signal.space))
      ? 'Stopped: nothing is done until an approver sends /resume.'
      : 'Running.',
    ...(session?.stoppedBecause === undefined
      ? []
      : ['This conversation is stopped: too much was blocked or asked here. An approver can send /resume.']),
    ...(elsewhere.length === 0 ? [] : [`Stopped conversations: ${elsewhere.join(', ')} (/resume <conversation>).`]),
    session?.turn === undefined ? 'No task is running in this conversation.' : `Working on ${session.turn}.`,
    `${session?.mailbox?.length ?? 0} messages waiting here, ${approvals.items.length} approvals open.`,
    ...unknown.items.map(
      (item) =>
        `Outcome unknown: ${effectName(item)} (resolve it: npx passepartout effects resolve ${effectName(item)} done|retry)`,
    ),
    ...(last === undefined ? [] : [`Last task: ${last} (/why ${last})`]),
  ];
};

/** `signal#<space>#<id>` and `effect#<n>` → `<id>#<n>`. */
const effectName = (item: Item): string =>
  `${String(item.pk).split('#').slice(2).join('#')}#${String(item.sk).split('#')[1] ?? ''}`;

const whyLines = async (deps: ReflexDeps, signal: Signal, wanted: string): Promise<readonly string[]> => {
  const [head] = wanted === '' ? await deps.table.load([sessionKey(signal.space, signal.session)]) : [];
  const id = wanted !== '' ? wanted : head === undefined ? undefined : parseHead(signal.session, head).recent?.at(-1);
  if (id === undefined) return ['There is no earlier task in this conversation yet.'];
  const page = await deps.table.query({ pk: signalKeys.partition(signal.space, id), limit: 50 });
  return explainSignal(id, page.items, signal);
};

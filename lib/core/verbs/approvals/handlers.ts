/**
 * The answers to the verbs of what a person allows. A yes or no in words takes the way of a tap on
 * the card, so the card's chat, the approver, the rules and a stop are checked as there (I5). The
 * console cannot write a grant: what it is sent becomes a signal, and Perceive decides from who
 * sent it. A repeat changes nothing more.
 */

import {
  type Approval,
  type FlightStage,
  findTypedIn,
  parseApproval,
  shortIdOf,
  stageOf,
} from '../../approvals/approval.ts';
import { asShown } from '../../approvals/as-shown.ts';
import { toolOf } from '../../approvals/count-answers.ts';
import { type Grant, isUsable } from '../../approvals/grant.ts';
import { buildGrant, loadGrants, revokeGrant, uncountGrants } from '../../approvals/grants.ts';
import { showPlainly } from '../../approvals/show-plainly.ts';
import { similarProblem } from '../../approvals/similar.ts';
import { defined } from '../../base/defined.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import type { Language } from '../../base/language.ts';
import { approvalNotices } from '../../judge/approval-notices.ts';
import { buildCardLines, type CardWords, cardWords, describeGrant } from '../../judge/card.ts';
import { loadPolicyVersion } from '../../judge/judge.ts';
import { loadPolicyHash } from '../../judge/policy-setting.ts';
import { countLearned } from '../../judge/rules-learned.ts';
import { loadWaitingHere, lookAtWaiting } from '../../judge/waiting-approvals.ts';
import { isDestroying } from '../../ledger/old-sentences.ts';
import { say as answer, type CodeAnswer, type CodeContext, type PayloadOf } from '../../operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../operations/operation.ts';
import type { Action } from '../../signal/action.ts';
import { chatOf, isGroup, sendsMessages } from '../../signal/channels.ts';
import { isRunnerTool } from '../../signal/runner-tools.ts';
import { answerApproval } from '../../stages/perceive/answer-approval.ts';
import { effectsOfTool, problemForTask, saveCounted } from '../../stages/perceive/grant-similar.ts';
import { approvalKey, indexPartitions } from '../../store/keys.ts';
import { loadIndexed, loadItem } from '../../store/load-named.ts';
import { readOrSkip } from '../../store/parse-stored.ts';
import { loadLazy } from '../signals/findings.ts';
import { type AskedFigures, daysOf, loadFigures, ratesOf } from './load-figures.ts';
import {
  approvals,
  approve,
  deny,
  grants,
  grantsAdd,
  questions,
  revoke,
  type ShownApproval,
  type ShownGrant,
} from './operations.ts';
import { type ApprovalTexts, approvalTexts } from './texts.ts';

/** Flight plans that one answer lists, the newest first. */
const PLANS_MAX = 100;
/** Tools and persons that figures name, those with the most quick yeses first. */
const ROWS_SHOWN = 10;

const showApproval = (approval: Approval, stage: FlightStage, isApprover: boolean, say: CardWords): ShownApproval => {
  const { id, signalId, n, session, reasons, asks, requester, taintSource, costs } = approval;
  const { decider, decidedAt, spentAt, createdAt, expiresAtMs: expiresAt } = approval;
  const { card: _, ...action } = asShown(approval);
  const { sentence, unusual, rest } = buildCardLines(approval, say);
  const taskProblem = problemForTask(approval);
  return {
    ...(isApprover ? { id } : {}),
    ...{ signalId, n, session, action, sentence, unusual: [...unusual], rest: [...rest] },
    ...{ similarProblem: similarProblem(approval), taskProblem, reasons },
    aboutTask: taskProblem === '' ? say.aboutTask(approval) : '',
    ...defined({ asks, requester, taintSource, costs, decider, decidedAt, spentAt }),
    ...{ stage, createdAt, expiresAt, destroys: isDestroying(approval) },
  };
};

interface Plan {
  readonly approval: Approval;
  readonly stage: FlightStage;
}

/** Those that wait; or all there ever were, or those in one state, newest first. */
const loadPlans = async (
  { table, space, now }: LookContext,
  state?: string,
): Promise<{ readonly plans: readonly Plan[]; readonly unread: number }> => {
  if (state === undefined) {
    const { approvals: waiting, unread } = await lookAtWaiting(table, space, now);
    return { plans: waiting.map((approval) => ({ approval, stage: 'PLAN' })), unread };
  }
  const policyHash = await loadPolicyHash(table, space);
  const partition = indexPartitions.approvalFeed(space);
  const page = await loadIndexed(table, { index: 'feed', partition, isDescending: true, limit: PLANS_MAX });
  const found = page.items.flatMap((item) => readOrSkip(item, (known) => parseApproval('of the feed', known)) ?? []);
  const plans = found
    .map((approval) => ({ approval, stage: stageOf(approval, now, policyHash) }))
    .filter(({ stage }) => state === 'all' || stage.toLowerCase() === state);
  return { plans, unread: page.items.length - found.length };
};

/** Tools whose argument `name` names a job, a skill or a machine. */
const NAMES_ONE = /-(?:job|skill|skill-jobs|runner)$/;

/** `job drink-water: every 10 minutes …`, `run runbook deploy-gate`, `call webhook shop`. */
const nameCall = async ({ tool, to, args = {} }: Action, language: Language, say: ApprovalTexts): Promise<string> => {
  const { FEATURE_VIEWS } = await loadLazy();
  for (const one of FEATURE_VIEWS) {
    const name = await one.nameCall?.(tool ?? '', args, language);
    if (name !== undefined) return name;
  }
  const words = tool === undefined ? say.textTo : say.tool(tool);
  const one =
    to ??
    args.runbook ??
    args.skill ??
    args.server ??
    (tool !== undefined && NAMES_ONE.test(tool) ? args.name : undefined);
  return typeof one === 'string' ? `${words} ${showPlainly(one)}` : words;
};

/** The action without words: its name, machine, and whether it destroys. */
const nameAction = async (approval: Approval, language: Language, say: ApprovalTexts): Promise<string> => {
  const { action } = approval;
  const { tool, args = {} } = action;
  const machine = typeof args.runner === 'string' && isRunnerTool(tool) ? say.onMachine(args.runner) : '';
  const name = `${await nameCall(action, language, say)}${machine}`;
  return isDestroying(approval) ? `${name}${say.destroys}` : name;
};

/** Names no words of an action: a stored answer would hold what is forgotten later. */
const lineOf = async (
  approval: Approval,
  stage: FlightStage,
  { now, asker, standing, language }: LookContext,
  say: ApprovalTexts,
): Promise<string> => {
  const short = shortIdOf(approval.id);
  const isElsewhere =
    asker !== undefined && sendsMessages(asker.reply.target) && approval.cardChat !== chatOf(asker.reply);
  const how = isElsewhere ? say.elsewhere(short, approval.cardChat !== undefined) : `/approve ${short}, /deny ${short}`;
  const line = say.asked(await nameAction(approval, language, say), now - approval.createdAt, approval.session);
  if (standing !== 'approver') return line;
  return `${short}: ${line} – ${stage === 'PLAN' ? how : say.stage(stage)}`;
};

/** Lines of several calls may look alike, and a chat has its cards far above. */
const mayLookAlike = ({ asker }: LookContext, state: string | undefined, { length }: readonly Plan[]): boolean =>
  state === undefined && length > 1 && asker !== undefined && sendsMessages(asker.reply.target);

const decide = async (
  context: CodeContext,
  name: 'approve' | 'deny',
  decision: 'approve' | 'deny' | 'allow-similar' | 'allow-task',
  typed: string | undefined,
): Promise<CodeAnswer> => {
  const { table, signal, now } = context;
  if (typed === undefined) return answer(approvalNotices.waitingHere(name, await loadWaitingHere(table, signal, now)));
  const approvalId = await findTypedIn(table, indexPartitions.approvalFeed(signal.space), typed);
  if (approvalId === undefined) return answer(approvalNotices.noSuchApproval(name));
  // No card is changed by its number: only "allow similar…" needs one.
  const card = sendsMessages(signal.reply.target) ? { chat: chatOf(signal.reply), message: 0 } : undefined;
  const payload: PayloadOf<'approval-decision'> = {
    sensor: 'approval-decision',
    approvalId,
    decision,
    ...defined({ card }),
  };
  return answer(await answerApproval({ ...context, signal: { ...signal, payload } }, payload));
};

const showGrant = (grant: Grant, say: ApprovalTexts): ShownGrant => ({
  id: grant.id,
  description: describeGrant(grant, say.grant),
  target: grant.target,
  ...defined({ tool: grant.tool }),
  uses: grant.uses,
  usesMax: grant.usesMax,
  createdAt: grant.createdAt,
  expiresAt: grant.expiresAtMs,
  createdBy: grant.createdBy,
  ...defined({ session: grant.askedIn ?? grant.session, taintSource: grant.taintSource }),
});

const figuresLines = (figures: AskedFigures, now: number, say: ApprovalTexts): readonly string[] => {
  const { asked, yes, quick, rows } = figures;
  if (asked === 0) return [say.notAsked];
  const quickest = rows.filter((row) => row.quick > 0).slice(0, 1);
  return [
    say.figures(asked, daysOf(figures, now), ratesOf(figures, now)),
    say.yeses(yes, quick),
    ...rows.slice(0, ROWS_SHOWN).map((row) => say.row(toolOf(row), row.decider, row)),
    ...quickest.map((row) => say.spared[row.grantable](toolOf(row))),
  ];
};

export const APPROVAL_HANDLERS: readonly Handler[] = [
  look(approvals, async (context, { state }) => {
    const isApprover = context.standing === 'approver';
    const say = await approvalTexts.in(context.language);
    const words = await cardWords.in(context.language);
    const { plans: found, unread } = await loadPlans(context, state);
    const unreadLines = unread === 0 ? [] : [say.unread(unread)];
    const lines = await Promise.all(found.map(({ approval, stage }) => lineOf(approval, stage, context, say)));
    return {
      data: {
        approvals: found.map(({ approval, stage }) => showApproval(approval, stage, isApprover, words)),
        ...defined({ unread: unread === 0 ? undefined : unread }),
        role: isApprover ? ('approver' as const) : ('script' as const),
      },
      lines:
        lines.length === 0
          ? [unreadLines[0] ?? say.none]
          : [
              ...(state === undefined ? [say.waiting] : []),
              ...lines,
              ...unreadLines,
              say.cards(mayLookAlike(context, state, found)),
            ],
    };
  }),
  look(questions, async (context) => {
    const figures = await loadFigures(context);
    return {
      data: { ...figures, ...ratesOf(figures, context.now), rows: figures.rows.map((row) => ({ ...row })) },
      lines: figuresLines(figures, context.now, await approvalTexts.in(context.language)),
    };
  }),
  change(approve, (context, { approval, similar, task }) => {
    const more = task === true ? 'allow-task' : similar === true ? 'allow-similar' : undefined;
    return decide(context, 'approve', more ?? 'approve', approval);
  }),
  change(deny, (context, { approval }) => decide(context, 'deny', 'deny', approval)),
  look(grants, async ({ table, space, now, asker, session, language }) => {
    const say = await approvalTexts.in(language);
    const usable = (await loadGrants(table, space)).filter((grant) => isUsable(grant, now));
    // In a group others read along.
    const isOfHere = (grant: Grant): boolean =>
      asker === undefined || !isGroup(asker.reply) || (grant.askedIn ?? grant.session) === session;
    const here = usable.filter(isOfHere);
    const elsewhere = usable.length - here.length;
    return {
      data: {
        grants: here.map((grant) => showGrant(grant, say)),
        ...defined({ learned: await countLearned(table, space, now) }),
      },
      lines: [
        ...(usable.length === 0 ? [say.noGrant] : here.map((grant) => describeGrant(grant, say.grant))),
        ...(elsewhere === 0 ? [] : [say.otherGrants(elsewhere)]),
      ],
    };
  }),
  change(grantsAdd, async (context, { from, ...wish }) => {
    const { table, signal, gateSet, now } = context;
    const say = await approvalTexts.in(context.language);
    const { space } = signal;
    const id = (await findTypedIn(table, indexPartitions.approvalFeed(space), from)) ?? from;
    const item = await loadItem(table, approvalKey(space, id));
    if (item === undefined) throw new NotFoundError(say.noApproval);
    const approval = parseApproval(id, item);
    if (approval.policyVersion !== (await loadPolicyVersion(table, space, gateSet)))
      throw new ProtocolError(say.rulesChanged);
    const grant = buildGrant(approval, effectsOfTool(approval.action), wish, signal, now);
    const problem = typeof grant === 'string' ? grant : await saveCounted(context, grant);
    if (typeof grant === 'string' || problem !== '') throw new ProtocolError(problem);
    return answer(approvalNotices.grantAdded(describeGrant(grant, say.grant)));
  }),
  change(revoke, async ({ table, signal: { space, sender }, language }, { grant }) => {
    if (!(await revokeGrant(table, space, grant, sender.id)))
      throw new NotFoundError((await approvalTexts.in(language)).noSuchGrant);
    await uncountGrants(table, space, [grant]);
    return answer(approvalNotices.revoked(grant));
  }),
];

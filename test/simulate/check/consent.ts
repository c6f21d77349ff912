/**
 * What people allowed, against what was done (I5, I13, I14, the kill switch): each call has a yes
 * of its own by an approver, given before it; a denied or ignored card leads to nothing; and what
 * was decided before a stop never begins after it.
 */
import type { Sent } from '../types.ts';
import { type Effect, verdictOf } from './evidence.ts';
import { type Fields, fieldsOf, hashOf, listOf, numberOf, textOf } from './json.ts';
import { acceptedAt, type HookCall, idsOf, markerOf, PERFORMED, type Rule, type Run, rootOf } from './run.ts';
import { CLAIM_MS_MAX } from './visible.ts';

const answerTo = ({ cardAnswers }: Run, marker: string): Sent | undefined =>
  cardAnswers.find((sent) => markerOf(sent) === marker);

const saidIn = ({ step }: Sent): string | undefined => (step.kind === 'message' ? step.card?.answer : undefined);

const inputOf = ({ inputs }: Run, signalId: string): Sent | undefined =>
  inputs.find((sent) => sent.signalId === rootOf(signalId));

const isAsked = ({ judged, fixed }: Effect): boolean =>
  judged?.outcome === 'ask' || listOf(fixed.trace).some((entry) => verdictOf(entry) === 'ask');

const checkSpent = ({ evidence, observed }: Run, effect: Effect): readonly string[] => {
  const { id, signalId, n, fixed } = effect;
  const approval = evidence.approvals.get(textOf(fixed.approval));
  if (approval === undefined) return [`${id} was performed without an approval`];
  const { skewMs, configured } = observed;
  const [decidedAt, spentAt] = [numberOf(approval.decidedAt), numberOf(approval.spentAt)];
  return [
    ...(approval.signalId === signalId && approval.n === n && approval.actionHash === fixed.actionHash
      ? []
      : [`${id} was performed with the approval of another action`]),
    ...(approval.state === 'spent' ? [] : [`${id} was performed, and its approval is ${textOf(approval.state)}`]),
    ...(decidedAt > 0 && decidedAt <= spentAt + 2 * skewMs
      ? []
      : [`${id} was performed before its approval was given`]),
    ...(spentAt < numberOf(approval.expiresAt) ? [] : [`${id} was performed after its approval had expired`]),
    ...(configured.approvers.includes(textOf(approval.decider)) ? [] : [`${id} was approved by no approver`]),
  ];
};

/** The yes as it was sent, not as the export has it. */
const checkGiven = (run: Run, call: HookCall): readonly string[] => {
  const marker = textOf(fieldsOf(call.effects[0]?.judged?.action?.args).body) || markerIn(call);
  const answer = answerTo(run, marker);
  const said = answer === undefined ? 'nothing' : saidIn(answer);
  if (said !== 'approve')
    return [`the call ${call.body} was made at ${call.at}, and its card was answered with ${said}`];
  const firstTry = answer?.tries[0]?.at ?? Number.POSITIVE_INFINITY;
  return firstTry <= call.at ? [] : [`the call ${call.body} was made at ${call.at}, before its card was answered`];
};

const markerIn = ({ effects }: HookCall): string =>
  textOf(fieldsOf(fieldsOf(effects[0]?.judged?.action?.args).body).marker);

const checkOwner = (run: Run, call: HookCall): readonly string[] => {
  const wrong = call.effects.filter(({ signalId }) => {
    const input = inputOf(run, signalId);
    return input === undefined || markerOf(input) !== markerIn(call);
  });
  return wrong.map(({ id }) => `${id} calls the webhook for ${markerIn(call)}, which its turn is not about`);
};

const checkSpentOnce = ({ evidence }: Run): readonly string[] => {
  const spentOn = new Map<string, string>();
  const wrong: string[] = [];
  for (const { id, state, fixed } of evidence.effects.values()) {
    const approval = textOf(fixed.approval);
    if (approval === '' || !PERFORMED.includes(state)) continue;
    const other = spentOn.get(approval);
    if (other !== undefined) wrong.push(`one approval was spent on ${other} and on ${id}`);
    spentOn.set(approval, id);
  }
  return wrong;
};

export const approved: Rule = {
  name: 'approved',
  promise: 'Each call that asks a person has a yes of its own, given before it and spent on it alone (I5).',
  check: (run) => {
    const asked = [...run.evidence.effects.values()].filter((one) => PERFORMED.includes(one.state) && isAsked(one));
    return [
      ...asked.filter(({ fixed }) => fixed.grant === undefined).flatMap((effect) => checkSpent(run, effect)),
      ...run.hookCalls
        .filter((call) => markerIn(call) !== '')
        .flatMap((call) => [...checkGiven(run, call), ...checkOwner(run, call)]),
      ...checkSpentOnce(run),
    ];
  },
};

/** What a chat was shown before the tap: how often, and until when. */
const BOUNDS = /"(\d+) more times until (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC"/;
const MINUTE_MS = 60_000;

/** The bounds of the first choice, in the order in which they were shown. */
const boundsIn = ({ messages }: Run, chat: string) =>
  messages.flatMap(({ chat: shownIn, receipt, at }) => {
    const [, uses, day, time] = BOUNDS.exec(receipt.request.body) ?? [];
    // The text names the minute in which it ends.
    const until = Date.parse(`${day}T${time}Z`) + MINUTE_MS;
    return uses === undefined || shownIn !== chat ? [] : [{ uses: Number(uses), until, at }];
  });

const checkGrant = (run: Run, grant: string, effects: readonly Effect[]): readonly string[] => {
  const { skewMs } = run.observed;
  const chats = new Set(
    effects.map(({ signalId }) => {
      const step = inputOf(run, signalId)?.step;
      return step?.kind === 'message' && step.via === 'telegram' ? step.conversation : '';
    }),
  );
  const [chat = ''] = chats;
  const bounds = boundsIn(run, chat);
  const [most, until] = [
    Math.max(0, ...bounds.map(({ uses }) => uses)),
    Math.max(0, ...bounds.map((one) => one.until)),
  ];
  const taps = run.cardAnswers.filter(
    (sent) => saidIn(sent) === 'similar' && sent.step.kind === 'message' && sent.step.conversation === chat,
  );
  const firstTap = Math.min(Number.POSITIVE_INFINITY, ...taps.flatMap(({ tries }) => tries.map(({ at }) => at)));
  return [
    ...(chats.size > 1 ? [`the grant ${grant} of one chat was used in ${chats.size}`] : []),
    ...(effects.length > most
      ? [`the grant ${grant} was used ${effects.length} times, and its card said ${most}`]
      : []),
    ...effects
      .filter(({ claimedAt }) => claimedAt > until + skewMs || claimedAt < firstTap - skewMs)
      .map(({ id }) => `${id} was performed under the grant ${grant}, outside the time that its card said`),
    ...effects
      .filter(({ judged }) => fieldsOf(fieldsOf(judged?.action?.args).body).round === undefined)
      .map(({ id }) => `${id} was performed under the grant ${grant}, which is for another action`),
  ];
};

const rowsOf = ({ observed: { rows = {} } }: Run, kind: 'approval' | 'grant'): readonly Fields[] =>
  Object.entries(rows).flatMap(([name, row]) => (name.startsWith(`${kind}#`) && name.endsWith(' record') ? [row] : []));

/** A yes to similar calls makes a grant, and a grant in force leaves nothing to ask. */
const checkAsked = (run: Run): readonly string[] => {
  const grants = rowsOf(run, 'grant');
  const slackMs = 2 * run.observed.skewMs + CLAIM_MS_MAX;
  return rowsOf(run, 'approval').flatMap((approval) => {
    const signalId = textOf(approval.signalId);
    const input = inputOf(run, signalId);
    const answer = input === undefined ? undefined : answerTo(run, markerOf(input));
    const isSimilar = answer !== undefined && saidIn(answer) === 'similar';
    const isGiven = approval.state === 'approved' || approval.state === 'spent';
    const isMade = grants.some(({ fromSignal }) => fromSignal === signalId);
    const at = run.evidence.decisions.get(signalId)?.at ?? 0;
    const covering = grants.find(
      ({ session, args, createdAt, expiresAtMs, uses, usesMax, state }) =>
        session === approval.session &&
        hashOf('', args) === hashOf('', fieldsOf(approval.action).args) &&
        at > numberOf(createdAt) + slackMs &&
        at < numberOf(expiresAtMs) - slackMs &&
        state === 'live' &&
        numberOf(uses) < numberOf(usesMax),
    );
    return [
      ...(isSimilar && isGiven && !isMade ? [`${signalId} allows similar calls, and no grant was made`] : []),
      ...(covering === undefined ? [] : [`${signalId} was asked about, and a grant allows it`]),
    ];
  });
};

export const granted: Rule = {
  name: 'granted',
  promise: 'What a person allowed for more times is never done more often, later, elsewhere, nor is anything else.',
  check: (run) => {
    const used = [...run.evidence.effects.values()].filter(
      ({ state, fixed }) => fixed.grant !== undefined && PERFORMED.includes(state),
    );
    const byGrant = Map.groupBy(used, ({ fixed }) => textOf(fixed.grant));
    return [...[...byGrant].flatMap(([grant, effects]) => checkGrant(run, grant, effects)), ...checkAsked(run)];
  },
};

/** It ended by time alone. Two clocks differ by at most twice the error of one. */
const isTooSoon = ({ state, decidedAt, expiresAt, endedBecause }: Fields, skewMs: number): boolean =>
  state === 'expired' && endedBecause === undefined && numberOf(decidedAt) < numberOf(expiresAt) - 2 * skewMs;

/** Who decided, by the story: an approval that was decided has an answer that its person sent. */
export const authority: Rule = {
  name: 'I14',
  promise:
    'An approval is decided by an approver whose answer was sent, or expires in its time; none outlives its action.',
  check: (run) =>
    [...run.evidence.approvals.entries()].flatMap(([ref, approval]) => {
      const { state, decider, signalId } = approval;
      if (isTooSoon(approval, run.observed.skewMs)) return [`the approval ${ref} expired before its time`];
      if (state !== 'approved' && state !== 'spent' && state !== 'denied') return [];
      const asked = run.evidence.effects.get(`${textOf(signalId)}#${numberOf(approval.n)}`);
      if (state === 'approved' && asked?.state === 'refused')
        return [`the approval ${ref} is still open, and its action was refused for good`];
      const isKnown = run.observed.configured.approvers.includes(textOf(decider));
      const input = inputOf(run, textOf(signalId));
      const answer = input === undefined ? undefined : answerTo(run, markerOf(input));
      const said = answer === undefined ? undefined : saidIn(answer);
      const isMeant = state === 'denied' ? said === 'deny' : said === 'approve' || said === 'similar';
      return [
        ...(isKnown ? [] : [`the approval ${ref} is ${state} by ${textOf(decider) || 'nobody'}, who is no approver`]),
        ...(isMeant ? [] : [`the approval ${ref} is ${state}, and the person answered ${said ?? 'nothing'}`]),
      ];
    }),
};

interface Stop {
  /** When its sender first tried, and when somebody said that it is in force. */
  readonly sentAt: number;
  readonly inForceAt: number;
  /** When the first resume that may be newer was sent: a late try of an older one is. */
  readonly resumedAt: number;
}

const stopsOf = ({ inputs, observed }: Run): readonly Stop[] => {
  const commands = inputs.filter(({ step }) => step.kind === 'command');
  const isResume = ({ step }: Sent): boolean => step.kind === 'command' && step.command === 'resume';
  return commands.flatMap((sent) => {
    const inForceAt = acceptedAt(sent);
    const sentAt = sent.tries[0]?.at;
    if (isResume(sent) || inForceAt === undefined || sentAt === undefined) return [];
    const resumes = commands.filter(isResume).flatMap(({ tries }) => tries.map(({ at }) => at));
    const earliest = sentAt - 2 * observed.skewMs;
    const resumedAt = Math.min(...resumes.filter((at) => at > earliest), Number.POSITIVE_INFINITY);
    return [{ sentAt, inForceAt, resumedAt }];
  });
};

/** When somebody last said that the action may be done. */
const consentTime = ({ evidence }: Run, { signalId, fixed }: Effect): number => {
  const approval = evidence.approvals.get(textOf(fixed.approval));
  return numberOf(approval?.decidedAt ?? evidence.decisions.get(signalId)?.consentedAt);
};

/**
 * The time within which an effect began. A text to the console is performed by the one write that
 * stores it, in an invocation that read the stop before: as long ago as Act has time.
 */
const beginningOf = ({ claimedAt, settledAt }: Effect): readonly [earliest: number, latest: number] =>
  claimedAt > 0 ? [claimedAt, claimedAt] : [settledAt - CLAIM_MS_MAX, settledAt];

const checkStop = (run: Run, { sentAt, inForceAt, resumedAt }: Stop): readonly string[] => {
  const { skewMs, stepMs } = run.observed;
  // The earliest time that the stop may be stored under. A consent of the same moment is not newer.
  const storedAt = Math.floor((sentAt - (skewMs - stepMs + 1)) / stepMs) * stepMs;
  const wrong: string[] = [];
  const own = [...run.evidence.effects.values()].filter(({ judged }) => judged?.action?.author === 'model');
  for (const effect of own) {
    const [began, latest] = beginningOf(effect);
    if (!PERFORMED.includes(effect.state) || began <= inForceAt + skewMs) continue;
    // A stop met its second claim: it is given up, and nobody knows what the first one did.
    if (effect.state === 'unknown' && numberOf(effect.fixed.tries) > 1) continue;
    if (latest < resumedAt - skewMs) wrong.push(`${effect.id} was begun at ${began}, in a stop since ${inForceAt}`);
    if (consentTime(run, effect) <= storedAt)
      wrong.push(`${effect.id} was decided before the stop of ${sentAt} and begun after it, at ${began}`);
  }
  // From outside: a request that belongs to a claim from before the stop comes within Act's time.
  const until = inForceAt + CLAIM_MS_MAX;
  const requests = [...run.messages, ...run.hookCalls].filter(({ at }) => at > until && at < resumedAt);
  for (const { effects, at } of requests)
    if (effects.length > 0 && effects.every(({ judged }) => judged?.action?.author === 'model'))
      wrong.push(`${effects[0]?.id} was seen at ${at}, in a stop since ${inForceAt}`);
  return wrong;
};

export const stop: Rule = {
  name: 'stop',
  promise: 'After a stop nothing but notices begins until a resume, and nothing that was decided before it ever does.',
  check: (run) => stopsOf(run).flatMap((one) => checkStop(run, one)),
};

/** What an event says comes from outside, and so needs a person before it leaves. */
export const outsideText: Rule = {
  name: 'I13',
  promise: 'The facts of a turn that an event began say `outside`, and its calls need an approval.',
  check: (run) =>
    run.inputs
      .filter(({ step }) => step.kind === 'event')
      .flatMap((sent) => idsOf(sent).flatMap((id) => run.turns.get(id) ?? []))
      .flatMap((id) => run.evidence.decisions.get(id)?.actions.map((judged) => ({ id, ...judged })) ?? [])
      .filter(({ action }) => action?.author === 'model')
      .flatMap(({ id, action, facts, outcome }) => {
        const origin = textOf(fieldsOf(facts.at(-1)).origin);
        const isCall = action?.target === 'webhook';
        return [
          ...(origin === 'outside' ? [] : [`${id} was judged as if its text were of origin “${origin}”`]),
          ...(isCall && outcome === 'pass' ? [`${id} calls a webhook for an event without asking`] : []),
        ];
      }),
};

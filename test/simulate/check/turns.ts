/**
 * How each input ended (I6): with exactly one signal, one final state and one answer. The states
 * are derived from the export: the decisions of a turn, how their actions ended, and whether the
 * person was told that it failed for good.
 */
import type { Sent } from '../types.ts';
import { type Decision, type Effect, verdictOf } from './evidence.ts';
import { fieldsOf, numberOf, textOf } from './json.ts';
import { acceptedAt, idsOf, isKeyed, markerOf, PERFORMED, type Rule, type Run, rootOf } from './run.ts';

/** Steps of a turn: the model was told of results, approvals or errors. Others are notices. */
const STEP = /^(?:\d+|[rd]\d+(?:-\d+)?|e)$/;
const isStep = (id: string): boolean =>
  id
    .split('/')
    .slice(1)
    .every((part) => STEP.test(part));

/** Of signals that code makes by itself: ticks, summaries, digests, texts that were kept back. */
const MADE_BY_CODE = /^(?:hb|sum|news|kept)-/;

const ENDED: readonly string[] = ['done', 'failed', 'unknown', 'refused'];
/** Time for late ticks to end an approval. */
const EXPIRY_SLACK_MS = 5 * 60_000;

type State = 'none' | 'under-way' | 'suspended' | 'acted' | 'refused' | 'dropped' | 'dead-lettered';

const effectsOf = ({ evidence }: Run, { id, actions }: Decision): readonly (Effect | undefined)[] =>
  actions.flatMap(({ outcome }, n) => (outcome === 'block' ? [] : [evidence.effects.get(`${id}#${n}`)]));

/** True once the person was told that this signal failed for good. */
const isBroken = ({ evidence }: Run, id: string): boolean => evidence.decisions.has(`${id}/broken`);

const stateOf = (run: Run, id: string): State => {
  const decision = run.evidence.decisions.get(id);
  if (isBroken(run, id)) return 'dead-lettered';
  if (decision === undefined) return 'none';
  const states = effectsOf(run, decision).map((effect) => effect?.state ?? 'none');
  if (states.some((state) => state !== 'suspended' && !ENDED.includes(state))) return 'under-way';
  if (states.includes('suspended')) return 'suspended';
  if (decision.outcome === 'drop') return 'dropped';
  return decision.outcome === 'refuse' ? 'refused' : 'acted';
};

/** Code reads the files of a message. */
const isReading = ({ judged }: Effect): boolean => judged?.action?.tool === 'read-attachment';

const isCall = ({ judged }: Effect): boolean =>
  judged?.action?.author === 'model' && ['tool', 'webhook'].includes(textOf(judged.action.target));

/** Results that the model must hear have a next step, which has an end of its own. */
const lacksNextStep = (run: Run, id: string): boolean => {
  const decision = run.evidence.decisions.get(id);
  const calls =
    decision === undefined ? [] : effectsOf(run, decision).filter((one) => one !== undefined && isCall(one));
  if (!calls.some((call) => ENDED.includes(call?.state ?? ''))) return false;
  const next = (run.turns.get(rootOf(id)) ?? []).some((other) => {
    const rest = other.startsWith(`${id}/`) ? other.slice(id.length + 1) : '';
    return STEP.test(rest) || /^(?:\d+|[rd]\d+(?:-\d+)?|e)\/broken$/.test(rest);
  });
  return !next;
};

const isAwaited = ({ evidence }: Run, effect: Effect | undefined): boolean => {
  const approval = evidence.approvals.get(textOf(effect?.fixed.approval));
  const isPending = textOf(approval?.state) === 'pending';
  return isPending && numberOf(evidence.header.exportedAt) < numberOf(approval?.expiresAt) + EXPIRY_SLACK_MS;
};

/** A stop refuses without a word, and so does a chat that was removed. */
const isSilentRefusal = ({ state, fixed }: Effect): boolean => {
  const reason = textOf(fixed.reason);
  const isHeld = (Array.isArray(fixed.trace) ? fixed.trace : []).some(
    (entry) => verdictOf(entry) === 'block' && ['kill-switch', 'flood'].includes(textOf(fieldsOf(entry).gate)),
  );
  return (
    state === 'refused' && (isHeld || reason.startsWith('stopped before') || reason.endsWith('was removed (/chats)'))
  );
};

interface Told {
  readonly texts: number;
  readonly isSilent: boolean;
}

/** The texts that end a turn: not cards, questions or news of the channel. */
const endTexts = (run: Run, ids: readonly string[], isOrder: boolean): Told => {
  // What became of the call of an order, a notice says.
  const ending = isOrder ? /\/(?:refused|result)-\d+$|\/broken$/ : /\/(?:refused-\d+|broken)$/;
  let [texts, isSilent] = [0, false];
  for (const id of ids) {
    if (!isStep(id) && !ending.test(id)) continue;
    const decision = run.evidence.decisions.get(id);
    for (const effect of decision === undefined ? [] : effectsOf(run, decision)) {
      if (effect === undefined || isCall(effect) || isReading(effect)) continue;
      if (PERFORMED.includes(effect.state)) texts += 1;
      isSilent ||= isSilentRefusal(effect);
    }
  }
  return { texts, isSilent };
};

const checkSteps = (run: Run, root: string, ids: readonly string[]): readonly string[] => {
  const wrong: string[] = [];
  for (const id of ids) {
    const state = stateOf(run, id);
    const decision = run.evidence.decisions.get(id);
    if (state === 'under-way') wrong.push(`${id} was decided, and not all of its actions have ended`);
    if (state === 'suspended' && decision !== undefined)
      for (const effect of effectsOf(run, decision))
        if (effect?.state === 'suspended' && !isAwaited(run, effect))
          wrong.push(`${effect.id} still waits for a person, though its approval has ended`);
    if (isStep(id) && state !== 'dead-lettered' && lacksNextStep(run, id))
      wrong.push(`the results of ${id} were told to nobody: ${root} has no next step`);
  }
  return wrong;
};

const checkAccepted = (run: Run, sent: Sent, root: string, isSure: boolean): readonly string[] => {
  const ids = run.turns.get(root) ?? [];
  if (ids.length === 0) return isSure ? [`${root} (${markerOf(sent)}) was accepted and has no end`] : [];
  if (stateOf(run, root) === 'none') return [`${root} (${markerOf(sent)}) has notices, and no end of its own`];
  const wrong = [...checkSteps(run, root, ids)];
  const isWaiting = ids.some((id) => stateOf(run, id) === 'suspended');
  const isDead = ids.some((id) => id.endsWith('/broken'));
  const isOrder = sent.step.kind === 'order' || sent.step.kind === 'files';
  const { texts, isSilent } = endTexts(run, ids, isOrder);
  // The card of an order says itself that nobody answered it.
  const isCard = isOrder && run.evidence.effects.get(`${root}#0`)?.fixed.approval !== undefined;
  if (texts === 0 && !isWaiting && !isSilent && !isCard)
    wrong.push(`${root} (${markerOf(sent)}) was answered with no text`);
  // The note's result is told at once, the webhook's after its card.
  const isTwo = sent.step.kind === 'order' || (sent.step.kind === 'message' && sent.step.verb === 'both');
  // Of each file that could not be read a text may say why.
  const textsMax = (isTwo ? 2 : 1) + (sent.step.kind === 'files' ? sent.step.files.length : 0);
  if (texts > textsMax && !isDead) wrong.push(`${root} (${markerOf(sent)}) was answered with ${texts} texts`);
  return wrong;
};

const isRefused = ({ tries }: Sent): boolean =>
  tries.length > 0 && tries.every(({ answer }) => answer !== undefined && answer.status >= 400 && answer.status < 500);

/** A turn answers in its own words, never in those of another. */
const checkMarkers = (run: Run, sent: Sent, root: string): readonly string[] => {
  const own = markerOf(sent);
  const others = new Set(run.inputs.map(markerOf));
  const wrong: string[] = [];
  for (const id of run.turns.get(root) ?? [])
    for (const { action } of run.evidence.decisions.get(id)?.actions ?? []) {
      const [, named = ''] = /^([A-Za-z0-9-]+) \w+$/.exec(textOf(action?.text)) ?? [];
      if (action?.author === 'model' && others.has(named) && named !== own)
        wrong.push(`${id} answers ${own} with a text about ${named}`);
    }
  return wrong;
};

/** The message that a message became a part of. */
export const albumOf = ({ observed: { rows = {} } }: Run, id: string): string | undefined =>
  /^it is a part of (.*)$/.exec(textOf(rows[`signal#default#${id} record`]?.stateReason))?.[1];

const checkOne = (run: Run, sent: Sent): readonly string[] => {
  if (isRefused(sent))
    return idsOf(sent)
      .filter((id) => run.turns.has(id))
      .map((id) => `${id} was refused to its sender, and has an end`);
  const isSure = acceptedAt(sent) !== undefined;
  // A part of an album ends with the message that it became a part of.
  const own = idsOf(sent).filter((id) => albumOf(run, id) === undefined);
  return own.flatMap((id) => [...checkAccepted(run, sent, id, isSure), ...checkMarkers(run, sent, id)]);
};

/** A try that got no answer may have been accepted, under an id that only the ingress knows. */
const isUnanswered = ({ tries }: Sent): boolean =>
  tries.some(({ answer }) => answer === undefined || answer.status >= 500);

const checkUninvited = ({ turns, observed }: Run): readonly string[] => {
  const known = new Set(observed.sent.flatMap(idsOf));
  const unnamed = observed.sent.filter((sent) => isUnanswered(sent) && !isKeyed(sent));
  const strangers = [...turns.keys()].filter((root) => !known.has(root) && !MADE_BY_CODE.test(root));
  const most = unnamed.reduce((tries, sent) => tries + sent.tries.length, 0);
  return strangers.length <= most ? [] : strangers.map((root) => `${root} was decided, and nobody sent it`);
};

export const oneEnd: Rule = {
  name: 'one-end',
  promise: 'Every accepted input has one signal, one final state and one answer; a refused one has none.',
  check: (run) => [
    ...(run.observed.isUnfinished ? ['messages were still under way after the longest wait'] : []),
    ...run.observed.sent.flatMap((sent) => checkOne(run, sent)),
    ...checkUninvited(run),
  ],
};

/** When the model was first asked about it. A prompt also shows messages that still wait. */
const startedAt = ({ modelCalls }: Run, marker: string): number | undefined =>
  modelCalls.find(({ markers, receipt: { about } }) => (about === undefined ? markers.has(marker) : about === marker))
    ?.at;

const conversationOf = ({ step }: Sent): string | undefined =>
  step.kind === 'message' ? `${step.via} ${step.conversation}` : undefined;

/** A message that failed in each delivery leaves its queue. The sweep sends its signal later. */
const DELIVERIES_MAX = 3;

const troublesBetween = ({ observed: { troubles } }: Run, from = 0, until = 0): number =>
  troubles.filter(({ at }) => at >= from && at <= until).length;

const checkOrder = (run: Run): readonly string[] => {
  const wrong: string[] = [];
  const newest = new Map<string, { sent: Sent; started: number }[]>();
  const inOrder = run.inputs.toSorted((a, b) => (a.tries[0]?.at ?? 0) - (b.tries[0]?.at ?? 0));
  for (const sent of inOrder) {
    const conversation = conversationOf(sent);
    const started = startedAt(run, markerOf(sent));
    // A signal that failed for good gave its turn up, and may be explained later.
    if (conversation === undefined || started === undefined || idsOf(sent).some((id) => isBroken(run, id))) continue;
    const before = newest.get(conversation) ?? [];
    const firstTry = sent.tries[0]?.at ?? 0;
    for (const other of before) {
      const accepted = acceptedAt(other.sent);
      const hasLostPlace = troublesBetween(run, accepted, other.started) >= DELIVERIES_MAX;
      if (accepted !== undefined && accepted < firstTry && other.started > started && !hasLostPlace)
        wrong.push(`${markerOf(sent)} was begun before ${markerOf(other.sent)}, which was accepted before it`);
    }
    newest.set(conversation, [...before, { sent, started }]);
  }
  return wrong;
};

export const order: Rule = {
  name: 'order',
  promise: 'The turns of a conversation begin in the order in which their inputs were accepted.',
  check: checkOrder,
};

/** A model takes four seconds at most, and every conversation is asked at once. */
const PROMPT_MS = 60_000;
/** Of a sweep that finds a turn without an owner. */
const SWEPT_MS = 20 * 60_000;

/**
 * The sweep would hide that a conversation was never handed on, so it has a minute only if it may
 * have to mend: a late write takes the turn for a message that was answered meanwhile.
 */
export const prompt: Rule = {
  name: 'prompt',
  promise: 'Once everything rests, the next message of a conversation is answered at once.',
  check: (run) => {
    const longestMs = run.observed.troubles.some(({ kind }) => kind === 'late') ? SWEPT_MS : PROMPT_MS;
    return run.inputs.flatMap((sent) => {
      const sentAt = sent.tries[0]?.at ?? 0;
      if (sent.step.kind !== 'message' || sent.step.card !== undefined || sentAt < run.observed.restedAt) return [];
      const decisions = idsOf(sent).flatMap((id) => run.evidence.decisions.get(id) ?? []);
      const effects = decisions.flatMap((decision) => effectsOf(run, decision));
      const isPrompt = effects.some((one) => one?.state === 'done' && one.settledAt <= sentAt + longestMs);
      return isPrompt ? [] : [`${markerOf(sent)} was sent when all was at rest, and not answered at once`];
    });
  },
};

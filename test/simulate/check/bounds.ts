/**
 * Invariants that show in the export, the prompts and the texts themselves: what is blocked stays
 * undone (I3), everything is bounded (I8), what is stored replays (I9), secrets stay inside (I11),
 * and no model is asked without an input (I12).
 */

import type { Sent } from '../types.ts';
import { gateOf, verdictOf } from './evidence.ts';
import { fieldsOf, hashOf, listOf, numberOf, textOf } from './json.ts';
import { markerOf, PERFORMED, type Rule, type Run, rootOf } from './run.ts';

const verbOf = (run: Run, signalId: string): string | undefined => {
  const step = run.inputs.find((sent) => sent.signalId === rootOf(signalId))?.step;
  return step?.kind === 'message' ? step.verb : undefined;
};

/** A proposal that cannot be read, or that a gate blocks, never leads to anything but a notice. */
export const failClosed: Rule = {
  name: 'I3',
  promise: 'What a gate blocks, and what is no proposal, is never performed.',
  check: (run) => {
    const wrong: string[] = [];
    for (const { id, signalId, state, judged } of run.evidence.effects.values()) {
      const verb = verbOf(run, signalId);
      const isModels = judged?.action?.author === 'model';
      if (isModels && (verb === 'bad' || verb === 'mute') && PERFORMED.includes(state) && !isAfterError(signalId))
        wrong.push(`${id} was performed, and its turn proposed nothing that may be done`);
    }
    for (const { id, attempts, outcome } of run.evidence.decisions.values()) {
      const last = attempts.at(-1);
      const isBlocked = listOf(last?.judged).some((judged) => fieldsOf(judged).outcome === 'block');
      if (outcome === 'act' && (isBlocked || last?.problem !== undefined))
        wrong.push(`${id} acts on an attempt that was blocked or could not be read`);
    }
    return wrong;
  },
};

/** The model may explain in words why a signal failed for good. */
const isAfterError = (signalId: string): boolean => signalId.endsWith('/e');

const [ATTEMPTS_MAX, DEPTH_MAX, TELEGRAM_TEXT_MAX, APPROVAL_MS_MAX] = [3, 10, 4_096, 3_600_000];
/**
 * Of an effect whose channel answers; a text that waits for its channel is tried for a day. A try
 * that a death or the table cut off is followed by another: the sweep sends new messages.
 */
const TRIES_MAX = 3;
/** Deliveries of a message, of a sweep and of those in between, each of which may ask once more. */
const CALLS_PER_STEP_MAX = 60;

export const bounded: Rule = {
  name: 'I8',
  promise: 'Attempts, steps, tries, texts, approvals and model calls of a turn stay within their bounds.',
  check: ({ evidence, messages, modelCalls, inputs, files, observed: { troubles } }) => [
    ...[...evidence.decisions.values()]
      .filter(({ attempts, attemptCount }) => Math.max(attemptCount, attempts.length) > ATTEMPTS_MAX)
      .map(({ id }) => `${id} took more than ${ATTEMPTS_MAX} attempts`),
    ...[...evidence.decisions.keys()]
      .filter((id) => id.split('/').length > DEPTH_MAX + 2)
      .map((id) => `${id} is more than ${DEPTH_MAX} steps deep`),
    ...[...evidence.effects.values()]
      .filter(({ fixed }) => fixed.waitingSince === undefined && numberOf(fixed.tries) > TRIES_MAX + troubles.length)
      .map(({ id, fixed }) => `${id} was tried ${numberOf(fixed.tries)} times`),
    ...messages
      .filter(({ text }) => text.length > TELEGRAM_TEXT_MAX)
      .map(({ at }) => `the text of ${at} is longer than Telegram takes`),
    ...[...evidence.approvals.entries()]
      .filter(([, { createdAt, expiresAt }]) => numberOf(expiresAt) - numberOf(createdAt) > APPROVAL_MS_MAX)
      .map(([ref]) => `the approval ${ref} is good for more than an hour`),
    ...(modelCalls.length > (inputs.length + files.length) * CALLS_PER_STEP_MAX
      ? [`the model was asked ${modelCalls.length} times about ${inputs.length} inputs`]
      : []),
  ],
};

/** Gates in a trace. A decision’s trace may hold several runs, of which the last counts. */
const gatesOf = (trace: readonly unknown[]): string => trace.map(gateOf).join(' ');

export const replays: Rule = {
  name: 'I9',
  promise: 'Stored facts are the judged ones, and Act’s gates ran in the order of the decision’s.',
  check: ({ evidence }) => {
    const wrong: string[] = [];
    for (const { id, actions } of evidence.decisions.values())
      for (const [n, { facts, factsHash }] of actions.entries())
        if (facts.length > 0 && hashOf('facts', facts) !== factsHash)
          wrong.push(`action ${n} of ${id} was judged on other facts than the stored ones`);
    for (const { id, facts, fixed, state, judged } of evidence.effects.values()) {
      const trace = listOf(fixed.trace);
      if (facts.length > 0 && hashOf('facts', facts) !== fixed.facts)
        wrong.push(`${id} was judged on other facts than the stored ones`);
      if (PERFORMED.includes(state) && judged !== undefined && !gatesOf(judged.trace).endsWith(gatesOf(trace)))
        wrong.push(`${id} was claimed by other gates, or in another order, than it was decided`);
      const isAct = facts.every((one) => textOf(fieldsOf(one).stage) === 'act');
      if (!isAct) wrong.push(`${id} was not judged again at the last mile`);
      if (state === 'done' && trace.some((entry) => verdictOf(entry) === 'block'))
        wrong.push(`${id} is done with a block`);
    }
    return wrong;
  },
};

export const secrets: Rule = {
  name: 'I11',
  promise: 'No configured secret is in a prompt, a text, a call’s body or the export.',
  check: ({ observed, modelCalls, messages, hookCalls }) => {
    const wrong: string[] = [];
    const places: readonly [string, string][] = [
      ...modelCalls.map(({ at, receipt }): [string, string] => [`the prompt of ${at}`, receipt.request.body]),
      ...messages.map(({ at, receipt }): [string, string] => [`the text of ${at}`, receipt.request.body]),
      ...hookCalls.map(({ at, body }): [string, string] => [`the call of ${at}`, body]),
      ['the export', observed.exported],
    ];
    for (const [n, secret] of observed.configured.secrets.entries())
      for (const [place, text] of places) if (text.includes(secret)) wrong.push(`secret ${n + 1} is in ${place}`);
    return wrong;
  },
};

export const idle: Rule = {
  name: 'I12',
  promise: 'A model is asked only about something that was sent before.',
  check: ({ modelCalls, observed, evidence }) => {
    // A command that failed for good is explained by the model, in a prompt without a marker.
    if ([...evidence.decisions.keys()].some(isAfterError)) return [];
    const never = Number.POSITIVE_INFINITY;
    // The first that was sent about each.
    const sentAt = new Map(observed.sent.toReversed().map((sent) => [markerOf(sent), sent.tries[0]?.at ?? never]));
    return modelCalls
      .filter(({ at, markers }) => ![...markers].some((marker) => (sentAt.get(marker) ?? never) <= at))
      .map(({ at }) => `a model was asked at ${at} about nothing that was sent`);
  },
};

/** How often a text says what was answered to the message of a marker. */
const countSaid = (text: string, marker: string): number =>
  text.match(new RegExp(`(?<![A-Za-z0-9])${marker} said(?![A-Za-z0-9])`, 'g'))?.length ?? 0;

const conversationOf = ({ step }: Sent): string => (step.kind === 'message' ? `${step.via} ${step.conversation}` : '');

/** A message that was sent when all was at rest is answered in view of the answer before it. */
const checkLastAnswer = (run: Run): readonly string[] => {
  const { inputs, modelCalls, evidence, observed } = run;
  const answered = new Map<string, string>();
  const wrong: string[] = [];
  for (const sent of inputs) {
    const [marker, conversation] = [markerOf(sent), conversationOf(sent)];
    const last = answered.get(conversation);
    const isLate = (sent.tries[0]?.at ?? 0) >= observed.restedAt;
    const prompts = modelCalls.filter(({ receipt }) => receipt.about === marker);
    if (isLate && last !== undefined && prompts.some(({ receipt }) => countSaid(receipt.request.body, last) === 0))
      wrong.push(`the prompt about ${marker} does not show the answer to ${last}`);
    const own = evidence.effects.get(`${sent.signalId}#0`);
    // Later prompts leave out what was said in view of outside text, such as a file that waited.
    const isOutside = own?.facts.some((facts) => fieldsOf(facts).origin === 'outside');
    const isDone =
      own?.state === 'done' && isOutside === false && countSaid(textOf(own.judged?.action?.text), marker) > 0;
    if (conversation !== '' && isDone) answered.set(conversation, marker);
  }
  return wrong;
};

export const history: Rule = {
  name: 'history',
  promise: 'A prompt shows each answer of an earlier turn once, and none that nobody got.',
  check: (run) => {
    const { modelCalls, evidence, observed } = run;
    const texts = [...evidence.effects.values()]
      .filter(({ state }) => PERFORMED.includes(state))
      .map(({ judged }) => textOf(judged?.action?.text));
    const most = new Map(
      observed.sent.map(markerOf).map((marker) => [marker, texts.filter((text) => countSaid(text, marker) > 0).length]),
    );
    const repeated = modelCalls.flatMap(({ at, markers, receipt }) =>
      [...markers]
        .filter((marker) => countSaid(receipt.request.body, marker) > (most.get(marker) ?? 0))
        .map((marker) => `the prompt of ${at} shows the answer to ${marker} more often than it was given`),
    );
    return [...repeated, ...checkLastAnswer(run)];
  },
};

/**
 * What servers outside received, against what the export says (I1, I4, I7): every text and call has
 * a decided, judged and logged effect with exactly its bytes, and is seen at most once. An outcome
 * may be unknown only if something happened outside that nobody inside could see through.
 */
import { type Effect, gateOf, verdictOf } from './evidence.ts';
import { canonicalText, fieldsOf, hashOf, listOf, numberOf, textOf } from './json.ts';
import { type HookCall, isOk, isPutOff, type Message, PERFORMED, type Rule, type Run } from './run.ts';

type Visible = Message | HookCall;

const nameOf = (one: Visible): string =>
  'key' in one ? `the text “${one.text.slice(0, 60)}” to ${one.chat}` : `the call ${one.body.slice(0, 60)}`;

/** An effect that was claimed once, and refused when it was tried again. */
const isTried = ({ state, fixed }: Effect): boolean => state === 'refused' && numberOf(fixed.tries) > 0;

/** The effects that may be behind a request. One that was refused in the end never did anything. */
const performers = ({ effects, receipt }: Visible): readonly Effect[] =>
  effects.filter((effect) => PERFORMED.includes(effect.state) || (!receipt.isPerformed && isTried(effect)));

/** Names of the gates by version; none of a version that is not the hash of its content. */
const readGates = ({ evidence }: Run): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...evidence.gateSets]
      .filter(([version, content]) => hashOf('gate-set', content) === version)
      .map(([version, { gates }]) => [version, listOf(gates).map((gate) => textOf(listOf(gate)[0]))]),
  );

/** Why a trace does not let its action pass; empty if it does. */
const findFault = (trace: readonly unknown[], gates: readonly string[]): string => {
  const ran = new Set(trace.map(gateOf));
  const missing = gates.filter((gate) => !ran.has(gate));
  if (gates.length === 0) return 'of a gate set that the export does not explain';
  if (missing.length > 0) return `without ${missing.join(', ')}`;
  return trace.some((entry) => verdictOf(entry) === 'block') ? 'with a block' : '';
};

const checkEffect = (run: Run, effect: Effect, gateSets: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const { judged, fixed, id, signalId } = effect;
  const decision = run.evidence.decisions.get(signalId);
  if (decision === undefined || judged === undefined) return [`${id} was performed without a decision`];
  const gates = gateSets.get(decision.gateSet) ?? [];
  const faults = [findFault(judged.trace, gates), findFault(listOf(fixed.trace), gates)];
  return [
    ...(judged.outcome === 'block' ? [`${id} was performed though it was blocked`] : []),
    ...(faults[0] === '' ? [] : [`${id} was decided with a trace ${faults[0]}`]),
    ...(faults[1] === '' ? [] : [`${id} was claimed with a trace ${faults[1]}`]),
    ...(judged.hash === fixed.actionHash ? [] : [`${id} is not the action that was decided`]),
    ...(judged.action === undefined || hashOf('action', judged.action) === judged.hash
      ? []
      : [`${id} has an action of another hash`]),
    ...(effect.leaf < 0 || decision.leaf < 0 || decision.leaf > effect.leaf
      ? [`${id} is not in the log behind its decision`]
      : []),
  ];
};

/** A request that comes before its effect was claimed has no trace behind it. */
const isTooEarly = ({ observed: { skewMs } }: Run, { at }: Visible, { fixed, claimedAt }: Effect): boolean =>
  numberOf(fixed.tries) === 1 && claimedAt > at + skewMs;

const checkRequest = (run: Run, one: Visible): readonly string[] => {
  const effects = performers(one);
  if (effects.length === 0) return [`${nameOf(one)} was seen at ${one.at}, and no performed effect has these bytes`];
  const early = effects.every((effect) => isTooEarly(run, one, effect));
  return early ? [`${nameOf(one)} was seen at ${one.at}, before its effect was claimed`] : [];
};

export const noTraceNoAct: Rule = {
  name: 'no-trace-no-act',
  promise:
    'Each text and call that left has a decided, judged, claimed and logged effect with its exact bytes (I1, I4).',
  check: (run) => {
    const gateSets = readGates(run);
    const effects = [...run.evidence.effects.values()].filter(({ state }) => PERFORMED.includes(state));
    return [
      ...run.strangeMethods.map((method) => `Telegram was asked for ${method}, which no effect of ours needs`),
      ...[...run.messages, ...run.hookCalls].flatMap((one) => checkRequest(run, one)),
      ...effects.flatMap((effect) => checkEffect(run, effect, gateSets)),
    ];
  },
};

/** Longest time from a claim to its end: Act's time limit and the margin of its lease. */
export const CLAIM_MS_MAX = 2 * 60_000;

const isLost = ({ receipt: { isAnswerLost, answer } }: Message): boolean =>
  isAnswerLost || answer.status >= 500 || (isOk(answer.status) && !/"ok":\s*true/.test(answer.body));

/** Failures of the table in a row that a client outlives by itself: the next try tells it more. */
const OUTLIVED_MAX = 3;

/**
 * Something happened that nobody inside could see through. If no request arrived at all, a table
 * that failed now and then hides nothing: nobody had sent the text.
 */
const isAmbiguous = ({ observed }: Run, requests: readonly Message[], { claimedAt }: Effect): boolean => {
  const [from, until] = [claimedAt - observed.skewMs, claimedAt + observed.skewMs + CLAIM_MS_MAX];
  const troubles = observed.troubles.filter(({ at }) => at >= from && at <= until);
  const isOutlived = requests.length === 0 && troubles.length <= OUTLIVED_MAX;
  return (
    requests.some(isLost) ||
    (isOutlived ? troubles.some(({ kind }) => kind === 'death' || kind === 'outside') : troubles.length > 0)
  );
};

const checkText = (run: Run, key: string, requests: readonly Message[]): readonly string[] => {
  const effects = (run.effectsByKey.get(key) ?? requests[0]?.effects ?? []).filter((effect) => !isPutOff(effect));
  const shown = requests.filter(({ receipt }) => receipt.isPerformed).length;
  const name = requests[0] === undefined ? `the text of ${effects[0]?.id}` : nameOf(requests[0]);
  const may = effects.filter(({ state }) => PERFORMED.includes(state)).length;
  const must = effects.filter(({ state }) => state === 'done').length;
  // An edit shows the same however often it comes.
  const isEdit = key.split('\n', 2)[1] !== '';
  return [
    ...(shown > may && !isEdit ? [`${name} was shown ${shown} times by ${may} effects`] : []),
    ...(shown < must && !isEdit ? [`${name} was shown ${shown} times, and ${must} effects say it was`] : []),
    ...(shown === 0 && must > 0 && isEdit ? [`${name} was never shown, and an effect says it was`] : []),
    ...effects
      .filter((effect) => effect.state === 'unknown' && !isAmbiguous(run, requests, effect))
      .map(({ id }) => `${id} is unknown, and nothing happened that makes it so`),
    ...effects
      .filter((effect) => isGivenUp(effect, requests))
      .map(({ id }) => `${id} was given up, and its chat never refused it`),
    // No story has a person who asks for a text to be sent again.
    ...effects
      .filter(({ fixed }) => fixed.resolution !== undefined)
      .map(({ id, fixed }) => `${id} was tried again as ${textOf(fixed.resolution)}, and nobody asked`),
  ];
};

/**
 * A text ends as failed if its chat refused it. One that was not sent waits for its channel, a day,
 * and no fault lasts so long.
 */
const isGivenUp = ({ state, judged }: Effect, requests: readonly Message[]): boolean => {
  const isRefused = requests.some(({ receipt: { answer } }) => /^4(?!29)/.test(`${answer.status}`));
  return state === 'failed' && judged?.action?.target === 'telegram' && !isRefused;
};

/** Each message of a long text comes once, and all of them if it says so. */
const checkLong = (run: Run, effect: Effect): readonly string[] => {
  const parts = run.messages.filter(({ effects }) => effects.includes(effect));
  const shown = parts.filter(({ receipt }) => receipt.isPerformed).map(({ text }) => text);
  const name = `the long text of ${effect.id}`;
  const charsOf = (text: string): number => text.replaceAll(/\s/g, '').length;
  const isWhole = charsOf(shown.join('')) >= charsOf(textOf(effect.judged?.action?.text));
  // Some messages of it came, and a stop that was sent meanwhile refused the rest.
  const slackMs = 2 * run.observed.skewMs;
  const isMeanwhile = ({ at }: { readonly at: number }): boolean =>
    at >= effect.claimedAt - slackMs && at <= effect.settledAt + slackMs;
  const hasStop = run.inputs.some(
    ({ step, tries }) => step.kind === 'command' && step.command === 'stop' && tries.some(isMeanwhile),
  );
  const isCutByStop = hasStop && shown.length > 0 && !isWhole;
  return [
    ...(new Set(shown).size < shown.length ? [`a part of ${name} was shown twice`] : []),
    ...(effect.state === 'done' && !isWhole ? [`${name} says that it is done, and a part is missing`] : []),
    ...(isGivenUp(effect, parts) ? [`${name} was given up, and its chat never refused it`] : []),
    ...(effect.state === 'unknown' && !isAmbiguous(run, parts, effect) && !isCutByStop
      ? [`${name} is unknown, and nothing happened that makes it so`]
      : []),
  ];
};

const checkHooks = ({ hookCalls, evidence }: Run): readonly string[] => {
  const wrong: string[] = [];
  const bodyOf = new Map<string, string>();
  const idsOf = new Map<string, Set<string>>();
  for (const { webhookId, body, effects } of hookCalls) {
    const known = bodyOf.get(webhookId);
    if (known !== undefined && known !== body) wrong.push(`the webhook-id ${webhookId} names two bodies`);
    bodyOf.set(webhookId, body);
    const ids = idsOf.get(body) ?? new Set();
    ids.add(webhookId);
    idsOf.set(body, ids);
    if (ids.size > effects.length)
      wrong.push(`the call ${body} came under ${ids.size} ids by ${effects.length} effects`);
  }
  const saidDone = [...evidence.effects.values()].filter(
    ({ state, judged }) => state === 'done' && judged?.action?.target === 'webhook',
  );
  const bodies = Map.groupBy(saidDone, ({ judged }) => canonicalText(fieldsOf(judged?.action?.args).body));
  for (const [body, done] of bodies) {
    const performed = hookCalls.filter((call) => call.body === body && call.receipt.isPerformed).length;
    if (performed < done.length)
      wrong.push(`${done.map(({ id }) => id)} say they are done, and the webhook did ${performed} such calls`);
  }
  return wrong;
};

export const seenOnce: Rule = {
  name: 'seen-once',
  promise: 'Each effect is seen once if it says so and never twice; it is unknown only if nobody can know (I7).',
  check: (run) => {
    const isPart = ({ effects: [first] }: Message): boolean => first !== undefined && run.longEffects.includes(first);
    const whole = run.messages.filter((message) => !isPart(message));
    const byKey = Map.groupBy(whole, ({ key }) => key);
    const keys = new Set([...byKey.keys(), ...run.effectsByKey.keys()]);
    return [
      ...[...keys].flatMap((key) => checkText(run, key, byKey.get(key) ?? [])),
      ...run.longEffects.flatMap((effect) => checkLong(run, effect)),
      ...checkHooks(run),
    ];
  },
};

/**
 * The texts a person reads before and after deciding on an action, and about a grant. One line says
 * what a yes does, a second one what is unusual, if anything is; all the rest stands folded below
 * (I5). Each folded line is one field, with nothing hidden in it, and the model's words are named
 * as the model's. If it does not fit one message, the whole card is a file beside it. Pure.
 */

import { hash } from 'node:crypto';
import { type Approval, type CardLines, shortIdOf } from '../approvals/approval.ts';
import { asShown } from '../approvals/as-shown.ts';
import { describeSkill } from '../approvals/describe-skill.ts';
import { argumentName, type Grant, type Loosened } from '../approvals/grant.ts';
import { listLookalikes } from '../approvals/mark-lookalikes.ts';
import { sayGranted } from '../approvals/say-reach.ts';
import { type Shape, shapeWords } from '../approvals/shape.ts';
import { showPlainly } from '../approvals/show-plainly.ts';
import { choiceWords, type SimilarChoice, similarChoices, taskChoice } from '../approvals/similar.ts';
import { openForTask, openNames } from '../approvals/task-grant.ts';
import { canonicalJson } from '../base/canonical.ts';
import { textTable } from '../base/language.ts';
import { makeVisible } from '../base/make-visible.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { NEVER_GRANTED } from '../gates/rules/approval-fitness.ts';
import { forPeople } from '../language/for-people.ts';
import { saysRights } from '../ledger/old-sentences.ts';
import { jobOf } from '../money/day-spend.ts';
import { describeCosts } from '../money/describe-spending.ts';
import type { Action } from '../signal/action.ts';
import { isTyped } from '../signal/ids.ts';
import { actionSentence, type NamedAction } from '../tools/action-sentence.ts';

/** All of the card fits one Telegram message, with room for how the action ended. */
export const CARD_CHARS_MAX = 3_600;
/** Costs of at least this part of the day's rest are unusual. */
const COSTLY_SHARE = 20;
/** Words that may be misread, as the visible part of a card names them. */
const LOOKALIKES_MAX = 3;

/** Characters of the second line; what it leaves out stands below. */
export const WHY_CHARS_MAX = 500;
const WHY_PART_CHARS_MAX = 300;

export interface Card {
  readonly text: string;
  /** All of it, if that does not fit one message: a channel sends it with the text. */
  readonly file?: string;
}

const ENDINGS: Readonly<Record<Ended, string>> = {
  done: 'Done.',
  failed: 'It failed.',
  unknown: 'Whether it was done is not known.',
  refused: 'The rules refused it when it was to be done. Nothing was done.',
  stopped: 'It was stopped before it was done, and will not be done.',
};

const WHY_EXPIRED = {
  time: 'nobody decided in time.',
  policy: 'the rules have changed since it was asked for, or its chat was removed.',
  refused: 'approved, and refused before it was done.',
} as const;

const mayDiffer = (loosened: readonly Loosened[]): string => {
  const { words, numbers } = openNames(loosened);
  return [
    ...(words === '' ? [] : [`other words for ${words}`]),
    ...(numbers === '' ? [] : [`a smaller number for ${numbers}`]),
  ].join(' and ');
};

/** The words of a card: `card-german.ts` has the same in German. */
export const CARD_WORDS = {
  sentence: (action: NamedAction): string => actionSentence(action),
  /** A reason of a gate, or a line that a tool made for the card. */
  stored: forPeople,
  args: (json: string) => `With: ${json}`,
  exactly: (json: string) => `Exactly: ${json}`,
  text: (text: string) => `Text: ${text}`,
  to: (to: string) => `To: ${to}`,
  address: (url: string) => `Address: ${url}`,
  modelSays: (why: string) => `The model says why: ${why}`,
  why: (why: string) => `Why: ${why}`,
  called: (tool: string | undefined, target: string) => `Called: ${tool ?? 'message'} (${target})`,
  asked: (reason: string, isEach: boolean, gate: string | undefined) =>
    `Asked ${isEach ? 'each time ' : ''}because: ${reason}${gate === undefined ? '' : ` (${gate})`}`,
  asks: (reasons: string, isEach: boolean) => `Asks ${isEach ? 'each time ' : ''}because ${reasons}`,
  lookTwice: (line: string) => `Look twice: ${line}`,
  moreWords: (count: number) => `Look twice: ${count} more such words`,
  invisible: () => 'Look twice: it holds invisible characters, written out below',
  fromOutside: (source: string) => `Made from outside text: ${source}`,
  moreBelow: (count: number) => `${count} more below`,
  costs: (costs: Costs) => `Costs: ${describeCosts(costs)}`,
  cameFrom: (requester: string, session: string, signal: string) => `Came from: ${requester} in ${session}, ${signal}`,
  listed: (count: number, open: number) =>
    open === 0 ? `${count} actions of one answer:` : `${open} of ${count} actions of one answer wait for your yes:`,
  details: () => 'Details:',
  detailsUntil: (time: string) => `Details (waits for your yes until ${time}):`,
  hint: (short: string) => `Or: /approve ${short}, /deny ${short}`,
  actionHash: (sha256: string) => `SHA-256 of the action: ${sha256}`,
  inFile: (name: string, sha256: string) => `All of it is in the file ${name}, SHA-256 ${sha256}`,
  place: (kind: 'run' | 'job' | 'conversation'): string => `this ${kind}`,
  alsoOutside: (source: string) => `, also when outside text asks for it (${source})`,
  similar: (place: string, outside: string) => `Approve it, and let this very action pass again in ${place}${outside}:`,
  choice: (choice: SimilarChoice): string => choiceWords(choice, 'en'),
  mayDiffer,
  openInTask: (approval: Approval): string => `, also with ${mayDiffer(openForTask(approval))}`,
  aboutTask: (approval: Approval): string =>
    `For this task alone, within an hour, this tool passes up to ${taskChoice(0).uses} more times, also with ${mayDiffer(openForTask(approval))}. All else stays the same; what outside text asks for still asks.`,
  granted: (action: Action): readonly string[] => sayGranted(action, 'exactly as below'),
  underWay: () => 'It is being done.',
  ending: (ended: Ended): string => ENDINGS[ended],
  waitsFor: (runner: string) => `It waits for ${runner}.`,
  refusedBecause: (reason: string, id: string) =>
    `The rules refused it when it was to be done: ${reason}. Nothing was done. /why ${id}`,
  waitsUntil: (time: string) => `Waits for your yes until ${time}.`,
  approved: (who: string | undefined, time: string | undefined, ending: string) =>
    `APPROVED${byAt(who, time)}. ${ending}`,
  denied: (who: string | undefined, time: string | undefined) => `DENIED${byAt(who, time)}. It was not done.`,
  expired: (time: string | undefined, why: keyof typeof WHY_EXPIRED) =>
    `EXPIRED${byAt(undefined, time)}: ${WHY_EXPIRED[why]} It was not done.`,
};
export type CardWords = typeof CARD_WORDS;

export const cardWords = textTable(CARD_WORDS, { de: async () => (await import('./card-german.ts')).DE });

const byAt = (who: string | undefined, time: string | undefined): string =>
  `${who === undefined ? '' : ` by ${who}`}${time === undefined ? '' : ` at ${time}`}`;

/** Fields with a line of their own. Any other gets one under its name. */
const DESCRIBED = new Set(['target', 'tool', 'to', 'url', 'args', 'text', 'explanation', 'author']);

const argLines = (
  { tool, args }: DescribedAction,
  lines: readonly string[] | undefined,
  say: CardWords,
): readonly string[] => {
  if (args === undefined) return [];
  return (
    lines?.map((line) => showPlainly(say.stored(line))) ??
    describeSkill(tool, args, showPlainly) ?? [say.args(showPlainly(canonicalJson(args)))]
  );
};

/** A segment of a path, or a value after it, that looks made by a machine. */
const TOKEN = /(?<=[/=])(?=[^/&=]*\d)(?=[^/&=]*[A-Za-z])[\w.~-]{16,}/g;

/** The address of a chat service is itself a secret, and many read a card. The host stays whole. */
const maskTokens = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { origin } = new URL(url);
  const rest = url.startsWith(origin) ? url.slice(origin.length) : '';
  return rest === '' ? url : origin + rest.replace(TOKEN, (token) => `${token.slice(0, 2)}…${token.slice(-2)}`);
};

/** An action, or as much of it as a console shows. */
interface DescribedAction extends NamedAction {
  readonly url?: string | undefined;
  readonly explanation: string;
  readonly author: string;
}

/**
 * The bytes of arguments that are told in words, unless the words hold them, as those of a skill.
 */
const exactLines = (
  { tool, args }: DescribedAction,
  lines: readonly string[] | undefined,
  say: CardWords,
): readonly string[] => {
  if (lines === undefined || args === undefined || tool === 'add-skill') return [];
  const exact = canonicalJson(args);
  return lines.some((line) => line.includes(exact)) ? [] : [say.exactly(showPlainly(exact))];
};

/** @param lines the arguments in words, if the approval has them */
export const describeAction = (
  action: DescribedAction,
  lines?: readonly string[],
  say: CardWords = CARD_WORDS,
): readonly string[] => [
  ...argLines(action, lines, say),
  ...(action.text === undefined ? [] : [say.text(showPlainly(action.text))]),
  ...(action.to === undefined ? [] : [say.to(showPlainly(action.to))]),
  ...(action.url === undefined ? [] : [say.address(showPlainly(maskTokens(action.url)))]),
  ...Object.entries(action)
    .filter(([name]) => !DESCRIBED.has(name))
    .map(([name, value]) => `${showPlainly(name)}: ${showPlainly(canonicalJson(value))}`),
  ...(action.author === 'model' && action.explanation.trim() !== ''
    ? [say.modelSays(showPlainly(action.explanation))]
    : []),
  ...(isTyped(action) ? [say.why(showPlainly(action.explanation))] : []),
  say.called(action.tool, action.target),
  ...exactLines(action, lines, say),
];

type Costs = NonNullable<Approval['costs']>;
type CardAsk = NonNullable<Approval['asks']>[number];

const asksOf = ({ asks, reasons }: Approval): readonly (Omit<CardAsk, 'gate'> & { readonly gate?: string })[] =>
  asks ?? reasons.map((reason) => ({ reason }));

/** Every card has one of these, or the line about outside text says the same. */
const isUsual = (ask: ReturnType<typeof asksOf>[number]): boolean =>
  ask.gate === undefined || ask.gate === 'permissions' || ask.gate === 'provenance' || saysRights(ask);

const isEachTime = ({ gate }: ReturnType<typeof asksOf>[number]): boolean =>
  gate !== undefined && NEVER_GRANTED.has(gate);

const lookTwice = (action: Action, say: CardWords): readonly string[] => {
  const bytes = canonicalJson(action);
  const words = listLookalikes(bytes);
  const more = words.length - LOOKALIKES_MAX;
  return [
    ...words.slice(0, LOOKALIKES_MAX).map(say.lookTwice),
    ...(more > 0 ? [say.moreWords(more)] : []),
    ...(makeVisible(bytes) === bytes ? [] : [say.invisible()]),
  ];
};

const sayAsks = (asks: ReturnType<typeof asksOf>, say: CardWords): readonly string[] => {
  if (asks.length === 0) return [];
  const reasons = asks.map(({ reason }) => showPlainly(say.stored(reason))).join('; ');
  return [say.asks(reasons, asks.some(isEachTime))];
};

/** The mark of outside text comes first; no argument of the action can push away what is named. */
const unusualParts = (approval: Approval, say: CardWords): readonly string[] => [
  ...(approval.taintSource === undefined ? [] : [say.fromOutside(showPlainly(approval.taintSource))]),
  ...sayAsks(
    asksOf(approval).filter((ask) => !isUsual(ask)),
    say,
  ),
  ...lookTwice(approval.action, say),
  ...(approval.notable ?? []).map((line) => showPlainly(say.stored(line))),
  ...(isCostly(approval) ? costLines(approval, say) : []),
];

const cutPart = (part: string): string =>
  part.length <= WHY_PART_CHARS_MAX ? part : `${part.slice(0, WHY_PART_CHARS_MAX - 1).toWellFormed()}…`;

/** One line of them, and those that it does not show whole. */
const sayUnusual = (
  parts: readonly string[],
  say: CardWords,
): { readonly line: string; readonly left: readonly string[] } => {
  const cut = parts.map(cutPart);
  const fits = (count: number): boolean => cut.slice(0, count).join(' · ').length <= WHY_CHARS_MAX;
  const count = parts.findLastIndex((_, n) => fits(n + 1)) + 1;
  const more = parts.length - count;
  const line = [...cut.slice(0, count), ...(more > 0 ? [say.moreBelow(more)] : [])].join(' · ');
  return { line, left: parts.filter((part, n) => n >= count || cut[n] !== part) };
};

const isCostly = ({ costs }: Approval): boolean =>
  costs !== undefined && costs.usd > 0 && costs.usd * COSTLY_SHARE >= costs.leftUsd;

const costLines = ({ costs }: Approval, say: CardWords): readonly string[] =>
  costs === undefined || costs.usd === 0 ? [] : [say.costs(costs)];

/** Each line once: what is said before is not said again below. */
export const buildCardLines = (approval: Approval, say: CardWords = CARD_WORDS): CardLines => {
  const parts = unusualParts(approval, say);
  const { line, left } = sayUnusual(parts, say);
  const { requester, session, signalId } = approval;
  const rest = [
    ...describeAction(asShown(approval), approval.lines, say),
    ...asksOf(approval).map((ask) => say.asked(showPlainly(say.stored(ask.reason)), isEachTime(ask), ask.gate)),
    ...(requester === undefined
      ? []
      : [say.cameFrom(showPlainly(requester), showPlainly(session), showPlainly(signalId))]),
    ...(isCostly(approval) ? [] : costLines(approval, say)),
  ];
  return {
    sentence: say.sentence(approval.action),
    unusual: line === '' ? [] : [line],
    rest: [...left, ...rest.filter((one) => !parts.includes(one))],
  };
};

/** @param said visible below the two lines @param isOpen the fold says until when it waits */
const layOut = (approval: Approval, say: CardWords, said: readonly string[], isOpen = false): Card => {
  const { sentence, unusual, rest } = buildCardLines(approval, say);
  const short = shortIdOf(approval.id);
  const fold = isOpen ? say.detailsUntil(utcMinute(approval.expiresAtMs)) : say.details();
  const hints = isOpen ? [say.hint(short)] : [];
  const lay = (details: readonly string[]): string =>
    [sentence, ...unusual, ...said, fold, ...details, ...hints].join('\n');
  if ([sentence, ...unusual, ...rest].join('\n').length <= CARD_CHARS_MAX) return { text: lay(rest) };
  const file = [sentence, ...unusual, ...rest, say.actionHash(approval.actionHash), ''].join('\n');
  return { text: lay([say.inFile(`card-${short}.txt`, hash('sha256', file))]), file };
};

/** A run of a runbook and a job are conversations of their own, whatever chat has the card. */
const placeOf = ({ session }: Approval): Parameters<CardWords['place']>[0] =>
  session.startsWith('run:') ? 'run' : jobOf(session) !== undefined ? 'job' : 'conversation';

const taintWords = ({ taintSource }: Approval, say: CardWords): string =>
  taintSource === undefined ? '' : say.alsoOutside(showPlainly(taintSource));

export const buildCard = (approval: Approval, say: CardWords = CARD_WORDS): Card => layOut(approval, say, [], true);

/** The card while a person chooses how often the action may pass again. */
export const buildSimilarCard = (
  approval: Approval,
  at: number,
  say: CardWords = CARD_WORDS,
  canBeForTask = false,
): Card =>
  layOut(approval, say, [
    ...say.granted(approval.action),
    say.similar(say.place(placeOf(approval)), taintWords(approval, say)),
    ...similarChoices(at, canBeForTask).map(
      (choice) => `– ${say.choice(choice)}${choice.isForTask ? say.openInTask(approval) : ''}`,
    ),
  ]);

type Ended = 'done' | 'failed' | 'unknown' | 'refused' | 'stopped';
/** How an approved action ended, with the reason if there is one; or who has it. */
export type CardEnding = Ended | { readonly ended: Ended; readonly because: string } | { readonly waitsFor: string };

const endingWords = (ending: CardEnding | undefined, signalId: string, say: CardWords): string => {
  if (ending === undefined) return say.underWay();
  if (typeof ending === 'string') return say.ending(ending);
  if ('waitsFor' in ending) return say.waitsFor(ending.waitsFor);
  if (ending.ended === 'refused') return say.refusedBecause(showPlainly(say.stored(ending.because)), signalId);
  return `${say.ending(ending.ended).slice(0, -1)}: ${say.stored(ending.because)}.`;
};

export const verdictOf = (approval: Approval, ending: CardEnding | undefined, say: CardWords): string => {
  const who = approval.decider === undefined ? undefined : showPlainly(approval.decider);
  const time = approval.decidedAt === undefined ? undefined : utcMinute(approval.decidedAt);
  switch (approval.state) {
    case 'pending':
      return say.waitsUntil(utcMinute(approval.expiresAtMs));
    case 'approved':
    case 'spent':
      return say.approved(who, time, endingWords(ending, approval.signalId, say));
    case 'denied':
      return say.denied(who, time);
    case 'expired':
      return say.expired(time, approval.endedBecause ?? 'time');
    default:
      return approval.state satisfies never;
  }
};

/** The card once it is decided, expired or spent: the same lines, and what happened. */
export const buildCardUpdate = (approval: Approval, ending?: CardEnding, say: CardWords = CARD_WORDS): Card =>
  layOut(approval, say, [verdictOf(approval, ending, say)]);

/** The words of a grant; `verbs/approvals` has the same in German. */
export const GRANT_WORDS = {
  sentence: (grant: NamedAction): string => actionSentence(grant),
  any: (name: string) => `any ${name}`,
  like: (name: string, template: string) => `${name} like ${template}`,
  shape: (shape: Shape): string => shapeWords(shape),
  starting: (name: string, prefix: string) => `${name} starting with ${prefix}`,
  withArgs: (json: string) => `with ${json}`,
  butWith: (words: string) => `but with ${words}`,
  used: (uses: number, usesMax: number) => `used ${uses} of ${usesMax}`,
  until: (time: string) => `until ${time}`,
  where: (session: string | undefined, isForTask: boolean) =>
    session === undefined ? 'in any conversation' : `${isForTask ? 'in one task ' : ''}in ${session}`,
  outside: (source: string) => `also for outside text: ${source}`,
  by: (who: string) => `by ${who}`,
};
type GrantWords = typeof GRANT_WORDS;

const loosenedWords = (grant: Grant, say: GrantWords): string =>
  grant.loosened
    .map((rule) => {
      const name = argumentName(rule.path);
      if (rule.kind === 'any') return say.any(name);
      if (rule.kind === 'shape') return `${say.like(name, rule.template)}, ${say.shape(rule.shape)}`;
      return rule.kind === 'words' ? say.like(name, rule.template) : say.starting(name, rule.prefix);
    })
    .join(', ');

const placeOfGrant = ({ session, askedIn = session }: Grant): string | undefined =>
  askedIn === undefined ? undefined : showPlainly(askedIn);

export const describeGrant = (grant: Grant, say: GrantWords = GRANT_WORDS): string =>
  [
    `${grant.id}: ${say.sentence(grant)}`,
    ...(grant.args === undefined ? [] : [say.withArgs(showPlainly(canonicalJson(grant.args)))]),
    ...(grant.loosened.length === 0 ? [] : [say.butWith(showPlainly(loosenedWords(grant, say)))]),
    say.used(grant.uses, grant.usesMax),
    say.until(utcMinute(grant.expiresAtMs)),
    say.where(placeOfGrant(grant), grant.askedIn !== undefined),
    ...(grant.taintSource === undefined ? [] : [say.outside(showPlainly(grant.taintSource))]),
    say.by(showPlainly(grant.createdBy)),
  ].join(' · ');

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
import { argumentName, type Grant } from '../approvals/grant.ts';
import { listLookalikes } from '../approvals/mark-lookalikes.ts';
import { NO_REACH, sayGranted } from '../approvals/say-reach.ts';
import { shapeWords } from '../approvals/shape.ts';
import { showPlainly } from '../approvals/show-plainly.ts';
import { choiceWords, similarChoices } from '../approvals/similar.ts';
import { canonicalJson } from '../base/canonical.ts';
import { makeVisible } from '../base/make-visible.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { NEVER_GRANTED } from '../gates/rules/approval-fitness.ts';
import { CHANGES_RIGHTS } from '../gates/rules/high-impact.ts';
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

/** Fields with a line of their own. Any other gets one under its name. */
const DESCRIBED = new Set(['target', 'tool', 'to', 'url', 'args', 'text', 'explanation', 'author']);

const argLines = ({ tool, args }: DescribedAction, lines: readonly string[] | undefined): readonly string[] => {
  if (args === undefined) return [];
  return (
    lines?.map(showPlainly) ?? describeSkill(tool, args, showPlainly) ?? [`With: ${showPlainly(canonicalJson(args))}`]
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
const exactLines = ({ tool, args }: DescribedAction, lines: readonly string[] | undefined): readonly string[] => {
  if (lines === undefined || args === undefined || tool === 'add-skill') return [];
  const exact = canonicalJson(args);
  return lines.some((line) => line.includes(exact)) ? [] : [`Exactly: ${showPlainly(exact)}`];
};

/** @param lines the arguments in words, if the approval has them */
export const describeAction = (action: DescribedAction, lines?: readonly string[]): readonly string[] => [
  ...argLines(action, lines),
  ...(action.text === undefined ? [] : [`Text: ${showPlainly(action.text)}`]),
  ...(action.to === undefined ? [] : [`To: ${showPlainly(action.to)}`]),
  ...(action.url === undefined ? [] : [`Address: ${showPlainly(maskTokens(action.url))}`]),
  ...Object.entries(action)
    .filter(([name]) => !DESCRIBED.has(name))
    .map(([name, value]) => `${showPlainly(name)}: ${showPlainly(canonicalJson(value))}`),
  ...(action.author === 'model' && action.explanation.trim() !== ''
    ? [`The model says why: ${showPlainly(action.explanation)}`]
    : []),
  ...(isTyped(action) ? [`Why: ${showPlainly(action.explanation)}`] : []),
  `Called: ${action.tool ?? 'message'} (${action.target})`,
  ...exactLines(action, lines),
];

type Ask = NonNullable<Approval['asks']>[number];

const asksOf = ({ asks, reasons }: Approval): readonly (Omit<Ask, 'gate'> & { readonly gate?: string })[] =>
  asks ?? reasons.map((reason) => ({ reason }));

/** Every card has one of these, or the line about outside text says the same. */
const isUsual = ({ gate, reason }: ReturnType<typeof asksOf>[number]): boolean =>
  gate === undefined || gate === 'permissions' || gate === 'provenance' || reason.endsWith(CHANGES_RIGHTS);

const isEachTime = ({ gate }: ReturnType<typeof asksOf>[number]): boolean =>
  gate !== undefined && NEVER_GRANTED.has(gate);

const askLine = (ask: ReturnType<typeof asksOf>[number]): string =>
  `Asked ${isEachTime(ask) ? 'each time ' : ''}because: ${showPlainly(ask.reason)}${ask.gate === undefined ? '' : ` (${ask.gate})`}`;

const lookTwice = (action: Action): readonly string[] => {
  const bytes = canonicalJson(action);
  const words = listLookalikes(bytes);
  const more = words.length - LOOKALIKES_MAX;
  return [
    ...words.slice(0, LOOKALIKES_MAX).map((line) => `Look twice: ${line}`),
    ...(more > 0 ? [`Look twice: ${more} more such words`] : []),
    ...(makeVisible(bytes) === bytes ? [] : ['Look twice: it holds invisible characters, written out below']),
  ];
};

const sayAsks = (asks: ReturnType<typeof asksOf>): readonly string[] => {
  if (asks.length === 0) return [];
  const reasons = asks.map(({ reason }) => showPlainly(reason)).join('; ');
  return [`Asks ${asks.some(isEachTime) ? 'each time ' : ''}because ${reasons}`];
};

/** The mark of outside text comes first; no argument of the action can push away what is named. */
const unusualParts = (approval: Approval): readonly string[] => [
  ...(approval.taintSource === undefined ? [] : [`Made from outside text: ${showPlainly(approval.taintSource)}`]),
  ...sayAsks(asksOf(approval).filter((ask) => !isUsual(ask))),
  ...lookTwice(approval.action),
  ...(approval.notable ?? []).filter((line) => line !== NO_REACH).map(showPlainly),
  ...(isCostly(approval) ? costLines(approval) : []),
];

const cutPart = (part: string): string =>
  part.length <= WHY_PART_CHARS_MAX ? part : `${part.slice(0, WHY_PART_CHARS_MAX - 1).toWellFormed()}…`;

/** One line of them, and those that it does not show whole. */
const sayUnusual = (parts: readonly string[]): { readonly line: string; readonly left: readonly string[] } => {
  const cut = parts.map(cutPart);
  const fits = (count: number): boolean => cut.slice(0, count).join(' · ').length <= WHY_CHARS_MAX;
  const count = parts.findLastIndex((_, n) => fits(n + 1)) + 1;
  const more = parts.length - count;
  const line = [...cut.slice(0, count), ...(more > 0 ? [`${more} more below`] : [])].join(' · ');
  return { line, left: parts.filter((part, n) => n >= count || cut[n] !== part) };
};

const isCostly = ({ costs }: Approval): boolean =>
  costs !== undefined && costs.usd > 0 && costs.usd * COSTLY_SHARE >= costs.leftUsd;

const costLines = ({ costs }: Approval): readonly string[] =>
  costs === undefined || costs.usd === 0 ? [] : [`Costs: ${describeCosts(costs)}`];

/** Each line once: what is said before is not said again below. */
export const buildCardLines = (approval: Approval): CardLines => {
  const parts = unusualParts(approval);
  const { line, left } = sayUnusual(parts);
  const rest = [
    ...describeAction(asShown(approval), approval.lines),
    ...asksOf(approval).map(askLine),
    ...(approval.requester === undefined
      ? []
      : [
          `Came from: ${showPlainly(approval.requester)} in ${showPlainly(approval.session)}, ${showPlainly(approval.signalId)}`,
        ]),
    ...(isCostly(approval) ? [] : costLines(approval)),
  ];
  return {
    sentence: actionSentence(approval.action),
    unusual: line === '' ? [] : [line],
    rest: [...left, ...rest.filter((one) => !parts.includes(one))],
  };
};

/** @param said visible below the two lines @param isOpen the fold says until when it waits */
const layOut = (approval: Approval, said: readonly string[], isOpen = false): Card => {
  const { sentence, unusual, rest } = buildCardLines(approval);
  const short = shortIdOf(approval.id);
  const fold = isOpen ? `Details (waits for your yes until ${utcMinute(approval.expiresAtMs)}):` : 'Details:';
  const hints = isOpen ? [`Or: /approve ${short}, /deny ${short}`] : [];
  const lay = (details: readonly string[]): string =>
    [sentence, ...unusual, ...said, fold, ...details, ...hints].join('\n');
  if ([sentence, ...unusual, ...rest].join('\n').length <= CARD_CHARS_MAX) return { text: lay(rest) };
  const file = [sentence, ...unusual, ...rest, `SHA-256 of the action: ${approval.actionHash}`, ''].join('\n');
  return { text: lay([`All of it is in the file card-${short}.txt, SHA-256 ${hash('sha256', file)}`]), file };
};

/** A run of a runbook and a job are conversations of their own, whatever chat has the card. */
const placeWords = ({ session }: Approval): string =>
  session.startsWith('run:') ? 'this run' : jobOf(session) !== undefined ? 'this job' : 'this conversation';

const taintWords = ({ taintSource }: Approval): string =>
  taintSource === undefined ? '' : `, also when outside text asks for it (${showPlainly(taintSource)})`;

export const buildCard = (approval: Approval): Card => layOut(approval, [], true);

/** The card while a person chooses how often the action may pass again. */
export const buildSimilarCard = (approval: Approval, at: number): Card =>
  layOut(approval, [
    ...sayGranted(approval.action, 'exactly as below'),
    `Approve it, and let this very action pass again in ${placeWords(approval)}${taintWords(approval)}:`,
    ...similarChoices(at).map((choice) => `– ${choiceWords(choice)}`),
  ]);

type Ended = 'done' | 'failed' | 'unknown' | 'refused' | 'stopped';
/** How an approved action ended, with the reason if there is one; or who has it. */
export type CardEnding = Ended | { readonly ended: Ended; readonly because: string } | { readonly waitsFor: string };

const ENDINGS: Readonly<Record<Ended, string>> = {
  done: 'Done.',
  failed: 'It failed.',
  unknown: 'Whether it was done is not known.',
  refused: 'The rules refused it when it was to be done. Nothing was done.',
  stopped: 'It was stopped before it was done, and will not be done.',
};

const endingWords = (ending: CardEnding | undefined, signalId: string): string => {
  if (ending === undefined) return 'It is being done.';
  if (typeof ending === 'string') return ENDINGS[ending];
  if ('waitsFor' in ending) return `It waits for ${ending.waitsFor}.`;
  if (ending.ended === 'refused')
    return `The rules refused it when it was to be done: ${showPlainly(ending.because)}. Nothing was done. /why ${signalId}`;
  return `${ENDINGS[ending.ended].slice(0, -1)}: ${ending.because}.`;
};

const WHY_EXPIRED = {
  time: 'nobody decided in time.',
  policy: 'the rules have changed since it was asked for, or its chat was removed.',
  refused: 'approved, and refused before it was done.',
} as const;

const verdictOf = (approval: Approval, ending: CardEnding | undefined): string => {
  const who = approval.decider === undefined ? '' : ` by ${showPlainly(approval.decider)}`;
  const when = approval.decidedAt === undefined ? '' : ` at ${utcMinute(approval.decidedAt)}`;
  switch (approval.state) {
    case 'pending':
      return `Waits for your yes until ${utcMinute(approval.expiresAtMs)}.`;
    case 'approved':
    case 'spent':
      return `APPROVED${who}${when}. ${endingWords(ending, approval.signalId)}`;
    case 'denied':
      return `DENIED${who}${when}. It was not done.`;
    case 'expired':
      return `EXPIRED${when}: ${WHY_EXPIRED[approval.endedBecause ?? 'time']} It was not done.`;
    default:
      return approval.state satisfies never;
  }
};

/** The card once it is decided, expired or spent: the same lines, and what happened. */
export const buildCardUpdate = (approval: Approval, ending?: CardEnding): Card =>
  layOut(approval, [verdictOf(approval, ending)]);

const loosenedWords = (grant: Grant): string =>
  grant.loosened
    .map((rule) => {
      const name = argumentName(rule.path);
      if (rule.kind === 'any') return `any ${name}`;
      if (rule.kind === 'shape') return `${name} like ${rule.template}, ${shapeWords(rule.shape)}`;
      return rule.kind === 'words' ? `${name} like ${rule.template}` : `${name} starting with ${rule.prefix}`;
    })
    .join(', ');

export const describeGrant = (grant: Grant): string =>
  [
    `${grant.id}: ${actionSentence(grant)}`,
    ...(grant.args === undefined ? [] : [`with ${showPlainly(canonicalJson(grant.args))}`]),
    ...(grant.loosened.length === 0 ? [] : [`but with ${showPlainly(loosenedWords(grant))}`]),
    `used ${grant.uses} of ${grant.usesMax}`,
    `until ${utcMinute(grant.expiresAtMs)}`,
    grant.session === undefined ? 'in any conversation' : `in ${showPlainly(grant.session)}`,
    ...(grant.taintSource === undefined ? [] : [`also for outside text: ${showPlainly(grant.taintSource)}`]),
    `by ${showPlainly(grant.createdBy)}`,
  ].join(' · ');

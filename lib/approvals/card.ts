/**
 * What a person reads before and after deciding on an action. Everything the action holds is on the card, with nothing
 * hidden in it: one line a field, invisible characters and long gaps written out, the model's words named as the model's.
 * A card that does not fit one message of its channel is no card: what cannot be seen whole cannot be approved there (I5).
 * Pure; times and names come from the approval's record.
 */

import { canonicalJson } from '../base/canonical.ts';
import { makeVisible } from '../base/make-visible.ts';
import { describeCosts } from '../money/describe-spending.ts';
import type { Action } from '../signal/action.ts';
import type { Approval } from './approval.ts';
import { markLookalikes } from './mark-lookalikes.ts';
import { choiceWords, similarChoices } from './similar.ts';

/** An approval card's description: one Telegram message, with room left for what became of it. */
export const CARD_CHARS_MAX = 3_600;
/** Spaces in a row that a card shows as they are: longer gaps could push what follows out of sight. */
const CARD_GAP_CHARS_MAX = 8;

export interface Card {
  readonly text: string;
  /** Every field is on it, so that it may be decided where it is shown. */
  readonly isWhole: boolean;
}

/** Characters that look like nothing or like a space, beside those `makeVisible` knows. */
const LOOKS_EMPTY = /[\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
const GAP = new RegExp(` {${CARD_GAP_CHARS_MAX + 1},}`, 'gu');

/**
 * One line, in which what is seen is what is there: nothing hidden, and look-alike letters named.
 */
export const shown = (text: string): string =>
  markLookalikes(makeVisible(text))
    .replace(LOOKS_EMPTY, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(GAP, (gap) => ` \\u{20}×${gap.length} `);

/** Fields told in words of their own; any other field an action ever gets is shown under its name. */
const TOLD = new Set(['target', 'tool', 'to', 'url', 'args', 'text', 'explanation', 'author']);

/** Every field of the action a person is asked to approve, one line each. */
export const describeAction = (action: Action): readonly string[] => [
  `What: ${action.tool ?? 'message'} (${action.target})`,
  ...(action.to === undefined ? [] : [`To: ${shown(action.to)}`]),
  ...(action.url === undefined ? [] : [`Address: ${shown(action.url)}`]),
  ...(action.args === undefined ? [] : [`With: ${shown(canonicalJson(action.args))}`]),
  ...(action.text === undefined ? [] : [`Text: ${shown(action.text)}`]),
  ...Object.entries(action)
    .filter(([name]) => !TOLD.has(name))
    .map(([name, value]) => `${shown(name)}: ${shown(canonicalJson(value))}`),
  ...(action.author === 'model' ? [`The model says why: ${shown(action.explanation)}`] : []),
  ...(action.author === 'owner' ? [`Why: ${shown(action.explanation)}`] : []),
];

const clock = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const circumstances = (approval: Approval): readonly string[] => [
  ...(approval.asks ?? []).map(({ gate, reason }) => `Asked because: ${shown(reason)} (${gate})`),
  ...(approval.asks === undefined ? approval.reasons.map((reason) => `Asked because: ${shown(reason)}`) : []),
  ...(approval.requester === undefined
    ? []
    : [`Came from: ${shown(approval.requester)} in ${shown(approval.session)}, ${shown(approval.signalId)}`]),
  ...(approval.taintSource === undefined ? [] : [`Made from outside text: ${shown(approval.taintSource)}`]),
];

const costs = ({ costs: stored }: Approval): readonly string[] =>
  stored === undefined ? [] : [`Costs: ${describeCosts(stored)}`];

const expiry = (approval: Approval): string => `Expires: ${clock(approval.expiresAtMs)}`;

/** All lines, or, where they are too many, what it is about and where to read it. */
const body = (approval: Approval): { readonly lines: readonly string[]; readonly isWhole: boolean } => {
  const whole = [...describeAction(approval.action), ...circumstances(approval), ...costs(approval)];
  if (whole.join('\n').length <= CARD_CHARS_MAX) return { lines: whole, isWhole: true };
  const { tool, target } = approval.action;
  return {
    lines: [`What: ${tool ?? 'message'} (${target})`, 'It is too long to be shown here whole.'],
    isWhole: false,
  };
};

const taintWords = ({ taintSource }: Approval): string =>
  taintSource === undefined ? '' : `, also when outside text asks for it (${shown(taintSource)})`;

export const buildCard = (approval: Approval): Card => {
  const { lines, isWhole } = body(approval);
  const how = isWhole
    ? 'Use the buttons, or "npx passepartout approvals" and "npx passepartout approve <id>".'
    : 'It cannot be decided here: "npx passepartout approvals" shows all of it, "npx passepartout approve <id>" approves.';
  const similar = isWhole
    ? ['“Allow similar…” first shows how often and until when this very action may pass again.']
    : [];
  return { text: ['This needs your approval:', ...lines, expiry(approval), ...similar, how].join('\n'), isWhole };
};

/**
 * The card while a person chooses how often the very same may pass again. @param at when it is
 * shown, epoch milliseconds
 */
export const buildSimilarCard = (approval: Approval, at: number): string =>
  [
    'This needs your approval:',
    ...body(approval).lines,
    `Approve it, and let this very action pass again in this conversation${taintWords(approval)}:`,
    ...similarChoices(at).map((choice) => `– ${choiceWords(choice)}`),
  ].join('\n');

/** How an approved action ended; absent while it is under way. */
export type CardEnding = 'done' | 'failed' | 'unknown' | 'refused' | 'stopped';

const ENDINGS: Readonly<Record<CardEnding, string>> = {
  done: 'Done.',
  failed: 'It failed.',
  unknown: 'Whether it was done is not known.',
  refused: 'It was refused at the last mile and not done.',
  stopped: 'It was stopped before it was done, and will not be done.',
};

const WHY_EXPIRED = {
  time: 'nobody decided in time.',
  policy: 'the rules have changed since it was asked for.',
  refused: 'approved, and refused before it was done.',
} as const;

const verdictOf = (approval: Approval, ending: CardEnding | undefined): string => {
  const who = approval.decider === undefined ? '' : ` by ${shown(approval.decider)}`;
  const when = approval.decidedAt === undefined ? '' : ` at ${clock(approval.decidedAt)}`;
  switch (approval.state) {
    case 'pending':
      return expiry(approval);
    case 'approved':
    case 'spent':
      return `APPROVED${who}${when}. ${ending === undefined ? 'It is being done.' : ENDINGS[ending]}`;
    case 'denied':
      return `DENIED${who}${when}. It was not done.`;
    case 'expired':
      return `EXPIRED${when}: ${WHY_EXPIRED[approval.endedBecause ?? 'time']} It was not done.`;
    default:
      return approval.state satisfies never;
  }
};

/** The card once it is decided, expired or spent: the same lines, and what became of it, by whom and when. */
export const buildCardUpdate = (approval: Approval, ending?: CardEnding): string =>
  [...body(approval).lines, verdictOf(approval, ending)].join('\n');

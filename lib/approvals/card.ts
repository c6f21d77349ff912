/**
 * The texts a person reads before and after deciding on an action, and about a grant. A card shows
 * every field of the action with nothing hidden in it: one line a field, invisible characters and
 * long gaps written out, the model's words named as the model's. A card that does not fit one
 * message cannot be decided there (I5). Pure.
 */
import { canonicalJson } from '../base/canonical.ts';
import { describeCosts } from '../money/describe-spending.ts';
import type { Action } from '../signal/action.ts';
import { isStepId } from '../signal/ids.ts';
import { type Approval, shortIdOf } from './approval.ts';
import { describeSkill } from './describe-skill.ts';
import type { Grant } from './grant.ts';
import { showPlainly } from './show-plainly.ts';
import { choiceWords, similarChoices } from './similar.ts';

/** The description fits one Telegram message, with room for how the action ended. */
export const CARD_CHARS_MAX = 3_600;

export interface Card {
  readonly text: string;
  /** Every field is on it, so it may be decided where it is shown. */
  readonly isWhole: boolean;
}

/**
 * Fields with a line of their own. Any other field that an action ever gets is shown under its
 * name.
 */
const DESCRIBED = new Set(['target', 'tool', 'to', 'url', 'args', 'text', 'explanation', 'author']);

const argLines = ({ tool, args }: Action, lines: readonly string[] | undefined): readonly string[] => {
  if (args === undefined) return [];
  return (
    lines?.map(showPlainly) ?? describeSkill(tool, args, showPlainly) ?? [`With: ${showPlainly(canonicalJson(args))}`]
  );
};

/** @param lines the arguments in words, if the approval has them */
export const describeAction = (action: Action, lines?: readonly string[]): readonly string[] => [
  `What: ${action.tool ?? 'message'} (${action.target})`,
  ...(action.to === undefined ? [] : [`To: ${showPlainly(action.to)}`]),
  ...(action.url === undefined ? [] : [`Address: ${showPlainly(action.url)}`]),
  ...argLines(action, lines),
  ...(action.text === undefined ? [] : [`Text: ${showPlainly(action.text)}`]),
  ...Object.entries(action)
    .filter(([name]) => !DESCRIBED.has(name))
    .map(([name, value]) => `${showPlainly(name)}: ${showPlainly(canonicalJson(value))}`),
  ...(action.author === 'model' ? [`The model says why: ${showPlainly(action.explanation)}`] : []),
  ...(action.author === 'owner' ? [`Why: ${showPlainly(action.explanation)}`] : []),
];

const clock = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const circumstances = (approval: Approval): readonly string[] => [
  ...(approval.asks ?? []).map(({ gate, reason }) => `Asked because: ${showPlainly(reason)} (${gate})`),
  ...(approval.asks === undefined ? approval.reasons.map((reason) => `Asked because: ${showPlainly(reason)}`) : []),
  ...(approval.requester === undefined
    ? []
    : [
        `Came from: ${showPlainly(approval.requester)} in ${showPlainly(approval.session)}, ${showPlainly(approval.signalId)}`,
      ]),
  ...(approval.taintSource === undefined ? [] : [`Made from outside text: ${showPlainly(approval.taintSource)}`]),
];

const costs = ({ costs: stored }: Approval): readonly string[] =>
  stored === undefined ? [] : [`Costs: ${describeCosts(stored)}`];

const expiry = (approval: Approval): string => `Expires: ${clock(approval.expiresAtMs)}`;

/** The action with its author as people are told: no model proposed the step of a runbook. */
export const asShown = ({ action, signalId }: Pick<Approval, 'action' | 'signalId'>): Action =>
  isStepId(signalId) ? { ...action, author: 'owner' } : action;

/** @returns all lines; if they are too many, only what it is about */
const buildLines = (approval: Approval): { readonly lines: readonly string[]; readonly isWhole: boolean } => {
  const whole = [...describeAction(asShown(approval), approval.lines), ...circumstances(approval), ...costs(approval)];
  if (whole.join('\n').length <= CARD_CHARS_MAX) return { lines: whole, isWhole: true };
  const { tool, target } = approval.action;
  return {
    lines: [`What: ${tool ?? 'message'} (${target})`, 'It is too long to be shown here whole.'],
    isWhole: false,
  };
};

const taintWords = ({ taintSource }: Approval): string =>
  taintSource === undefined ? '' : `, also when outside text asks for it (${showPlainly(taintSource)})`;

export const buildCard = (approval: Approval): Card => {
  const { lines, isWhole } = buildLines(approval);
  const id = shortIdOf(approval.id);
  const how = isWhole
    ? `Use the buttons, write /approve ${id} or /deny ${id}, or run "npx passepartout approve ${id}".`
    : `It cannot be decided here: "npx passepartout approvals" shows all of it, "npx passepartout approve ${id}" approves.`;
  const similar = isWhole
    ? ['“Allow similar…” first shows how often and until when this very action may pass again.']
    : [];
  return { text: ['This needs your approval:', ...lines, expiry(approval), ...similar, how].join('\n'), isWhole };
};

/**
 * The card while a person chooses how often the same action may pass again. @param at when it is
 * shown
 */
export const buildSimilarCard = (approval: Approval, at: number): string =>
  [
    'This needs your approval:',
    ...buildLines(approval).lines,
    `Approve it, and let this very action pass again in this conversation${taintWords(approval)}:`,
    ...similarChoices(at).map((choice) => `– ${choiceWords(choice)}`),
  ].join('\n');

type Ended = 'done' | 'failed' | 'unknown' | 'refused' | 'stopped';
/** How an approved action ended and, if a runner had it, why; or the runner that has it. */
export type CardEnding = Ended | { readonly ended: Ended; readonly because: string } | { readonly waitsFor: string };

const ENDINGS: Readonly<Record<Ended, string>> = {
  done: 'Done.',
  failed: 'It failed.',
  unknown: 'Whether it was done is not known.',
  refused: 'It was refused at the last mile and not done.',
  stopped: 'It was stopped before it was done, and will not be done.',
};

const endingWords = (ending: CardEnding | undefined): string => {
  if (ending === undefined) return 'It is being done.';
  if (typeof ending === 'string') return ENDINGS[ending];
  if ('waitsFor' in ending) return `It waits for ${ending.waitsFor}.`;
  return `${ENDINGS[ending.ended].slice(0, -1)}: ${ending.because}.`;
};

const WHY_EXPIRED = {
  time: 'nobody decided in time.',
  policy: 'the rules have changed since it was asked for.',
  refused: 'approved, and refused before it was done.',
} as const;

const verdictOf = (approval: Approval, ending: CardEnding | undefined): string => {
  const who = approval.decider === undefined ? '' : ` by ${showPlainly(approval.decider)}`;
  const when = approval.decidedAt === undefined ? '' : ` at ${clock(approval.decidedAt)}`;
  switch (approval.state) {
    case 'pending':
      return expiry(approval);
    case 'approved':
    case 'spent':
      return `APPROVED${who}${when}. ${endingWords(ending)}`;
    case 'denied':
      return `DENIED${who}${when}. It was not done.`;
    case 'expired':
      return `EXPIRED${when}: ${WHY_EXPIRED[approval.endedBecause ?? 'time']} It was not done.`;
    default:
      return approval.state satisfies never;
  }
};

/**
 * The card once the approval is decided, expired or spent: the same lines, and what happened, by
 * whom and when.
 */
export const buildCardUpdate = (approval: Approval, ending?: CardEnding): string =>
  [...buildLines(approval).lines, verdictOf(approval, ending)].join('\n');

const loosenedWords = (grant: Grant): string =>
  grant.loosened
    .map((rule) => {
      if (rule.kind === 'any') return `${rule.path} anything`;
      return rule.kind === 'words' ? `${rule.path} like ${rule.template}` : `${rule.path} starting with ${rule.prefix}`;
    })
    .join(', ');

export const describeGrant = (grant: Grant): string =>
  [
    `${grant.id}: ${showPlainly(grant.tool ?? 'message')} (${grant.target}${grant.to === undefined ? '' : `, ${showPlainly(grant.to)}`})`,
    ...(grant.args === undefined ? [] : [`with ${showPlainly(canonicalJson(grant.args))}`]),
    ...(grant.loosened.length === 0 ? [] : [`except ${showPlainly(loosenedWords(grant))}`]),
    `used ${grant.uses} of ${grant.usesMax}`,
    `until ${clock(grant.expiresAtMs)}`,
    grant.session === undefined ? 'in any conversation' : `in ${showPlainly(grant.session)}`,
    ...(grant.taintSource === undefined ? [] : [`also for outside text: ${showPlainly(grant.taintSource)}`]),
    `by ${showPlainly(grant.createdBy)}`,
  ].join(' · ');

/** The lines of an offer's card: what a yes would change, and the evidence. Pure. */
import type { Approval } from '../../core/approvals/approval.ts';
import { describeSkill } from '../../core/approvals/describe-skill.ts';
import { argumentName } from '../../core/approvals/grant.ts';
import { sayGranted, sayReach } from '../../core/approvals/say-reach.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import { describeAction } from '../../core/judge/card.ts';
import { isTyped } from '../../core/signal/ids.ts';
import { type Mark, UNMARKED } from '../../core/tools/marks.ts';
import type { PolicyFlip, PolicyTrial } from '../policy/try-policy.ts';
import type { Offer } from './offer.ts';

/** Past decisions that the card of a rule lists; the others are counted. */
const FLIPS_SHOWN_MAX = 8;
const HOURS_A_DAY = 24;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const evidenceLine = ({ evidence }: Offer): string =>
  `Evidence: ${evidence.map(({ id, at }) => `${id} (${dayOf(at)})`).join(', ')}`;

/** The facts for an offer's card beside the offer itself. */
export interface OfferFacts {
  /** The approval that a grant is made from. */
  readonly approval?: Approval | undefined;
  /** The past decisions that a rule would have changed. */
  readonly trial?: PolicyTrial | undefined;
  /** How far back it looked, in words. */
  readonly tried?: string | undefined;
  /** The kinds of action that a rule newly allows or ends. */
  readonly reach?: readonly string[] | undefined;
}

const grantLines = (
  { count, hours, loosen }: Extract<Offer, { kind: 'grant' }>,
  { approval }: OfferFacts,
  mark: Mark,
): readonly string[] => {
  if (approval === undefined) return [mark('The action it was made from is gone.')];
  const { action } = approval;
  const [rule] = loosen;
  const how =
    rule === undefined || rule.kind === 'words' || rule.kind === 'shape'
      ? 'exactly as below'
      : `as below, with any ${argumentName(rule.path)}${rule.kind === 'any' ? '' : ` that starts with “${rule.prefix}”`}`;
  return [
    ...sayGranted(action, how, mark),
    `You approved this ${count} times and never denied it.`,
    `A yes makes a grant: ${count} more times within ${hours / HOURS_A_DAY} days in ${approval.session}, ${how}.`,
    ...describeAction(isTyped(action) ? action : { ...action, explanation: '' }, approval.lines),
  ];
};

const flipLine = ({ signalId, where, before, after }: PolicyFlip): string =>
  `  ${signalId}, ${where}: ${before} → ${after}`;

const ruleLines = (
  { rule, evidence }: Extract<Offer, { kind: 'rule' }>,
  { trial, tried, reach = [] }: OfferFacts,
): readonly string[] => {
  const flips = trial?.flips ?? [];
  const rest = flips.length - FLIPS_SHOWN_MAX;
  return [
    ...reach,
    `You denied this ${evidence.length} times and never approved it.`,
    'A yes adds this rule to your policy:',
    ...rule.split('\n').map((line) => `  ${line}`),
    trial === undefined
      ? 'What it would have changed in the past could not be tried.'
      : `${tried} it would have changed ${flips.length} of ${trial.actionCount} actions.`,
    ...flips.slice(0, FLIPS_SHOWN_MAX).map(flipLine),
    ...(rest > 0 ? [`  … ${rest} more`] : []),
    'New rules end the grants and open approvals of before. npx passepartout policy show shows them.',
  ];
};

const adviceLines = ({ tool, reason, evidence, advice, command }: Extract<Offer, { kind: 'advice' }>) => [
  `${tool} failed ${evidence.length} times for the same reason: ${reason}`,
  advice,
  ...(command === undefined ? [] : [`The command: ${command}`]),
  'A yes changes nothing: it says that you know.',
];

const skillLines = ({ files, evidence }: Extract<Offer, { kind: 'skill' }>, mark: Mark): readonly string[] => [
  // Such a skill has a text and words that call for it.
  ...sayReach(new Map(), new Map(), mark),
  `You said the same on ${evidence.length} days.`,
  'A yes puts this skill in force:',
  ...(describeSkill('add-skill', { files, trust: 'owner' }, makeVisible) ?? []),
];

const linesOf = (offer: Offer, facts: OfferFacts, mark: Mark): readonly string[] => {
  switch (offer.kind) {
    case 'grant':
      return grantLines(offer, facts, mark);
    case 'rule':
      return ruleLines(offer, facts);
    case 'advice':
      return adviceLines(offer);
    case 'skill':
      return skillLines(offer, mark);
    default:
      return offer satisfies never;
  }
};

export const describeOffer = (offer: Offer, facts: OfferFacts, mark: Mark = UNMARKED): readonly string[] => [
  ...linesOf(offer, facts, mark),
  evidenceLine(offer),
  'A no is kept: it is not offered again.',
];

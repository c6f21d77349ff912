/** The form of `accept-offer`: what its card shows, and never folds. */
import { REACH_LINE } from '../approvals/say-reach.ts';
import { parseWith } from '../base/json.ts';
import { argumentProblems } from './argument-problems.ts';
import { sayEndedCards } from './ended-cards.ts';
import { OfferArgs } from './offer.ts';
import type { ToolForm } from './tool.ts';

const STALE =
  /^(?:The evidence cannot be read here|Its evidence does not support this|The action it was made from is gone)/;

/** The card is written where the evidence can be read. */
export const OFFER_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => argumentProblems({ args: OfferArgs, fields: ['offer'] }, args),
  describe: async (args, context) => {
    const { offer } = parseWith('the offer', args, OfferArgs);
    if (context.describeOffer === undefined) return ['The evidence cannot be read here: do not approve this.'];
    const lines = await context.describeOffer(offer);
    return offer.kind === 'rule' ? [...lines, ...(await sayEndedCards(context))] : lines;
  },
  notable: (lines) =>
    lines.filter((line) => STALE.test(line) || REACH_LINE.test(line) || line.startsWith('CHANGED rules:')),
};

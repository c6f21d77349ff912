/** The form of `accept-offer`: what its card shows, and never folds. */
import { parseWith } from '../base/json.ts';
import { argumentProblems } from './argument-problems.ts';
import { sayEndedCards } from './ended-cards.ts';
import { UNMARKED } from './marks.ts';
import { OfferArgs } from './offer.ts';
import type { ToolForm } from './tool.ts';

/** The card is written where the evidence can be read. */
export const OFFER_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => argumentProblems({ args: OfferArgs, fields: ['offer'] }, args),
  describe: async (args, context, mark = UNMARKED) => {
    const { offer } = parseWith('the offer', args, OfferArgs);
    if (context.describeOffer === undefined) return [mark('The evidence cannot be read here: do not approve this.')];
    const lines = await context.describeOffer(offer, mark);
    return offer.kind === 'rule' ? [...lines, ...(await sayEndedCards(context, mark))] : lines;
  },
};

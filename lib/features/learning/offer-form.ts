/** The form of `accept-offer`: what its card shows, and never folds. */
import { parseWith } from '../../core/base/json.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { sayEndedCards } from '../../core/tools/ended-cards.ts';
import { UNMARKED } from '../../core/tools/marks.ts';
import type { ToolForm } from '../../core/tools/tool.ts';
import { OfferArgs } from './offer.ts';

/** The card is written where the evidence can be read. */
export const OFFER_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => argumentProblems({ args: OfferArgs, fields: ['offer'] }, args),
  describe: async (args, context, mark = UNMARKED) => {
    const { offer } = parseWith('the offer', args, OfferArgs);
    const learning = (await context.loadPowers?.())?.learning;
    if (learning === undefined) return [mark('The evidence cannot be read here: do not approve this.')];
    const lines = await learning.describe(offer, context.now, mark);
    return offer.kind === 'rule' ? [...lines, ...(await sayEndedCards(context, mark))] : lines;
  },
};

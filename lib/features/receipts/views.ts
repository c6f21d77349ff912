/** The offer of receipts below `/why`. */
import { askIn, receiptChoice } from '../../core/judge/code-choices.ts';
import type { FeatureViews, ToldSignal } from '../../core/operations/feature-views.ts';
import { sendsMessages } from '../../core/signal/channels.ts';
import { receiptTexts } from './texts.ts';

/** Actions of one decision that have a button. */
const RECEIPT_BUTTONS_MAX = 4;

/** Actions that were performed, and are more than the answer or a notice: `<signal>#<n>`. */
export const deedsOf = ({ record, decision, effects }: ToldSignal): readonly string[] =>
  effects.flatMap(({ n, state }) => {
    const { action, facts = [] } = decision?.actions[n] ?? {};
    const isDeed = state === 'done' && action?.author !== 'code' && facts.at(-1)?.isPlainReply === false;
    return isDeed ? [`${record.signal.id}#${n}`] : [];
  });

export const RECEIPT_VIEWS: FeatureViews = {
  /** A chat with buttons asks, and an approver's tap is the command; others are told its words. */
  offer: async (told, { asker, language }) => {
    const deeds = deedsOf(told).slice(0, RECEIPT_BUTTONS_MAX);
    if (asker === undefined || deeds.length === 0) return { lines: [] };
    const say = await receiptTexts.in(language);
    const isTapped = sendsMessages(asker.reply.target) && asker.sender.isApprover;
    if (!isTapped) return { lines: deeds.map(say.proof) };
    const choices = [...deeds.map(receiptChoice), 'no'];
    return { lines: askIn(language, say.aboutProof(told.record.signal.id), choices), choices };
  },
};

/** A yes or no that is typed as a word of its own. Pure. */
import { isGroup } from '../../signal/channels.ts';
import type { Signal } from '../../signal/signal.ts';

/** As people type it below a card, in English and German. */
const YES_OR_NO =
  /^(?:y|yes|yep|ok|okay|sure|approve|n|no|nope|deny|j|ja|jep|klar|freigeben|nein|nee|ablehnen|abbrechen)[\s.!]*$/i;

/** The words of an approver's message, without those of others; empty for another signal. */
export const ownWords = ({ payload, sender }: Signal): string => {
  if (payload.sensor !== 'chat-message' || !sender.isApprover) return '';
  return payload.text.flatMap(({ text, origin }) => (origin === 'owner' ? [text.trim()] : [])).join(' ');
};

/** Whether the words are no more than that, of a person whose tap on a card here would count. */
export const isBareAnswer = (signal: Signal): boolean => !isGroup(signal.reply) && YES_OR_NO.test(ownWords(signal));

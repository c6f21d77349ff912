/** A yes or no that is typed as a word of its own. Pure. */
import { isGroup } from '../../signal/channels.ts';
import type { Signal } from '../../signal/signal.ts';

/** As people type it below a card, in the languages of the page. */
const YES_OR_NO = /^(?:y|yes|yep|ok|okay|sure|approve|n|no|nope|deny|ja|nein)[\s.!]*$/i;

/** Whether the words are no more than that, of a person whose tap on a card here would count. */
export const isBareAnswer = ({ payload, sender, reply }: Signal): boolean => {
  if (payload.sensor !== 'chat-message' || !sender.isApprover || isGroup(reply)) return false;
  const own = payload.text.flatMap(({ text, origin }) => (origin === 'owner' ? [text.trim()] : []));
  return YES_OR_NO.test(own.join(' '));
};

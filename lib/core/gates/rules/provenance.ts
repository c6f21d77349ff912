/**
 * Text made from outside text leaves the space only with a person's approval (I13).
 * - changes: such a text, so that no link in it opens but those in `facts.knownUrls`. The choice
 *   among many links could carry something away, so links that were only read do not stay
 * - asks: origin `outside`, if the action leaves the space and is no plain reply
 * - lets through: plain replies; tools and system messages, which stay inside; origins `owner` and
 *   `agent`; a read that its owner let pass, if it carries nothing but the owner's own words
 */

import { type Action, isText } from '../../signal/action.ts';
import { sendsMessages } from '../../signal/channels.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { defang } from '../../text/tappable.ts';
import { isPlainReply, kindName } from './action-kind.ts';

/** All but what stays inside; so a target that nobody knows leaves. */
const isLeaving = ({ target }: Action): boolean => {
  switch (target) {
    case 'tool':
    case 'system':
      return false;
    default:
      return true;
  }
};

const NOTE = '(Links in what others wrote are shown so that they cannot be opened.)';

/** Undefined if the action may be shown as it is. */
const withoutLinks = (action: Action, { knownUrls }: Facts): Action | undefined => {
  if (sendsMessages(action.target)) {
    const isSame =
      action.links?.length === knownUrls.length && knownUrls.every((url, at) => url === action.links?.[at]);
    return isSame ? undefined : { ...action, links: [...knownUrls] };
  }
  const text = defang(action.text ?? '', knownUrls);
  return text === action.text ? undefined : { ...action, text: `${text}\n\n${NOTE}` };
};

export const checkProvenance = (action: Action, facts: Facts): Verdict => {
  if (facts.origin !== 'outside') return PASS;
  const changed = isText(action) && action.author !== 'code' ? withoutLinks(action, facts) : undefined;
  if (changed !== undefined) {
    return {
      verdict: 'modify',
      reason: 'made from outside text: only the links it may show can be opened',
      action: changed,
    };
  }
  if (!isLeaving(action) || isPlainReply(action, facts)) return PASS;
  if (facts.passingRead?.isOwnWords === true && !isText(action))
    return { verdict: 'pass', reason: "a read that its owner let pass, with nothing but the owner's own words in it" };
  return {
    verdict: 'ask',
    reason: `${kindName(action)} was made from outside text and would leave the space: a person must approve it`,
  };
};

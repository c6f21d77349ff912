/**
 * Taint follows origin (I13): what was made from outside text leaves the space only with a person's approval.
 * - changes: a text made from outside text, so that no link in it opens but those the facts name.
 *   Telegram shows the others as code; places that cannot do this get them spelled so that nothing
 *   opens them. Neither an address put together from outside text nor one that was only read stays:
 *   which of forty read links a reply repeats can carry something away
 * - asks: origin `outside`, and the action leaves the space (webhook, text to a recipient) without being a plain reply
 * - lets through: plain replies, tools and system messages (they stay inside; what they write stays `outside`), and
 *   everything whose origin is `owner` or `agent`
 */
import { type Action, isText } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { defang } from '../../text/tappable.ts';
import { isPlainReply, kindName } from './action-kind.ts';

const isLeaving = (action: Action): boolean => {
  switch (action.target) {
    case 'webhook':
    case 'telegram':
    case 'console':
      return true;
    case 'tool':
    case 'system':
      return false;
    default:
      action.target satisfies never;
      return true;
  }
};

const NOTE = '(Links in what others wrote are shown so that they cannot be opened.)';

/** The action as it may be shown; undefined where it is so already. */
const withoutLinks = (action: Action, { knownUrls }: Facts): Action | undefined => {
  if (action.target === 'telegram') {
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
  return {
    verdict: 'ask',
    reason: `${kindName(action)} was made from outside text and would leave the space: a person must approve it`,
  };
};

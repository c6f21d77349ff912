/**
 * Taint follows origin (I13): what was made from outside text leaves the space only with a person's approval.
 * - changes: in a plain reply or a note made from outside text, URLs that stand nowhere in what was read are written so that
 *   nothing makes a link of them: a URL put together from outside text could carry away what it is put together with, and
 *   one kept in a note would later count as read
 * - asks: origin `outside`, and the action leaves the space (webhook, text to a recipient) without being a plain reply
 * - lets through: plain replies, tools and system messages (they stay inside; what they write stays `outside`), and
 *   everything whose origin is `owner` or `agent`
 */
import type { Action } from '../signal/action.ts';
import { isPlainReply, kindName } from './action-kind.ts';
import type { Facts } from './facts.ts';
import { PASS, type Verdict } from './gate.ts';
import { isKeeping, mapLinkTexts } from './link-texts.ts';
import { inertUrl, mapUrls } from './urls-in-text.ts';

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

const NOTE = '(Links that stand nowhere in what I read are shown so that they cannot be opened.)';

const withInertUrls = (action: Action, facts: Facts): Verdict => {
  const known = new Set(facts.knownUrls);
  let isChanged = false;
  const disarm = (text: string): string => {
    const inert = mapUrls(text, (url) => (known.has(url) ? url : inertUrl(url)));
    if (inert === text) return text;
    isChanged = true;
    return isKeeping(action) || inert.endsWith(NOTE) ? inert : `${inert}\n\n${NOTE}`;
  };
  const changed = mapLinkTexts(action, disarm);
  if (!isChanged) return PASS;
  return {
    verdict: 'modify',
    reason: 'made from outside text, it holds a link that stands nowhere in what was read',
    action: changed,
  };
};

export const checkProvenance = (action: Action, facts: Facts): Verdict => {
  if (facts.origin !== 'outside') return PASS;
  if (isKeeping(action)) return withInertUrls(action, facts);
  if (!isLeaving(action)) return PASS;
  if (isPlainReply(action, facts)) return action.author === 'code' ? PASS : withInertUrls(action, facts);
  return {
    verdict: 'ask',
    reason: `${kindName(action)} was made from outside text and would leave the space: a person must approve it`,
  };
};

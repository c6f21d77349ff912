/**
 * Taint follows origin (I13): what was made from outside text leaves the space only with a person's approval.
 * - asks: origin `outside`, and the action leaves the space (webhook, text to a recipient) without being a plain reply
 * - lets through: plain replies, tools and system messages (they stay inside; what they write stays `outside`), and
 *   everything whose origin is `owner` or `agent`
 */
import type { Action } from '../signal/action.ts';
import { isPlainReply, kindName } from './action-kind.ts';
import type { Facts } from './facts.ts';
import { PASS, type Verdict } from './gate.ts';

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

export const checkProvenance = (action: Action, facts: Facts): Verdict => {
  if (facts.origin !== 'outside' || !isLeaving(action) || isPlainReply(action, facts)) return PASS;
  return {
    verdict: 'ask',
    reason: `${kindName(action)} was made from outside text and would leave the space: a person must approve it`,
  };
};

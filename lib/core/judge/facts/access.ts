/**
 * The person who asks, and the use of memory in the chat. Code's own texts are trusted. A member's
 * request counts as untrusted, whatever else was read.
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { isOfCode } from '../../signal/ids.ts';
import type { FactSources } from '../fact-sources.ts';

export const gatherAsker = (
  action: Action,
  {
    origin,
    turn: { askedBy = 'member', isMemoryShown = false } = {},
    state: { chatMemory = 'closed' },
  }: Pick<FactSources, 'origin' | 'turn' | 'state'>,
): Pick<Facts, 'origin' | 'askedBy' | 'chatMemory' | 'isMemoryShown'> =>
  isOfCode(action)
    ? { origin: 'agent', askedBy: 'approver', chatMemory: 'open', isMemoryShown: false }
    : { origin: askedBy === 'member' ? 'outside' : origin, askedBy, chatMemory, isMemoryShown };

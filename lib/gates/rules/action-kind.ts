/**
 * What kind of action a gate has before it, decided in one place: the few exemptions that exist hang on these answers.
 * Pure. Each answer is the narrow one: where action and facts contradict each other, nothing is exempt.
 */
import { type Action, isText, ToolName } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';

/**
 * A text built by code from a fixed template (I1): exempt from the kill switch and the explanation, and from nothing
 * else. A tool or webhook call is never one, whoever wrote it: only words may leave a stopped space.
 */
export const isFixedNotice = (action: Action): boolean =>
  action.author === 'code' && action.template !== undefined && isText(action);

/** What a person asked for by a command: code read the command, no model put it in words. */
export const isOwnerCommand = (action: Action): boolean => action.author === 'owner' && !isText(action);

/** A text to whoever asked (I13). The fact alone is not enough: a call never becomes a reply by a wrong fact. */
export const isPlainReply = (action: Action, facts: Facts): boolean => facts.isPlainReply && isText(action);

/** What to call the action in a reason: the tool where its name has the agreed form, else the target; never foreign text. */
export const kindName = (action: Action): string => {
  if (action.tool !== undefined && ToolName.safeParse(action.tool).success) return `the tool ${action.tool}`;
  return isText(action) ? `a text to ${action.target}` : `a ${action.target} call`;
};

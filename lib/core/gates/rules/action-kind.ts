/**
 * The kind of an action. The few exemptions of the gates hang on these answers, so each is narrow:
 * if action and facts contradict each other, nothing is exempt. Pure.
 */
import { type Action, isText, ToolName } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';

/**
 * A text that code built from a fixed template (I1). It is exempt from the kill switch and the
 * explanation only. A call is never one: only words may leave a stopped space.
 */
export const isFixedNotice = (action: Action): boolean =>
  action.author === 'code' && action.template !== undefined && isText(action);

/** A command that a person typed and code read: no model put it in words. */
export const isOwnerCommand = (action: Action): boolean => action.author === 'owner' && !isText(action);

/** A text to whoever asked (I13). A wrong fact alone cannot make a call a reply. */
export const isPlainReply = (action: Action, facts: Facts): boolean => facts.isPlainReply && isText(action);

/** Names the action in a reason, without foreign text: a tool without a proper name by target. */
export const kindName = (action: Action): string => {
  if (action.tool !== undefined && ToolName.safeParse(action.tool).success) return `the tool ${action.tool}`;
  return isText(action) ? `a text to ${action.target}` : `a ${action.target} call`;
};

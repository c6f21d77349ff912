/**
 * Keeps every tool to the people and chats that its row names (`access-table.ts`).
 * - stops: tools that are not for whoever began the turn; tools that read memory in a chat no
 *   approver named for it; tools without a row
 * - asks: a text to a group, made from memory, unless an approver opened that group
 * - lets through: texts and calls of code itself
 */
import { type Action, isText } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { MACHINE_ROW, type ToolRow, toolAccess } from './access-table.ts';
import { kindName } from './action-kind.ts';
import { effectsOf } from './tool-effects.ts';

const checkText = ({ isMemoryShown, chatMemory }: Facts): Verdict =>
  isMemoryShown && chatMemory !== 'open'
    ? { verdict: 'ask', reason: 'it was made from what memory gave, and this group is not opened for that' }
    : PASS;

const rowOf = (action: Action, facts: Facts): ToolRow | undefined => {
  const { runsCommand, readsFiles, writesFiles, opensUrl } = effectsOf(action, facts);
  const isMachine = [runsCommand, readsFiles, writesFiles, opensUrl].some((effect) => effect !== undefined);
  return toolAccess(action.tool ?? '') ?? (isMachine ? MACHINE_ROW : undefined);
};

export const checkAccess = (action: Action, facts: Facts): Verdict => {
  if (action.author === 'code') return PASS;
  if (isText(action)) return checkText(facts);
  const row = rowOf(action, facts);
  if (row === undefined) return { verdict: 'block', reason: 'the table of who may use what has no row for this tool' };
  if (!row.who.includes(facts.askedBy))
    return { verdict: 'block', reason: `${kindName(action)} is not for whoever began this turn` };
  return row.where === 'named' && facts.chatMemory === 'closed'
    ? {
        verdict: 'block',
        reason: `${kindName(action)} reads what is private, and no approver has named this group for it`,
      }
    : PASS;
};

/**
 * Which actions of one answer may be performed at the same time: neighbours that only read what is ours and that nobody is
 * asked about. Everything else keeps its turn, so that a read after a write sees what was written. Pure.
 */
import type { Decision, JudgedAction } from '../../signal/decision.ts';
import type { ActMessage } from '../../signal/messages.ts';
import { findTool } from '../../tools/catalogue.ts';

type Named = ActMessage['actions'][number];

/** Reads the space's own records or nothing at all, and may be repeated. */
const isIndependentRead = ({ action, outcome }: JudgedAction): boolean => {
  if (action.target !== 'tool' || outcome !== 'pass') return false;
  const tool = findTool(action.tool ?? '');
  const isRead = tool?.outputOrigin === 'objects' || tool?.outputOrigin === 'clean';
  return isRead && tool.kind === 'idempotent' && tool.tier === 'allow';
};

/** The actions named, in their order, in groups that may be performed together. */
export const groupReads = (
  actions: readonly Named[],
  decided: Pick<Decision, 'actions'>,
): readonly (readonly Named[])[] => {
  const groups: Named[][] = [];
  let isOpen = false;
  for (const named of actions) {
    const judged = decided.actions[named.n];
    const isRead = judged !== undefined && named.approvalId === undefined && isIndependentRead(judged);
    const last = groups.at(-1);
    if (isRead && isOpen && last !== undefined) last.push(named);
    else groups.push([named]);
    isOpen = isRead;
  }
  return groups;
};

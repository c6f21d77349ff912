/** A card's line that no such action was approved before, or that its runbook has changed. */
import { canonicalJson } from '../base/canonical.ts';
import type { Action } from '../signal/action.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import { readOrSkip } from '../store/parse-stored.ts';
import type { Table } from '../store/table.ts';
import { type Approval, parseApproval } from './approval.ts';

/** The newest approvals, among which an earlier yes is looked for. */
const EARLIER_MAX = 50;
/** Arguments that name whom or what a call is for. */
const NAMES = ['runner', 'runbook', 'skill', 'server'] as const;

/** Equal for actions of the same tool and target. */
const kindOf = ({ target, tool, to, args }: Action): string =>
  canonicalJson([target, tool ?? '', to ?? '', ...NAMES.map((name) => args?.[name] ?? '')]);

const isYes = ({ state }: Approval): boolean => state === 'approved' || state === 'spent';

export const describeEarlier = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  action: Action,
): Promise<readonly string[]> => {
  const partition = indexPartitions.approvalFeed(space);
  const query = { index: 'feed', partition, limit: EARLIER_MAX, isDescending: true } as const;
  const { items, cursor } = await loadIndexed(table, query);
  const approvals = items.flatMap((item) => readOrSkip(item, (known) => parseApproval(String(known.id), known)) ?? []);
  const last = approvals.find((approval) => isYes(approval) && kindOf(approval.action) === kindOf(action));
  if (last === undefined)
    return [
      `First time: nothing like it was approved ${cursor === undefined ? 'before' : `in the last ${EARLIER_MAX} cards`}.`,
    ];
  const isOther = action.args?.runbook !== undefined && last.action.args?.hash !== action.args.hash;
  return isOther ? ['CHANGED: the runbook has another text than the one you approved last.'] : [];
};

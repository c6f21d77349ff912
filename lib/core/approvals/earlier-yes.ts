/**
 * A card's lines about earlier ones: that its runbook has changed, and how often this very action
 * was decided.
 */
import { canonicalJson } from '../base/canonical.ts';
import { DAY_MS } from '../base/limits.ts';
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

/** How far back the same action counts. */
const SAME_DAYS = 30;
/** Equal for the actions that one grant would cover. */
const bytesOf = ({ target, tool, to, url, text, args }: Action): string =>
  canonicalJson([target, tool, to, url, text, args].map((field) => field ?? null));

const isYes = ({ state }: Approval): boolean => state === 'approved' || state === 'spent';

/** @param isAll no approval is older than these */
const sayDecided = (approvals: readonly Approval[], isAll: boolean, action: Action, now: number): readonly string[] => {
  const since = now - SAME_DAYS * DAY_MS;
  const isWhole = isAll || approvals.some(({ createdAt }) => createdAt < since);
  const same = approvals.filter((one) => one.createdAt >= since && bytesOf(one.action) === bytesOf(action));
  const yes = same.filter(isYes).length;
  const no = same.filter(({ state }) => state === 'denied').length;
  const span = isWhole ? `${SAME_DAYS} days` : `${EARLIER_MAX} cards`;
  return yes + no === 0 ? [] : [`Exactly this was decided before: ${yes} yes, ${no} no in the last ${span}.`];
};

export const describeEarlier = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  action: Action,
  now: number,
): Promise<readonly string[]> => {
  const partition = indexPartitions.approvalFeed(space);
  const query = { index: 'feed', partition, limit: EARLIER_MAX, isDescending: true } as const;
  const { items, cursor } = await loadIndexed(table, query);
  const approvals = items.flatMap((item) => readOrSkip(item, (known) => parseApproval(String(known.id), known)) ?? []);
  const last = approvals.find((approval) => isYes(approval) && kindOf(approval.action) === kindOf(action));
  const decided = sayDecided(approvals, cursor === undefined, action, now);
  const isOther =
    last !== undefined && action.args?.runbook !== undefined && last.action.args?.hash !== action.args.hash;
  return [...(isOther ? ['CHANGED: the runbook has another text than the one you approved last.'] : []), ...decided];
};

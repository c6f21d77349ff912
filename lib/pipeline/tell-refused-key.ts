/**
 * A provider whose key was refused, or whose account has no credit left, is something only its owner can mend: the home chat
 * (or, without one, whoever asked) hears of it once a day, also where another provider answered instead.
 */
import type { Table } from '../aws/table.ts';
import { claimTelling } from '../budget/reserve.ts';
import type { ProviderTrouble } from '../errors.ts';
import type { Priced } from '../llm/prices.ts';
import { RECOVERIES } from '../llm/recover.ts';
import type { Signal } from '../signal/signal.ts';
import { type Notice, notices } from './notices.ts';

/** @param order the providers as they were asked */
export const tellRefusedKeys = async (
  deps: { readonly table: Pick<Table, 'update'>; readonly homeChat: string },
  signal: Signal,
  order: readonly Priced[],
  troubles: readonly ProviderTrouble[],
  now: number,
): Promise<readonly Notice[]> => {
  const told: Notice[] = [];
  for (const { place, fault } of troubles) {
    const name = order[place]?.name;
    if (name === undefined || !RECOVERIES[fault].isTold) continue;
    if (!(await claimTelling(deps.table, signal.space, now, `provider_${name}_${fault}`, signal.id))) continue;
    const notice = notices.providerRefused(name, fault === 'billing', signal.id);
    told.push(deps.homeChat === '' ? notice : { ...notice, route: { target: 'telegram', to: deps.homeChat } });
  }
  return told;
};

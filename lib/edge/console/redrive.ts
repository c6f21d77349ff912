/**
 * POST /api/signals/<id>/redrive → 202 {"id"}: a dead-lettered signal goes on where it died, under its own id, so that
 * nothing already done is done again (I7). Anything that is not dead-lettered is left alone (409).
 */

import { perceiveMessage } from '../../ledger/accept.ts';
import { parseStored, SignalRecord } from '../../ledger/record.ts';
import { isUnchanged, underWayAgain } from '../../ledger/reopen-effect.ts';
import { signalKeys } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';
import { HttpError, type HttpResponse, respondJson } from '../function-url.ts';
import { isSignalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';

/** @throws HttpError 404 */
export const loadRecord = async (table: Pick<Table, 'load'>, space: string, id: string): Promise<SignalRecord> => {
  const [item] = isSignalId(id) ? await table.load([signalKeys.record(space, id)], { isConsistent: true }) : [];
  if (item === undefined) throw new HttpError(404, 'not-found', 'there is no such signal');
  return parseStored(`signal ${id}`, item, SignalRecord);
};

export const redriveSignal = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const id = params[0] ?? '';
  const record = await loadRecord(deps.table, deps.space, id);
  if (record.state !== 'dead-lettered')
    throw new HttpError(
      409,
      'not-dead-lettered',
      `only a dead-lettered signal can be redriven; this one is ${record.state}`,
    );
  await deps.table.update(
    signalKeys.record(deps.space, id),
    {
      set: underWayAgain(record, record.diedIn ?? 'received', deps.now()),
      remove: ['stateReason', 'diedIn', 'awaitsLog', 'modelWait'],
    },
    isUnchanged(record),
  );
  await deps.publish(perceiveMessage(record.signal), `perceive:${record.round + 1}`);
  return respondJson(202, { id });
};

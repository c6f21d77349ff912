/**
 * POST /api/signals/<id>/effects/<n> {"resolution": "done|retry"} → 202 {"id", "n", "resolution"}:
 * a person says what became of an effect that failed or whose outcome is unknown. `done` settles
 * it; `retry` makes it claimable again and sends the signal back to Act. Anything else than a
 * failed effect, an unknown one or a claim past its lease is 409 (I7).
 */
import * as z from 'zod/mini';
import { noteForLog } from '../../ledger/ledger.ts';
import { parseStored } from '../../ledger/record.ts';
import { isStillOpen, mayReopen, reopenEffect } from '../../ledger/reopen-effect.ts';
import { Effect } from '../../signal/decision.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { HttpError, type HttpResponse, respondJson } from '../function-url.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { parseBody } from './parse-body.ts';
import { loadRecord } from './redrive.ts';
import { showEffectState } from './signal-view.ts';

const PostedResolution = z.strictObject({ resolution: z.enum(['done', 'retry']) });

const loadEffect = async (deps: ConsoleDeps, id: string, n: number): Promise<Effect> => {
  const item = await loadItem(deps.table, signalKeys.effect(deps.space, id, n));
  if (item === undefined) throw new HttpError(404, 'not-found', 'there is no such effect');
  return parseStored(`effect ${n} of ${id}`, item, z.object(Effect.shape));
};

/** Noted for the log on both sides of the write, so that no crash between them leaves the change out of it. */
const markDone = async (deps: ConsoleDeps, id: string, n: number, now: number): Promise<void> => {
  const ref = { space: deps.space, id };
  await noteForLog(deps.table, ref, now);
  await deps.table.update(
    signalKeys.effect(deps.space, id, n),
    {
      set: { state: 'done', resolution: 'done', reason: 'resolved by a person', settledAt: now },
      remove: ['unfinishedSpace', 'unfinishedAt'],
    },
    isStillOpen(now),
  );
  await noteForLog(deps.table, ref, now);
};

const markRetry = async (deps: ConsoleDeps, id: string, effect: Effect, now: number): Promise<void> => {
  const record = await loadRecord(deps.table, deps.space, id);
  if (!mayReopen(record))
    throw new HttpError(409, 'not-acted', `the signal is ${record.state}; there is nothing to perform again`);
  await reopenEffect({ ...deps, now }, record, effect);
};

export const resolveEffect = async (deps: ConsoleDeps, { request, params }: RouteCall): Promise<HttpResponse> => {
  const { resolution } = parseBody(request, PostedResolution);
  const id = params[0] ?? '';
  const n = Number(params[1]);
  const now = deps.now();
  await loadRecord(deps.table, deps.space, id);
  const effect = await loadEffect(deps, id, n);
  const shown = showEffectState(effect, now);
  if (shown !== 'unknown' && shown !== 'failed')
    throw new HttpError(
      409,
      'not-unknown',
      `only a failed effect or an unknown outcome can be resolved; this effect is ${shown}`,
    );
  if (resolution === 'done') await markDone(deps, id, n, now);
  else await markRetry(deps, id, effect, now);
  return respondJson(202, { id, n, resolution });
};

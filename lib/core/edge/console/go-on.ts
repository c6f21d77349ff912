/**
 * A person's two ways to let a signal go on: redrive it, or say what became of an effect. Nothing
 * already done is done again (I7).
 */
import * as z from 'zod/mini';
import { HttpError, type HttpResponse, respondJson } from '../../http/function-url.ts';
import { perceiveMessage } from '../../ledger/accept.ts';
import { noteForLog } from '../../ledger/ledger.ts';
import { loadRun, whyRunEnded } from '../../ledger/load-run.ts';
import { isStillOpen, isUnchanged, mayReopen, reopenEffect, underWayAgain } from '../../ledger/reopen-effect.ts';
import { type DirectContext, direct, type Handler } from '../../operations/operation.ts';
import { Effect } from '../../signal/decision.ts';
import { chainOf, stepOf } from '../../signal/ids.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import { loadNamedTurn } from '../../verbs/signals/load-named-turn.ts';
import { shownStateOf } from '../../verbs/signals/plain-words.ts';
import { showEffectState } from '../../verbs/signals/signal-view.ts';
import { effectsResolve, redrive } from './console-verbs.ts';
import { loadRecord } from './load-record.ts';
import { type ConsoleDeps, parseBody, type RouteCall } from './router.ts';

type GoOnDeps = Omit<DirectContext, 'language'>;

/** It goes on from its last state. @throws HttpError 409 */
const redriveSignal = async (deps: GoOnDeps, id: string): Promise<{ readonly id: string }> => {
  const record = await loadRecord(deps.table, deps.space, id);
  if (record.state !== 'dead-lettered')
    throw new HttpError(
      409,
      'not-dead-lettered',
      `only a dead-lettered signal can be redriven; this one is ${shownStateOf(record)}`,
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
  return { id };
};

const loadEffect = async (deps: GoOnDeps, id: string, n: number): Promise<Effect> => {
  const item = await loadItem(deps.table, signalKeys.effect(deps.space, id, n));
  if (item === undefined) throw new HttpError(404, 'not-found', 'there is no such effect');
  return parseStored(item, z.object(Effect.shape), `effect ${n} of ${id}`);
};

/** Noted for the log before and after the write: a crash in between loses nothing. */
const markDone = async (deps: GoOnDeps, id: string, n: number, now: number): Promise<void> => {
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

/** Act would refuse the step of a run that has ended or gone on. Read only if this is a step. */
const whyStepEnded = async ({ table, space }: GoOnDeps, id: string): Promise<string | undefined> => {
  if (stepOf(id) === undefined) return undefined;
  return whyRunEnded({ id }, await loadRun(table, space, chainOf(id)[0] ?? ''));
};

const markRetry = async (deps: GoOnDeps, id: string, effect: Effect, now: number): Promise<void> => {
  const record = await loadRecord(deps.table, deps.space, id);
  if (!mayReopen(record))
    throw new HttpError(409, 'not-acted', `the signal is ${record.state}; there is nothing to perform again`);
  const over = await whyStepEnded(deps, id);
  if (over !== undefined) throw new HttpError(409, 'run-ended', `${over}: this step is performed no more`);
  await reopenEffect({ ...deps, now }, record, effect);
};

type Resolution = 'done' | 'retry';

/**
 * A person says what became of an effect. `done` settles it; `retry` makes it claimable again.
 * @throws HttpError 409 unless it failed, is unknown, or its claim is past its lease
 */
const resolveEffect = async (deps: GoOnDeps, id: string, n: number, resolution: Resolution) => {
  const now = deps.now();
  await loadRecord(deps.table, deps.space, id);
  const effect = await loadEffect(deps, id, n);
  const state = showEffectState(effect, now);
  if (state !== 'unknown' && state !== 'failed')
    throw new HttpError(
      409,
      'not-unknown',
      `only a failed effect or an unknown outcome can be resolved; this effect is ${state}`,
    );
  if (resolution === 'done') await markDone(deps, id, n, now);
  else await markRetry(deps, id, effect, now);
  return { id, n, resolution };
};

/** POST /api/signals/<id>/redrive */
export const postRedrive = async (deps: ConsoleDeps, { params: [id = ''] }: RouteCall): Promise<HttpResponse> =>
  respondJson(202, await redriveSignal(deps, id));

const PostedResolution = z.pick(effectsResolve.args, { resolution: true });

/** POST /api/signals/<id>/effects/<n> {"resolution"} */
export const postResolution = async (deps: ConsoleDeps, { request, params }: RouteCall): Promise<HttpResponse> => {
  const { resolution } = parseBody(request, PostedResolution);
  return respondJson(202, await resolveEffect(deps, params[0] ?? '', Number(params[1]), resolution));
};

export const GO_ON_HANDLERS: readonly Handler[] = [
  direct(redrive, async (deps, { signal }) => {
    const { stored } = await loadNamedTurn(deps, signal);
    return redriveSignal(deps, stored.record.signal.id);
  }),
  direct(effectsResolve, (deps, { signal, n, resolution }) => resolveEffect(deps, signal, n, resolution)),
];

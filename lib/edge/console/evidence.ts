/**
 * GET /api/signals/<id>/evidence → everything stored about a signal, whole, as `replay` and `policy
 * try` need it: the decision with every attempt, trace and fact, and the effects. GET
 * /api/evidence?cursor= → {"evidence": […], "cursor"?}, the same of all signals, newest first, a
 * page within what Lambda may answer. Capabilities stay out (I5): approval ids are left out or
 * blanked, and an approval's card is marked as withheld, because without its id its bytes are not
 * the ones that were judged.
 */

import { defined } from '../../base/defined.ts';
import { ProtocolError } from '../../base/errors.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { Facts } from '../../signal/facts.ts';
import type { Evidence, EvidencePage } from '../../stages/explain/evidence.ts';
import { indexPartitions, signalKeys } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { HttpError, type HttpResponse, respondJson } from '../function-url.ts';
import { RECORDS_PAGE_BYTES_MAX } from '../limits.ts';
import { isSignalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { checkCursor } from './list-signals.ts';
import { showAction } from './signal-view.ts';
import { loadStoredSignal, loadStoredSignals, type StoredSignal } from './stored-signal.ts';

/** Signals whose evidence one page holds: their decisions are one read of 100 keys. */
export const EVIDENCE_PAGE_SIGNALS_MAX = 100;

/** Stands for an approval id. Gates only ask that there is one. */
const BLANK_ID = 'withheld';

const showFacts = (facts: Facts): Facts =>
  facts.approval === null ? facts : { ...facts, approval: { ...facts.approval, id: BLANK_ID } };

const showJudged = (judged: JudgedAction): JudgedAction => ({
  ...judged,
  action: showAction(judged.action),
  facts: judged.facts.map(showFacts),
});

const showAttempt = (attempt: Attempt): Attempt => ({ ...attempt, judged: attempt.judged.map(showJudged) });

const showDecision = (decision: Decision): Decision => ({
  ...decision,
  ...(decision.attempt === undefined ? {} : { attempt: showAttempt(decision.attempt) }),
  actions: decision.actions.map(showJudged),
});

const showEffect = ({ approvalId: _capability, output: _output, ...effect }: Effect): Effect => ({
  ...effect,
  facts: effect.facts.map(showFacts),
});

/** Pure. */
export const buildEvidence = (stored: StoredSignal): Evidence => {
  const { record, decision, attempts, effects } = stored;
  const actions = decision?.actions ?? [];
  return {
    id: record.signal.id,
    session: record.signal.session,
    reply: record.signal.reply,
    receivedAt: record.signal.receivedAt,
    attempts: attempts.filter(({ n }) => n !== decision?.attempt?.n).map(showAttempt),
    decision: decision === undefined ? null : showDecision(decision),
    effects: effects.map(showEffect),
    withheld: actions.flatMap(({ action }, n) => (action.card === undefined ? [] : [n])),
    isForgotten: decision?.forgottenAt !== undefined,
  };
};

export const showEvidence = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const id = params[0] ?? '';
  const stored = isSignalId(id) ? await loadStoredSignal(deps.table, deps.space, id) : undefined;
  if (stored === undefined) throw new HttpError(404, 'not-found', 'there is no such signal');
  return respondJson(200, buildEvidence(stored));
};

const parseCursor = (query: URLSearchParams, space: string): string | undefined => {
  if ([...query.keys()].some((name) => name !== 'cursor')) throw new ProtocolError('query takes only cursor');
  const cursor = query.get('cursor') || undefined;
  if (cursor !== undefined) checkCursor(cursor, space);
  return cursor;
};

const cursorAfter = ({ pk, sk, feedSpace, feedAt }: Item): string =>
  Buffer.from(JSON.stringify({ pk, sk, feedSpace, feedAt })).toString('base64url');

export const listEvidence = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> => {
  const { table, space } = deps;
  const page = await table.queryIndex({
    index: 'feed',
    partition: indexPartitions.feed(space),
    isDescending: true,
    limit: EVIDENCE_PAGE_SIGNALS_MAX,
    cursor: parseCursor(request.query, space),
  });
  const idOf = ({ pk }: Item): string => String(pk).slice(signalKeys.partition(space, '').length);
  const ids = page.items.map(idOf);
  const found = new Map(
    (await loadStoredSignals(table, space, ids)).map((stored) => [stored.record.signal.id, stored]),
  );
  // Half of them, and half again, if they are more than one answer may be.
  for (let count = ids.length; ; count = Math.ceil(count / 2)) {
    const evidence = ids.slice(0, count).flatMap((id) => {
      const stored = found.get(id);
      return stored === undefined ? [] : [buildEvidence(stored)];
    });
    const last = page.items[count - 1];
    const cursor = count < ids.length && last !== undefined ? cursorAfter(last) : page.cursor;
    const response = respondJson(200, {
      evidence,
      ...defined({ cursor }),
    } satisfies EvidencePage);
    if (count <= 1 || Buffer.byteLength(response.body) <= RECORDS_PAGE_BYTES_MAX) return response;
  }
};

/**
 * GET /api/signals/<id>/evidence → everything stored about a signal, whole, as `replay` and `policy try` need it: the decision
 * with every attempt, trace and fact, and the effects. Capabilities stay out (I5): approval ids are left out or blanked, and
 * an approval's card is marked as withheld, because without its id its bytes are not the ones that were judged.
 */
import type { Facts } from '../gates/facts.ts';
import { HttpError, type HttpResponse, respondJson } from '../http/function-url.ts';
import type { Evidence } from '../pipeline/explain/evidence.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../signal/decision.ts';
import { isSignalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { showAction } from './signal-view.ts';
import { loadStoredSignal, type StoredSignal } from './stored-signal.ts';

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

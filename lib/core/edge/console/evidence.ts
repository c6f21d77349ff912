/**
 * Evidence over HTTP, read-only: all that is stored about signals, as `replay` and `policy try`
 * need it, and the evidence log as C2SP tlog-tiles has it, with everything an export is made of.
 * Capabilities stay out (I5): approval ids are blanked, and an approval's card is marked as
 * withheld, because without its id its bytes are not the ones that were judged.
 */
import { defined } from '../../base/defined.ts';
import { RECORDS_PAGE_SIGNALS_MAX } from '../../base/limits.ts';
import { HttpError, type HttpResponse, respondBytes, respondJson, respondText } from '../../http/function-url.ts';
import { buildTableSource, type LogSource } from '../../log/source.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { Facts } from '../../signal/facts.ts';
import { indexPartitions, signalKeys } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import type { Evidence, EvidencePage } from '../../verbs/signals/signal-evidence.ts';
import { showAction } from '../../verbs/signals/signal-view.ts';
import { loadStoredSignal, loadStoredSignals, type StoredSignal } from '../../verbs/signals/stored-signal.ts';
import { RECORDS_PAGE_BYTES_MAX } from '../limits.ts';
import {
  type ConsoleDeps,
  checkQuery,
  noSuchSignal,
  parseCount,
  parseCursor,
  parseSignalId,
  type RouteCall,
} from './router.ts';

/** Signals whose evidence one page holds: their decisions are one read of 100 keys. */
export const EVIDENCE_PAGE_SIGNALS_MAX = 100;

/** Stands for an approval id. Gates only ask whether there is one. */
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

const buildEvidence = (stored: StoredSignal): Evidence => {
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

/** @throws HttpError 404 */
export const loadEvidence = async ({ table, space }: ConsoleDeps, id: string | undefined): Promise<Evidence> => {
  const stored = await loadStoredSignal(table, space, parseSignalId(id));
  if (stored === undefined) throw noSuchSignal();
  return buildEvidence(stored);
};

/** GET /api/signals/<id>/evidence → the decision with attempts, traces, facts, and the effects. */
export const showEvidence = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, await loadEvidence(deps, params[0]));

const cursorAfter = ({ pk, sk, feedSpace, feedAt }: Item): string =>
  Buffer.from(JSON.stringify({ pk, sk, feedSpace, feedAt })).toString('base64url');

/** GET /api/evidence?cursor= → {"evidence", "cursor"?}: the same of all signals, newest first. */
export const listEvidence = async (deps: ConsoleDeps, { request: { query } }: RouteCall): Promise<HttpResponse> => {
  const { table, space } = deps;
  checkQuery(query, ['cursor']);
  const page = await table.queryIndex({
    index: 'feed',
    partition: indexPartitions.feed(space),
    isDescending: true,
    limit: EVIDENCE_PAGE_SIGNALS_MAX,
    cursor: parseCursor(query, space),
  });
  const ids = page.items.map(({ pk }) => String(pk).slice(signalKeys.partition(space, '').length));
  const found = new Map(
    (await loadStoredSignals(table, space, ids)).map((stored) => [stored.record.signal.id, stored]),
  );
  // A page that is too large for one answer is halved until it fits.
  for (let count = ids.length; ; count = Math.ceil(count / 2)) {
    const evidence = ids.slice(0, count).flatMap((id) => {
      const stored = found.get(id);
      return stored === undefined ? [] : [buildEvidence(stored)];
    });
    const last = page.items[count - 1];
    const cursor = count < ids.length && last !== undefined ? cursorAfter(last) : page.cursor;
    const response = respondJson(200, { evidence, ...defined({ cursor }) } satisfies EvidencePage);
    if (count <= 1 || Buffer.byteLength(response.body) <= RECORDS_PAGE_BYTES_MAX) return response;
  }
};

const sourceOf = ({ table, space, now }: ConsoleDeps): LogSource => buildTableSource(table, space, now);

const notFound = (message: string): HttpError => new HttpError(404, 'not-found', message);

/** GET /api/log → the size of the log, and whether something waits for it. */
export const showStanding = async (deps: ConsoleDeps): Promise<HttpResponse> =>
  respondJson(200, await sourceOf(deps).standing());

/** POST /api/log wakes the log's writer, as the next tick would anyway. */
export const wakeLog = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  await deps.wakeLog(`console:${deps.newId()}`);
  return respondJson(202, {});
};

/** GET /api/log/checkpoint → the newest signed note. */
export const showCheckpoint = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const source = sourceOf(deps);
  const { size } = await source.standing();
  const [newest] = size === 0 ? [] : await source.checkpoints(size - 1);
  if (newest === undefined) throw notFound('the log has no checkpoint yet');
  return respondText(newest.note);
};

/** GET /api/log/checkpoints?after= */
export const listCheckpoints = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, { checkpoints: await sourceOf(deps).checkpoints(parseCount(request.query, 'after', 0)) });

/** GET /api/log/key → one verifier key a line, the one in use first. */
export const showKeys = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const keys = await sourceOf(deps).keys();
  if (keys.length === 0) throw notFound('the log has no key yet');
  return respondText(`${[...keys].reverse().join('\n')}\n`);
};

/** GET /api/log/gate-sets → the gates behind each version that decisions may name. */
export const showGateSets = async (deps: ConsoleDeps): Promise<HttpResponse> =>
  respondJson(200, { gateSets: await sourceOf(deps).gateSets() });

/** GET /api/log/gate-code/<SHA-256> → the code of a skill's gate, which a gate set names. */
export const showGateCode = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const code = await sourceOf(deps).gateCode(params[0] ?? '');
  if (code === undefined) throw notFound('there is no such code');
  return respondText(code);
};

/** GET /api/log/tile/… and /api/log/tile/entries/… */
export const showTile = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const bytes = await sourceOf(deps).tile(params[0] ?? '');
  if (bytes === undefined) throw notFound('the log has no such tile, or it cannot be read');
  return respondBytes(bytes);
};

/** GET /api/log/records?limit=&cursor= → records of signals. 413 if they are too many. */
export const listRecords = async (deps: ConsoleDeps, { request: { query } }: RouteCall): Promise<HttpResponse> => {
  const limit = Math.max(1, Math.min(RECORDS_PAGE_SIGNALS_MAX, parseCount(query, 'limit', 1)));
  const response = respondJson(200, await sourceOf(deps).records({ limit, cursor: parseCursor(query, deps.space) }));
  if (limit > 1 && response.body.length > RECORDS_PAGE_BYTES_MAX)
    throw new HttpError(413, 'too-much', 'ask for fewer signals at once');
  return response;
};

/** GET /api/log/records/<id> */
export const showRecords = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, await sourceOf(deps).signalRecords(parseSignalId(params[0])));

/** GET /api/log/commits?after= */
export const listCommits = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, await sourceOf(deps).commits(parseCount(request.query, 'after', 0)));

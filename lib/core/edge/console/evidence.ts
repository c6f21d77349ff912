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
    cursor: parseCursor(query.get('cursor'), space),
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

const notFound = (message: string): HttpError => new HttpError(404, 'not-found', message);

/** POST /api/log wakes the log's writer, as the next tick would anyway. */
export const wakeLog = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  await deps.wakeLog(`console:${deps.newId()}`);
  return respondJson(202, {});
};

/** Records of signals, by `limit` and `cursor`. @throws HttpError 413 if they are too many */
const listRecords = async (source: LogSource, space: string, query: URLSearchParams): Promise<HttpResponse> => {
  const limit = Math.max(1, Math.min(RECORDS_PAGE_SIGNALS_MAX, parseCount(query, 'limit', 1)));
  const response = respondJson(200, await source.records({ limit, cursor: parseCursor(query.get('cursor'), space) }));
  if (limit > 1 && response.body.length > RECORDS_PAGE_BYTES_MAX)
    throw new HttpError(413, 'too-much', 'ask for fewer signals at once');
  return response;
};

const respondIf = async <T>(
  found: Promise<T | undefined> | T | undefined,
  respond: (found: T) => HttpResponse,
  otherwise: string,
): Promise<HttpResponse> => {
  const it = await found;
  if (it === undefined) throw notFound(otherwise);
  return respond(it);
};

/** GET /api/log/… → standing, tiles, keys (the one in use first), and the parts of an export. */
export const showLog = async (
  { table, space, now }: ConsoleDeps,
  { request: { query, path } }: RouteCall,
): Promise<HttpResponse> => {
  const source = buildTableSource(table, space, now);
  const after = (): number => parseCount(query, 'after', 0);
  const [, part = '', rest = ''] = /^\/api\/log\/?([^/]*)\/?(.*)$/.exec(path) ?? [];
  switch (part) {
    case '':
      return respondJson(200, await source.standing());
    case 'checkpoint': {
      const { size } = await source.standing();
      const [newest] = size === 0 ? [] : await source.checkpoints(size - 1);
      return respondIf(newest?.note, respondText, 'the log has no checkpoint yet');
    }
    case 'checkpoints':
      return respondJson(200, { checkpoints: await source.checkpoints(after()) });
    case 'key': {
      const keys = (await source.keys()).map((key) => `${key}\n`).toReversed();
      return respondIf(keys.join('') || undefined, respondText, 'the log has no key yet');
    }
    case 'gate-sets':
      return respondJson(200, { gateSets: await source.gateSets() });
    case 'gate-code':
      return respondIf(source.gateCode(rest), respondText, 'there is no such code');
    case 'tile':
      return respondIf(source.tile(`tile/${rest}`), respondBytes, 'the log has no such tile, or it cannot be read');
    case 'records':
      if (rest === '') return listRecords(source, space, query);
      return respondJson(200, await source.signalRecords(parseSignalId(rest)));
    default:
      return respondJson(200, await source.commits(after()));
  }
};

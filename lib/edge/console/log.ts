/**
 * The evidence log over HTTP, read-only: GET /api/log/checkpoint, /api/log/tile/… and /api/log/tile/entries/… as C2SP tlog-tiles has
 * them, /api/log/key; and beside these what an export is made of: where the log stands, all
 * checkpoints, gate sets, records. POST /api/log wakes the log's writer, which a tick would do
 * anyway.
 */

import { RECORDS_PAGE_SIGNALS_MAX } from '../../base/limits.ts';
import { buildTableSource, type LogSource } from '../../log/source.ts';
import { HttpError, type HttpResponse, respondBytes, respondJson, respondText } from '../function-url.ts';
import { RECORDS_PAGE_BYTES_MAX } from '../limits.ts';
import { isSignalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';

const sourceOf = ({ table, space, now }: ConsoleDeps): LogSource => buildTableSource(table, space, now);

const notThere = (what: string): never => {
  throw new HttpError(404, 'not-found', what);
};

/** A whole number from the query. @throws HttpError 400 */
const countFrom = (query: URLSearchParams, name: string, without: number): number => {
  const text = query.get(name);
  if (text === null) return without;
  if (!/^\d{1,13}$/.test(text)) throw new HttpError(400, 'malformed', `${name} must be a number`);
  return Number(text);
};

export const showStanding = async (deps: ConsoleDeps): Promise<HttpResponse> =>
  respondJson(200, await sourceOf(deps).standing());

export const wakeLog = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  await deps.wakeLog(`console:${deps.newId()}`);
  return respondJson(202, {});
};

export const showCheckpoint = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const source = sourceOf(deps);
  const { size } = await source.standing();
  const [newest] = size === 0 ? [] : await source.checkpoints(size - 1);
  return newest === undefined ? notThere('the log has no checkpoint yet') : respondText(newest.note);
};

export const listCheckpoints = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, { checkpoints: await sourceOf(deps).checkpoints(countFrom(request.query, 'after', 0)) });

/** One verifier key a line, the one in use first. */
export const showKeys = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const keys = await sourceOf(deps).keys();
  return keys.length === 0 ? notThere('the log has no key yet') : respondText(`${[...keys].reverse().join('\n')}\n`);
};

/** The gates behind each gate-set version that decisions of the log may name. */
export const showGateSets = async (deps: ConsoleDeps): Promise<HttpResponse> =>
  respondJson(200, { gateSets: await sourceOf(deps).gateSets() });

export const showTile = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const bytes = await sourceOf(deps).tile(params[0] ?? '');
  return bytes === undefined ? notThere('the log has no such tile, or it cannot be read') : respondBytes(bytes);
};

/** Within what one answer may have. @throws HttpError 413: the caller asks for fewer */
const bounded = (response: HttpResponse): HttpResponse => {
  if (response.body.length > RECORDS_PAGE_BYTES_MAX)
    throw new HttpError(413, 'too-much', 'ask for fewer signals at once');
  return response;
};

export const listRecords = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> => {
  const limit = Math.max(1, Math.min(RECORDS_PAGE_SIGNALS_MAX, countFrom(request.query, 'limit', 1)));
  const cursor = request.query.get('cursor') ?? undefined;
  const page = await sourceOf(deps).records({ limit, cursor });
  const response = respondJson(200, page);
  return limit === 1 ? response : bounded(response);
};

export const showRecords = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const id = params[0] ?? '';
  if (!isSignalId(id)) return notThere('there is no such signal');
  return respondJson(200, await sourceOf(deps).signalRecords(id));
};

export const listCommits = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, await sourceOf(deps).commits(countFrom(request.query, 'after', 0)));

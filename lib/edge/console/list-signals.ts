/**
 * GET /api/signals?state=&limit=&cursor= → {"signals": […], "cursor"?}, newest first, from the feed index. A state is
 * filtered while reading, at most FEED_SCAN_MAX entries a call; a cursor means there may be more.
 */

import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { ProtocolError } from '../../base/errors.ts';
import { parseStored, SignalRecord } from '../../ledger/record.ts';
import { type Payload, SignalState } from '../../signal/signal.ts';
import { indexPartitions } from '../../store/keys.ts';
import type { Item, Table } from '../../store/table.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import { FEED_LIMIT_MAX } from '../limits.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';

const FEED_LIMIT_DEFAULT = 20;
/** Feed entries read for one page of a filtered list; the cursor goes on from there. */
const FEED_SCAN_MAX = 500;
/** Text of a signal in a list: one line on a wide screen. */
const FEED_TEXT_CHARS_MAX = 120;

export interface ListedSignal {
  readonly id: string;
  readonly state: SignalState;
  readonly source: string;
  readonly session: string;
  readonly depth: number;
  readonly root: string;
  /**
   * Who said it: `console-approver`, `script:<name>`, `telegram:<user>`, `webhook:<source>`,
   * `system`.
   */
  readonly sender: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** The first piece of what was said, or the sensor's name. */
  readonly text: string;
}

export interface ListedSignals {
  readonly signals: readonly ListedSignal[];
  readonly cursor?: string;
}

interface ListQuery {
  readonly state: SignalState | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

const PARAMETERS: ReadonlySet<string> = new Set(['state', 'limit', 'cursor']);

/**
 * Cursors are the table's own, but only those of this space's feed are taken. @throws ProtocolError
 */
export const checkCursor = (cursor: string, space: string): void => {
  const Cursor = z.strictObject({
    pk: z.string().check(z.startsWith(`signal#${space}#`)),
    sk: z.literal('record'),
    feedSpace: z.literal(indexPartitions.feed(space)),
    feedAt: z.int(),
  });
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    value = undefined;
  }
  if (!Cursor.safeParse(value).success) throw new ProtocolError('cursor is not one that this list gave');
};

const parseListQuery = (query: URLSearchParams, space: string): ListQuery => {
  const unknown = [...query.keys()].filter((name) => !PARAMETERS.has(name));
  if (unknown.length > 0) throw new ProtocolError('query takes only state, limit and cursor');
  const state = query.get('state') || undefined;
  const parsedState = SignalState.safeParse(state);
  if (state !== undefined && !parsedState.success)
    throw new ProtocolError(`state must be one of ${SignalState.options.join(', ')}`);
  const limit = query.get('limit') || String(FEED_LIMIT_DEFAULT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > FEED_LIMIT_MAX)
    throw new ProtocolError(`limit must be a whole number from 1 to ${FEED_LIMIT_MAX}`);
  const cursor = query.get('cursor') || undefined;
  if (cursor !== undefined) checkCursor(cursor, space);
  return { state: parsedState.data, limit: Number(limit), cursor };
};

const textOf = (payload: Payload): string => {
  if (payload.sensor === 'command') return `/${payload.name}`;
  const first = 'text' in payload ? payload.text[0]?.text : undefined;
  return first === undefined || first === '' ? payload.sensor : first.slice(0, FEED_TEXT_CHARS_MAX).toWellFormed();
};

/** Pure. */
export const buildListedSignal = ({ signal, state }: SignalRecord): ListedSignal => ({
  id: signal.id,
  state,
  source: signal.source,
  session: signal.session,
  depth: signal.depth,
  root: signal.root,
  sender: signal.sender.id,
  receivedAt: signal.receivedAt,
  text: textOf(signal.payload),
});

/** The records behind index entries, in their order; an entry whose record is gone is left out. */
export const loadRecords = async (
  table: Pick<Table, 'load'>,
  entries: readonly Item[],
): Promise<readonly SignalRecord[]> => {
  const items = await table.load(entries.map((entry) => ({ pk: String(entry.pk), sk: String(entry.sk) })));
  return items.flatMap((item) =>
    item === undefined ? [] : [parseStored(`signal ${String(item.pk)}`, item, SignalRecord)],
  );
};

const loadList = async (deps: ConsoleDeps, { state, limit, cursor }: ListQuery): Promise<ListedSignals> => {
  const found: SignalRecord[] = [];
  let next = cursor;
  for (let scanned = 0; scanned < FEED_SCAN_MAX && found.length < limit; ) {
    const page = await deps.table.queryIndex({
      index: 'feed',
      partition: indexPartitions.feed(deps.space),
      isDescending: true,
      limit: Math.min(limit - found.length, FEED_SCAN_MAX - scanned),
      cursor: next,
    });
    const records = await loadRecords(deps.table, page.items);
    found.push(...records.filter((record) => state === undefined || record.state === state));
    scanned += page.items.length;
    next = page.cursor;
    if (next === undefined || page.items.length === 0) break;
  }
  return { signals: found.map(buildListedSignal), ...defined({ cursor: next }) };
};

export const listSignals = async (deps: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> =>
  respondJson(200, await loadList(deps, parseListQuery(request.query, deps.space)));

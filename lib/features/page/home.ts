/**
 * The first view of the page in a few reads of the table, and a short mark by which the page sees
 * that something changed.
 */
import { createHash } from 'node:crypto';
import { defined } from '../../core/base/defined.ts';
import { languageFor } from '../../core/base/language.ts';
import { findSignals } from '../../core/edge/console/find-signals.ts';
import { answerLook } from '../../core/edge/console/operations.ts';
import type { ConsoleDeps, RouteCall } from '../../core/edge/console/router.ts';
import { type HttpResponse, respondJson } from '../../core/http/function-url.ts';
import { indexPartitions } from '../../core/store/keys.ts';
import { approvals } from '../../core/wings/approvals/operations.ts';

/** Newest signals, and signals under way, that the mark covers. */
const MARKED_MAX = 20;

/**
 * GET /api/home?limit= → {"approvals", "role", "signals", "cursor"?}: the answers of
 * GET /api/approvals and of GET /api/signals?roots=true in one.
 */
export const showHome = async (deps: ConsoleDeps, { request, caller }: RouteCall): Promise<HttpResponse> => {
  const query = new URLSearchParams(request.query);
  query.set('roots', 'true');
  const language = languageFor(request.headers['accept-language']);
  const [waiting, found] = await Promise.all([
    answerLook(deps, approvals, caller, { session: 'main' }, language),
    findSignals(deps, query, language),
  ]);
  const unread = (found.unread ?? 0) + Number(Object(waiting).unread ?? 0);
  return respondJson(200, { ...waiting, ...found, ...defined({ unread: unread === 0 ? undefined : unread }) });
};

/**
 * GET /api/changes → {"mark"}: another text when a signal came or ended. A state between the two
 * does not change it: while a signal is under way, the signals themselves tell more.
 */
export const showChanges = async ({ table, space }: ConsoleDeps): Promise<HttpResponse> => {
  const pages = await Promise.all([
    table.queryIndex({
      ...{ index: 'feed', partition: indexPartitions.feed(space) },
      ...{ isDescending: true, limit: MARKED_MAX },
    }),
    table.queryIndex({ index: 'unfinished', partition: indexPartitions.unfinishedSignals(space), limit: MARKED_MAX }),
  ]);
  const keys = JSON.stringify(pages.map(({ items }) => items));
  return respondJson(200, { mark: createHash('sha256').update(keys).digest('base64url') });
};

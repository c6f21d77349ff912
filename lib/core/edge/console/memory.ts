/**
 * Memory over HTTP. Every token that may read may read the owner's memory. This function cannot
 * write memory: what is posted → 202 {"id"} of the signal that carries it; the pipeline decides and
 * Act writes. An import stays `outside` unless an approver vouches for it.
 */
import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { ProtocolError } from '../../base/errors.ts';
import { JsonObject, parseWith } from '../../base/json.ts';
import { DAY_MS, KIB, MEMORY_COMMIT_OBJECTS_MAX } from '../../base/limits.ts';
import { SESSION_NAME } from '../../channels/console/parse-message.ts';
import { HttpError, type HttpResponse, respondJson } from '../../http/function-url.ts';
import type { LiveObject } from '../../memory/object.ts';
import { childrenOf } from '../../memory/outline.ts';
import { countNodes, TreeUpdate, treeProblem, UpdateNode } from '../../memory/tree-update.ts';
import { findSeen } from '../../verbs/signals/find-seen.ts';
import { SEEN_BY_DAYS_DEFAULT, SEEN_BY_DAYS_MAX } from '../limits.ts';
import { acceptInput } from './messages.ts';
import { type ConsoleDeps, parseBody, type RouteCall } from './router.ts';
import { describeNeed } from './tokens.ts';

/** Characters of one page of objects: a quarter of the largest answer. */
const MEMORY_PAGE_CHARS_MAX = 1024 * KIB;

/** One object, with the fields that an export needs. */
export interface ObjectView {
  readonly id: string;
  readonly type: string;
  readonly origin: string;
  readonly version: number;
  /** Covers its words and all below it. */
  readonly hash: string;
  readonly parentId?: string;
  /** All children in order; buckets are left out. */
  readonly children: readonly string[];
  readonly attributes: LiveObject['attributes'];
  readonly content: string;
}

const sizeOf = ({ attributes, content }: LiveObject): number =>
  content.length + JSON.stringify(attributes).length + 400;

/** GET /api/memory/objects?after=<id> → {"commit", "objects", "isPartial", "after"?}, by id. */
export const listObjects = async ({ loadMemory }: ConsoleDeps, { request }: RouteCall): Promise<HttpResponse> => {
  const after = request.query.get('after') ?? '';
  if (!/^[0-9a-f]{0,32}$/.test(after))
    throw new ProtocolError(
      'after must be the id of an object: send back the "after" of the last answer, or none for the first page',
    );
  const { objects, number, isPartial } = await (await loadMemory()).view();
  const open = [...objects.values()]
    .filter((one): one is LiveObject => one.state === 'live' && one.type !== 'bucket' && one.id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  let room = MEMORY_PAGE_CHARS_MAX;
  const page: ObjectView[] = [];
  for (const object of open) {
    const { id, type, origin, version, hash, parentId, attributes, content } = object;
    if (page.length > 0 && sizeOf(object) > room) break;
    room -= sizeOf(object);
    const children = childrenOf(objects, object).map((child) => child.id);
    page.push({
      id,
      type,
      origin,
      version,
      hash,
      ...defined({ parentId }),
      children,
      attributes,
      content,
    });
  }
  const next = page.length < open.length ? { after: page.at(-1)?.id } : {};
  return respondJson(200, { commit: number, objects: page, isPartial, ...next });
};

/** GET /api/memory/seen/<id>?days= → {"id", "seen": […], "isWhole"}: decisions that saw it. */
export const listSeen = async (deps: ConsoleDeps, { request, params }: RouteCall): Promise<HttpResponse> => {
  const [id = ''] = params;
  const days = Number(request.query.get('days') ?? SEEN_BY_DAYS_DEFAULT);
  if (!Number.isInteger(days) || days < 1 || days > SEEN_BY_DAYS_MAX)
    throw new ProtocolError(`days must be a whole number from 1 to ${SEEN_BY_DAYS_MAX}`);
  const { found, isWhole } = await findSeen(deps.table, deps.space, new Set([id]), deps.now() - days * DAY_MS);
  return respondJson(200, { id, seen: found, isWhole });
};

const nodes = z.array(UpdateNode).check(z.minLength(1), z.maxLength(MEMORY_COMMIT_OBJECTS_MAX));

const acceptTree = (deps: ConsoleDeps, { caller }: RouteCall, update: TreeUpdate): Promise<HttpResponse> => {
  // A tree in several requests is checked when all of it is there: when it is imported.
  const isWhole = update.isPart !== true && update.parts === undefined;
  const problem = isWhole ? treeProblem(update.nodes) : undefined;
  if (problem !== undefined) throw new ProtocolError(problem);
  if (countNodes(update) > MEMORY_COMMIT_OBJECTS_MAX)
    throw new ProtocolError(`a tree has at most ${MEMORY_COMMIT_OBJECTS_MAX} nodes`);
  // A part has no nonce: its sender names it by its hash.
  const nonce = update.isPart === true ? {} : { nonce: deps.newId() };
  const tree = parseWith('the tree', JSON.parse(JSON.stringify({ ...update, ...nonce })), JsonObject);
  return acceptInput(deps, caller, {
    conversation: 'memory',
    reply: { target: 'system', to: '' },
    payload: { sensor: 'buffer-update', tree },
  });
};

/** POST /api/memory/buffer: an editor's buffer, in the owner's own words. */
export const postBuffer = (deps: ConsoleDeps, call: RouteCall): Promise<HttpResponse> =>
  acceptTree(deps, call, { origin: 'owner', ...parseBody(call.request, z.strictObject({ nodes })) });

const { rootId, isPart, isGone, seen, parts } = TreeUpdate.shape;

/** POST /api/memory/import: a file's tree, or first its parts (`isPart`), then the rest. */
export const postImport = (deps: ConsoleDeps, call: RouteCall): Promise<HttpResponse> => {
  const body = parseBody(
    call.request,
    z.strictObject({ nodes, rootId, isPart, isGone, seen, parts, isTrusted: z.optional(z.boolean()) }),
  );
  if (body.isTrusted === true && call.caller.kind !== 'approver')
    throw new HttpError(403, 'forbidden', `vouching for what is imported: ${describeNeed('approver')}`);
  const { isTrusted, ...update } = body;
  return acceptTree(deps, call, { origin: isTrusted === true ? 'owner' : 'outside', ...update });
};

const Point = z.strictObject({
  /** An object's id or the start of one; `off` removes the focus. */
  objectId: z.string().check(z.regex(/^([0-9a-f]{6,32}|off)$/)),
  session: z.optional(z.string().check(z.regex(SESSION_NAME))),
});

/** POST /api/memory/point: the object at an editor's cursor becomes the focus of a conversation. */
export const postPoint = (deps: ConsoleDeps, { request, caller }: RouteCall): Promise<HttpResponse> => {
  const { objectId, session = 'main' } = parseBody(request, Point);
  return acceptInput(deps, caller, {
    conversation: session,
    reply: { target: 'system', to: '' },
    payload: { sensor: 'point-update', objectId },
  });
};

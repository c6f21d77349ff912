/**
 * Answers requests by a table of routes, as the console and the control function have one.
 * Everything under /api/ needs a token before its body is decoded or anything else is said about
 * it. Every failure becomes an answer here, and only here.
 */
import * as z from 'zod/mini';
import { PassepartoutError, ProtocolError } from '../../base/errors.ts';
import { describeIssues, parseJson, readJson } from '../../base/json.ts';
import { languageFor } from '../../base/language.ts';
import { BODY_BYTES_MAX } from '../../base/limits.ts';
import { compress } from '../../http/compress.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  parseRequest,
  respondFailure,
} from '../../http/function-url.ts';
import type { Cedar } from '../../judge/code/cedar-engine.ts';
import { storedSentences } from '../../language/stored-sentences.ts';
import type { Run } from '../../ledger/run.ts';
import type { MemoryReads } from '../../memory/memory.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import type { Feature } from '../../operations/feature.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import { Signal } from '../../signal/signal.ts';
import { indexPartitions } from '../../store/keys.ts';
import type { Publish } from '../../store/queue.ts';
import type { Environment, Variables } from '../../store/settings.ts';
import type { Table } from '../../store/table.ts';
import { type Caller, type ConsoleTokens, describeNeed, findCaller, isAllowed, type Need, NOBODY } from './tokens.ts';
import type { ChannelStates } from './views.ts';

/** Gives a file of a feature by its name. */
export type ReadPart = (name: string) => string;

export interface ConsoleSettings {
  readonly assistant: string;
  /** Language models in the order they are tried; empty when none is configured. */
  readonly providerNames: readonly string[];
  /** `off`, `polling` or `webhook`. */
  readonly channelStates: ChannelStates;
  readonly caps: BudgetCaps;
  readonly zone?: string;
  /** The environment's values of the settings that `/config` changes. */
  readonly configured?: Variables;
  /** Webhooks that may be called, as they are configured. */
  readonly webhooks?: Environment<'console'>['WEBHOOK_URLS'];
  /** Origin of the control function, if it has one of its own. */
  readonly controlOrigin?: string;
}

export interface ControlDeps {
  readonly space: string;
  readonly table: Pick<Table, 'load' | 'put' | 'update' | 'transact'>;
  readonly publish: Publish<PerceiveMessage>;
  readonly now: () => number;
  /** 128 random bits as 32 lower-case hex digits. */
  readonly newId: () => string;
  readonly tokens: (now: number) => Promise<ConsoleTokens>;
  /** Logs what a script did, or was refused. @param what signal or route, never a text */
  readonly noteScript: (event: 'script-accepted' | 'script-refused', name: string, what: string) => void;
  /** Logs a failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}

export interface ConsoleDeps extends ControlDeps {
  readonly features: readonly Feature[];
  readonly table: Pick<Table, 'load' | 'query' | 'queryIndex' | 'put' | 'update' | 'transact'>;
  /** Gives the same memory each time; its code is loaded with the first call. */
  readonly loadMemory: () => Promise<MemoryReads>;
  /** Wakes the log's writer. @param slot names this waking, so that a repeat wakes once */
  readonly wakeLog: (slot: string) => Promise<void>;
  /** Resolves after so many milliseconds; a timer unless set. */
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly settings: ConsoleSettings;
  readonly importCedar: () => Promise<Cedar>;
  /** When this process started, epoch milliseconds. */
  readonly startedAt: number;
  /** Gives files that lie beside the bundle; these unless set. */
  readonly readPart?: ReadPart;
}

/** How many steps a run has in all; undefined if that is not known. */
export type CountSteps = (deps: Pick<ConsoleDeps, 'table' | 'space'>, run: Run) => Promise<number | undefined>;

export interface RouteCall {
  readonly request: HttpRequest;
  readonly caller: Caller;
  /** Groups of the path's pattern. */
  readonly params: readonly string[];
}

export interface Route<Deps> {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly needs: Need;
  readonly answer: (deps: Deps, call: RouteCall) => Promise<HttpResponse> | HttpResponse;
}

export const route = <Deps>(
  method: 'GET' | 'POST',
  path: string,
  needs: Need,
  answer: Route<Deps>['answer'],
): Route<Deps> => ({ method, path: new RegExp(`^${path}$`), needs, answer });

type DoorDeps = Pick<ControlDeps, 'tokens' | 'now' | 'noteScript' | 'report'>;

export interface RouteTable<Deps extends DoorDeps> {
  readonly routes: readonly Route<Deps>[];
  readonly deps: Deps;
  /** Checks a request before its route answers. @throws HttpError to refuse it */
  readonly admit?: (deps: Deps, route: Route<Deps>, call: RouteCall) => Promise<void>;
}

const authenticate = async (deps: DoorDeps, request: HttpRequest): Promise<Caller> => {
  const caller = findCaller(request.headers.authorization, await deps.tokens(deps.now()));
  if (caller === undefined) throw new HttpError(401, 'unauthorized', 'a valid bearer token is needed');
  return caller;
};

const routeRequest = async <Deps extends DoorDeps>(
  { routes, deps, admit }: RouteTable<Deps>,
  request: HttpRequest,
): Promise<HttpResponse> => {
  const isClosed = request.path.startsWith('/api/');
  const caller = isClosed ? await authenticate(deps, request) : NOBODY;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const matching = routes.filter(({ path }) => path.test(request.path));
  if (matching.length === 0) throw new HttpError(404, 'not-found', 'there is nothing at this path');
  const found = matching.find((candidate) => candidate.method === method);
  if (found === undefined)
    throw new HttpError(
      405,
      'method-not-allowed',
      `this path takes ${[...new Set(matching.map((one) => one.method))].join(' and ')}`,
    );
  if (!isAllowed(caller, found.needs)) {
    if (caller.kind === 'script') deps.noteScript('script-refused', caller.name, `${method} ${found.path.source}`);
    throw new HttpError(403, 'forbidden', describeNeed(found.needs));
  }
  const call: RouteCall = { request, caller, params: found.path.exec(request.path)?.slice(1) ?? [] };
  if (isClosed) await admit?.(deps, found, call);
  return found.answer(deps, call);
};

/** Answers one function URL event. Never throws. */
export const answerRoutes = async <Deps extends DoorDeps>(
  table: RouteTable<Deps>,
  event: unknown,
): Promise<HttpResponse> => {
  let say: (text: string) => string = storedSentences.en;
  try {
    const request = parseRequest(event);
    const response = await routeRequest(table, request).catch(async (error: unknown) => {
      say = await storedSentences.in(languageFor(request.headers['accept-language']));
      throw error;
    });
    if (request.method === 'HEAD') return { ...response, body: '' };
    return compress(response, request.headers['accept-encoding']);
  } catch (error) {
    if (!(error instanceof PassepartoutError)) table.deps.report(error);
    return respondFailure(error, say);
  }
};

/** Signal ids contain `/` (`con-abc/1/2`), so they may take several path segments. */
export const SIGNAL_ID_PATTERN = '[a-z]+-[A-Za-z0-9_.:-]{1,80}(?:/[a-z0-9-]{1,12}){0,12}';

/** The answer for a signal that does not exist, and for one the caller may not see. */
export const noSuchSignal = (): HttpError => new HttpError(404, 'not-found', 'there is no such signal');

/** A signal's id from the path, checked before it gets into a key. @throws HttpError 404 */
export const parseSignalId = (id = ''): string => {
  if (!Signal.shape.id.safeParse(id).success) throw noSuchSignal();
  return id;
};

/** A key of the table: only one of this space's feed is taken. @throws ProtocolError (400) */
export const parseCursor = (query: URLSearchParams, space: string): string | undefined => {
  const cursor = query.get('cursor') || undefined;
  if (cursor === undefined) return undefined;
  const FeedKey = z.strictObject({
    pk: z.string().check(z.startsWith(`signal#${space}#`)),
    sk: z.literal('record'),
    feedSpace: z.literal(indexPartitions.feed(space)),
    feedAt: z.int(),
  });
  if (FeedKey.safeParse(readJson(Buffer.from(cursor, 'base64url').toString('utf8'))).success) return cursor;
  throw new ProtocolError(
    'cursor is not one that this list gave: send back the cursor of its last answer, or none for the first page',
  );
};

/** A whole number from the query. @throws ProtocolError (400) */
export const parseCount = (query: URLSearchParams, name: string, fallback: number): number => {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,13}$/.test(text)) throw new ProtocolError(`${name} must be a whole number from 0, of at most 13 digits`);
  return Number(text);
};

/** @throws ProtocolError (400) for a parameter that is not one of `names` */
export const checkQuery = (query: URLSearchParams, names: readonly string[]): void => {
  if ([...query.keys()].every((name) => names.includes(name))) return;
  throw new ProtocolError(`query takes only ${names.join(', ').replace(/, ([^,]+)$/, ' and $1')}`);
};

/** @throws HttpError 413 when too large, ProtocolError naming every problem. */
export const parseBody = <T>(request: HttpRequest, schema: z.ZodMiniType<T>): T => {
  if (request.body.byteLength > BODY_BYTES_MAX)
    throw new HttpError(413, 'too-large', `body is larger than ${BODY_BYTES_MAX} bytes`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(request.body);
  } catch {
    throw new ProtocolError('body is not valid UTF-8');
  }
  const result = schema.safeParse(parseJson('body', text, z.unknown()));
  if (result.success) return result.data;
  throw new ProtocolError(describeIssues(result.error.issues));
};

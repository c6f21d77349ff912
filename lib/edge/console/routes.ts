/**
 * A table of routes as the console and the control function have one: method, path, who may, what
 * answers. Everything under /api/ needs a token before anything else is said about it, or its body
 * is decoded. Every failure becomes an answer here, and only here.
 */
import { PassepartoutError } from '../../base/errors.ts';
import { HttpError, type HttpRequest, type HttpResponse, parseRequest, respondFailure } from '../function-url.ts';
import type { ControlDeps, RouteCall } from './deps.ts';
import { type Caller, callerOf, describeNeed, isAllowed, type Need, NOBODY } from './tokens.ts';

export interface Route<Deps> {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly needs: Need;
  /**
   * Answers a request past its door: the caller is who the token belongs to, `params` what the
   * path's pattern found.
   */
  readonly answer: (deps: Deps, call: RouteCall) => Promise<HttpResponse> | HttpResponse;
}

export const path = (pattern: string): RegExp => new RegExp(`^${pattern}$`);

type DoorDeps = Pick<ControlDeps, 'tokens' | 'now' | 'noteScript' | 'report'>;

const authenticate = async (deps: DoorDeps, request: HttpRequest): Promise<Caller> => {
  const caller = callerOf(request.authorization, await deps.tokens(deps.now()));
  if (caller === undefined) throw new HttpError(401, 'unauthorized', 'a valid bearer token is needed');
  return caller;
};

export interface RoutesInput<Deps extends DoorDeps> {
  readonly routes: readonly Route<Deps>[];
  readonly deps: Deps;
  /**
   * Looks at a request that a token opened, before its route answers. @throws HttpError to refuse
   * it
   */
  readonly admit?: (deps: Deps, route: Route<Deps>, call: RouteCall) => Promise<void>;
}

const routeRequest = async <Deps extends DoorDeps>(
  { routes, deps, admit }: RoutesInput<Deps>,
  request: HttpRequest,
): Promise<HttpResponse> => {
  const isClosed = request.path.startsWith('/api/');
  const caller = isClosed ? await authenticate(deps, request) : NOBODY;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const matching = routes.filter((route) => route.path.test(request.path));
  if (matching.length === 0) throw new HttpError(404, 'not-found', 'there is nothing at this path');
  const route = matching.find((candidate) => candidate.method === method);
  if (route === undefined) throw new HttpError(405, 'method-not-allowed', 'this path does not take that method');
  if (!isAllowed(caller, route.needs)) {
    if (caller.kind === 'script') deps.noteScript('script-refused', caller.name, `${method} ${route.path.source}`);
    throw new HttpError(403, 'forbidden', describeNeed(route.needs));
  }
  const call: RouteCall = { request, caller, params: route.path.exec(request.path)?.slice(1) ?? [] };
  if (isClosed) await admit?.(deps, route, call);
  return route.answer(deps, call);
};

/** Answers one function URL event. Never throws. */
export const answerRoutes = async <Deps extends DoorDeps>(
  input: RoutesInput<Deps>,
  event: unknown,
): Promise<HttpResponse> => {
  try {
    const request = parseRequest(event);
    const response = await routeRequest(input, request);
    return request.method === 'HEAD' ? { ...response, body: '' } : response;
  } catch (error) {
    if (!(error instanceof PassepartoutError)) input.deps.report(error);
    return respondFailure(error);
  }
};

/**
 * The HTTP side of the owner's machines: `POST /runner/<op>`, signed by a paired key. Closed to web
 * pages. 401 without such a signature, 4xx with plain words, 503 if nothing was accepted. Nothing
 * of a body is logged, and no answer quotes one.
 */
import type * as z from 'zod/mini';
import { parseJson } from '../../../core/base/json.ts';
import { BODY_BYTES_MAX } from '../../../core/base/limits.ts';
import { VERSION_HEADER } from '../../../core/base/version.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  parseRequest,
  respondFailure,
  respondJson,
} from '../../../core/http/function-url.ts';
import type { MachineDeps } from '../../../core/operations/machine-door.ts';
import type { Log } from '../../../core/store/log.ts';
import {
  carriesSignature,
  isRequestOf,
  RUNNER_BODIES,
  RUNNER_CLOCK_MS_MAX,
  RunnerOp,
  RunnerRequest,
  TAKES_FILES,
} from '../requests.ts';
import { loadRunners } from '../runner-powers.ts';
import type { Runner } from '../runners.ts';
import { pairRunner } from './pair-runner.ts';
import { beat, claimJob, keepResult, leave, openQueue, type ProgramReport } from './runner-ops.ts';

export interface RunnerHttpDeps extends MachineDeps {
  readonly log: Log;
}

const PATH = /^\/runner\/([a-z]+)$/;

const UNSIGNED = 'the request is not signed: the header authorization carries no signature of a machine';
const SIGNATURE = 'no runner is paired with this key: if it was removed, pair this machine again';

/** @throws HttpError */
const readOp = (method: string, path: string): RunnerOp => {
  const op = RunnerOp.safeParse(PATH.exec(path)?.[1]);
  if (!op.success) throw new HttpError(404, 'not-found', 'there is nothing at this path');
  if (method !== 'POST') throw new HttpError(405, 'method-not-allowed', 'only POST is taken here');
  return op.data;
};

/** Before the body is read. @throws HttpError */
const checkHead = ({ authorization = '' }: HttpRequest['headers']): void => {
  if (!carriesSignature(authorization)) throw new HttpError(401, 'unauthorized', UNSIGNED);
};

/** @throws HttpError */
const readRequest = (op: RunnerOp, body: Uint8Array, now: number): RunnerRequest => {
  if (body.length > BODY_BYTES_MAX)
    throw new HttpError(413, 'too-large', `a request may have ${BODY_BYTES_MAX} bytes; shorten the output`);
  const request = parseJson('request', Buffer.from(body).toString('utf8'), RunnerRequest);
  if (request.op !== op) throw new HttpError(400, 'malformed', 'the request was signed for another path');
  if (Math.abs(now - request.at) > RUNNER_CLOCK_MS_MAX)
    throw new HttpError(400, 'clock', 'the clock of this machine is off by more than five minutes; set it');
  return request;
};

/** @throws HttpError if no paired runner of this name signed it */
const authenticate = async (deps: RunnerHttpDeps, request: RunnerRequest, authorization: string): Promise<Runner> => {
  const { runners } = await loadRunners(deps.table, deps.space);
  const runner = runners.find(({ name }) => name === request.runner);
  if (runner === undefined || !isRequestOf(runner.publicKey, request, authorization))
    throw new HttpError(401, 'unauthorized', SIGNATURE);
  return runner;
};

const read = <T>(op: RunnerOp, schema: z.ZodMiniType<T>, body: unknown): T => {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new HttpError(400, 'malformed', `this is no request to ${op}`);
  return parsed.data;
};

/** As the machine's program says; of no weight but in words for its owner. */
const Release = /^([\w.-]{1,40})(?:; (files=1))?$/;
const readRelease = (header = ''): ProgramReport => {
  const [, release, files] = Release.exec(header) ?? [];
  return { release, takesFiles: files === TAKES_FILES };
};

const answer = async (
  deps: RunnerHttpDeps,
  request: RunnerRequest,
  { authorization = '', [VERSION_HEADER]: release }: HttpRequest['headers'],
): Promise<unknown> => {
  const { op, body } = request;
  if (op === 'pair') {
    const asked = read(op, RUNNER_BODIES.pair, body);
    if (request.runner !== '' || !isRequestOf(asked.publicKey, request, authorization))
      throw new HttpError(401, 'unauthorized', 'the request is not signed by the key that it brings');
    return pairRunner(deps, asked);
  }
  const runner = await authenticate(deps, request, authorization);
  switch (op) {
    case 'open':
      return openQueue(deps, runner, read(op, RUNNER_BODIES.open, body), readRelease(release));
    case 'offer': {
      const { keepOffer } = await import('../../mcp/offers.ts');
      await keepOffer(deps.table, deps.space, runner.name, read(op, RUNNER_BODIES.offer, body));
      return {};
    }
    case 'claim':
      return claimJob(deps, runner, read(op, RUNNER_BODIES.claim, body));
    case 'file': {
      // Most machines never ask for one.
      const { giveFile } = await import('./give-file.ts');
      return giveFile(deps, runner, read(op, RUNNER_BODIES.file, body));
    }
    case 'beat':
      return beat(deps, runner, read(op, RUNNER_BODIES.beat, body));
    case 'result':
      return keepResult(deps, runner, read(op, RUNNER_BODIES.result, body));
    case 'leave':
      read(op, RUNNER_BODIES.leave, body);
      return leave(deps, runner);
    default: {
      const never: never = op;
      return never;
    }
  }
};

/** @param event a function URL event, payload 2.0 */
export const answerRunner = async (deps: RunnerHttpDeps, event: unknown): Promise<HttpResponse> => {
  try {
    const { method, path, body, headers } = parseRequest(event);
    const op = readOp(method, path);
    checkHead(headers);
    const request = readRequest(op, body, deps.now());
    return respondJson(200, await answer(deps, request, headers));
  } catch (error) {
    deps.log('warn', 'runner-refused', { kind: error instanceof Error ? error.name : typeof error });
    return respondFailure(error);
  }
};

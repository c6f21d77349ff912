/** The runner's requests to its stack, signed by its key: nothing on this machine listens. */
import * as z from 'zod/mini';
import { KeyRefusedError, ProtocolError, UnavailableError } from '../../lib/core/base/errors.ts';
import { parseJson } from '../../lib/core/base/json.ts';
import { KIB, SECOND_MS } from '../../lib/core/base/limits.ts';
import { VERSION, VERSION_HEADER } from '../../lib/core/base/version.ts';
import { buildOutgoingFetch } from '../../lib/core/http/outgoing.ts';
import {
  RUNNER_ANSWERS,
  type RunnerAnswer,
  type RunnerBody,
  type RunnerOp,
  signRequest,
  TAKES_FILES,
} from '../../lib/features/runner/requests.ts';
import type { Signer } from '../../lib/features/runner/sign.ts';
import { MACHINE_FILE_BYTES_MAX } from '../../lib/features/skills/skill-change.ts';

/** A credential and some ids. */
const ANSWER_BYTES_MAX = 64 * KIB;
/** A file of a skill in base64. */
const FILE_ANSWER_BYTES_MAX = 2 * MACHINE_FILE_BYTES_MAX;
/** A function that starts cold answers within some seconds. */
const ANSWER_MS_MAX = 20 * SECOND_MS;
/** Somebody who pressed Ctrl-C waits, and a function may start cold. */
const LEAVE_MS_MAX = 5 * SECOND_MS;
const CONNECT_MS_MAX = 10 * SECOND_MS;
/** Of a stack's own sentence about a refusal. */
const REASON_CHARS_MAX = 300;

/** @throws UnavailableError if a later try can help; ProtocolError; KeyRefusedError */
type RunnerCall<Op extends RunnerOp> = (body: RunnerBody<Op>) => Promise<RunnerAnswer<Op>>;

/** One function for each request. */
export type Stack = { readonly [Op in RunnerOp]: RunnerCall<Op> };

export interface TransportOptions {
  readonly url: string;
  readonly signer: Signer;
  /** Empty to pair. */
  readonly runner: string;
  readonly now: () => number;
}

/** Credentials come back, so only this machine itself is asked without TLS. */
export const checkStackUrl = (given: string): string => {
  const url = URL.parse(given);
  const isLocal = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost' || url?.hostname === '[::1]';
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)))
    throw new ProtocolError('the address of the stack must begin with https:// (http:// only on this machine)');
  return given.replace(/\/+$/, '');
};

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** @returns undefined if the text has another form: then no stack wrote it */
const read = <T>(text: string, schema: z.ZodMiniType<T>): T | undefined => {
  try {
    return parseJson('the answer', text, schema);
  } catch {
    return undefined;
  }
};

/** 429 and failures of the stack's side may pass. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

export const buildStack = ({ url, signer, runner, now }: TransportOptions): Stack => {
  const fetchUpTo = (bytesMax: number) =>
    buildOutgoingFetch({ peer: 'the stack', bytesMax, connectTimeoutMs: CONNECT_MS_MAX });
  const [fetch, fetchFile] = [fetchUpTo(ANSWER_BYTES_MAX), fetchUpTo(FILE_ANSWER_BYTES_MAX)];
  const post = async (op: RunnerOp, body: unknown): Promise<{ readonly status: number; readonly text: string }> => {
    const { text, authorization } = signRequest(signer, { v: 1, op, runner, at: now(), body });
    try {
      const response = await (op === 'file' ? fetchFile : fetch)(`${url}/runner/${op}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', [VERSION_HEADER]: `${VERSION}; ${TAKES_FILES}` },
        body: text,
        signal: AbortSignal.timeout(op === 'leave' ? LEAVE_MS_MAX : ANSWER_MS_MAX),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new UnavailableError(`The stack at ${url} did not answer${why}.`, { cause: error });
    }
  };
  const ask = async <T>(op: RunnerOp, body: unknown, schema: z.ZodMiniType<T>): Promise<T> => {
    const { status, text } = await post(op, body);
    if (isPassing(status)) throw new UnavailableError(`The stack at ${url} did not answer (${status}).`);
    const answer = status === 200 ? read(text, schema) : undefined;
    if (answer !== undefined) return answer;
    const { code, message } = read(text, Refusal)?.error ?? {};
    // A clock will be set, and a tunnel comes back: no result is thrown away until then.
    if (message === undefined) throw new UnavailableError(`No stack answers at ${url} (${status}).`);
    if (code === 'clock') throw new UnavailableError(message);
    const Refused = status === 401 ? KeyRefusedError : ProtocolError;
    throw new Refused(`the stack refuses it (${status}): ${message.slice(0, REASON_CHARS_MAX)}`);
  };
  return {
    pair: (body) => ask('pair', body, RUNNER_ANSWERS.pair),
    open: (body) => ask('open', body, RUNNER_ANSWERS.open),
    offer: (body) => ask('offer', body, RUNNER_ANSWERS.offer),
    claim: (body) => ask('claim', body, RUNNER_ANSWERS.claim),
    file: (body) => ask('file', body, RUNNER_ANSWERS.file),
    beat: (body) => ask('beat', body, RUNNER_ANSWERS.beat),
    result: (body) => ask('result', body, RUNNER_ANSWERS.result),
    leave: (body) => ask('leave', body, RUNNER_ANSWERS.leave),
  };
};

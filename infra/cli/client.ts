/**
 * The console's HTTP API, one function for each route. A wrong token or request ends in exit code
 * 2, everything else in 1. A token goes into the Authorization header and nowhere else.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { defined } from '../../lib/core/base/defined.ts';
import type { JsonObject } from '../../lib/core/base/json.ts';
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import { API_VERSION, VERSION, VERSION_HEADER } from '../../lib/core/base/version.ts';
import { pathOf } from '../../lib/core/edge/console/operation-path.ts';
import { SIGNAL_ID_PATTERN } from '../../lib/core/edge/console/router.ts';
import { CONTROL_PATH } from '../../lib/core/http/function-url.ts';
import { buildHttpSource } from '../../lib/core/log/http-source.ts';
import type { LogSource } from '../../lib/core/log/source.ts';
import type { Change, Direct, Look } from '../../lib/core/operations/operation.ts';
import { Evidence, EvidencePage } from '../../lib/core/verbs/signals/signal-evidence.ts';
import { INSPECT_PATH, Inspection } from '../inspection.ts';
import {
  AcceptedAnswer,
  EmptyAnswer,
  ErrorAnswer,
  HealthAnswer,
  LOG_ANSWERS,
  ObjectsAnswer,
  PairingAnswer,
  PolicyAnswer,
  SeenAnswer,
  SignalAnswer,
} from './answers.ts';
import { shellLines } from './shell-lines.ts';
import type { Speech } from './speech.ts';
import { CliError, EXIT, printable } from './terminal.ts';

/** An ingress may take less than this for one request. */
const CLI_REQUEST_TIMEOUT_MS = 20 * SECOND_MS;

export interface StackAccess {
  readonly url: string;
  readonly controlUrl?: string | undefined;
  /** Address that runners talk to; that of the stack if absent. */
  readonly runnerUrl?: string | undefined;
  /** Address that services send events to; that of the stack if absent. */
  readonly webhookUrl?: string | undefined;
  readonly approverToken: string | undefined;
  /** Tokens of scripts, if the command line can see them: those of a deployed stack. */
  readonly apiTokens?: string | undefined;
  /** Of the person who reads the answers; absent for programs. */
  readonly speech?: Speech | undefined;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the request without a token. */
  readonly isOpen?: boolean;
}

/** @throws CliError (exit 2) */
const authorization = ({ approverToken: token }: StackAccess): string => {
  if (token !== undefined && token !== '') return `Bearer ${token}`;
  throw new CliError(
    EXIT.usage,
    'this needs APPROVER_TOKEN, and there is none',
    "set APPROVER_TOKEN, or use the stack's own DATA_DIR",
  );
};

const send = async (access: StackAccess, request: Request): Promise<Response> => {
  const { method, path, body, headers, isOpen } = request;
  const isControl = method === 'POST' && CONTROL_PATH.test(path);
  const url = (isControl ? access.controlUrl : undefined) ?? access.url;
  const authorized = isOpen === true ? {} : { authorization: authorization(access) };
  const asks = defined({ 'accept-language': access.speech?.asks });
  try {
    return await fetch(new URL(path, url), {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(CLI_REQUEST_TIMEOUT_MS),
      headers: {
        ...authorized,
        ...asks,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    });
  } catch {
    throw new CliError(
      EXIT.failed,
      `the stack at ${printable(url)} does not answer`,
      'is it running? "npm start" starts it',
    );
  }
};

const ADVICE: Readonly<Record<number, string>> = {
  401: "the token is not the stack's: is APPROVER_TOKEN set to something else, or DATA_DIR another folder?",
  503: 'try again in a moment; "npx passepartout doctor" says more',
};

const buildRefusal = (status: number, message: string): CliError => {
  const isUsage = status === 400 || status === 401 || status === 413;
  return new CliError(isUsage ? EXIT.usage : EXIT.failed, message, ADVICE[status] ?? '');
};

/** The release and the API of whoever answers, if it says so. */
const versionOf = ({ headers }: Response) => {
  const [, release, api] = /^([\w.-]{1,40}); data=\d+; api=(\d+)$/.exec(headers.get(VERSION_HEADER) ?? '') ?? [];
  return { release, api: api === undefined ? undefined : Number(api) };
};

const SKEW_ADVICE = '"npm start" or "npm run deploy" again, or use the command of its release';

/** @throws CliError if the stack speaks another version of the API */
const checkSkew = (response: Response): void => {
  const { release = '', api } = versionOf(response);
  if (api !== undefined && api !== API_VERSION)
    throw new CliError(
      EXIT.failed,
      `the stack is of release ${release} and speaks version ${api} of the API, this command of ${VERSION} speaks ${API_VERSION}`,
      SKEW_ADVICE,
    );
};

/** @throws CliError */
const ask = async <T>(
  access: StackAccess,
  schema: z.core.$ZodType<T>,
  request: Request,
  isFine: (status: number) => boolean = (status) => status < 400,
): Promise<T> => {
  const response = await send(access, request);
  await access.speech?.hear(response.headers.get('content-language') ?? '');
  checkSkew(response);
  const value: unknown = await response.json().catch(() => undefined);
  if (!isFine(response.status)) {
    const answer = ErrorAnswer.safeParse(value);
    const message = answer.success ? answer.data.error.message : `the stack answered ${response.status}`;
    throw buildRefusal(response.status, shellLines(printable(message)));
  }
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const { release } = versionOf(response);
  throw release === undefined || release === VERSION
    ? new CliError(EXIT.failed, 'the answer is not one of a Passepartout stack of this release')
    : new CliError(
        EXIT.failed,
        `the stack is of release ${release}, this command of ${VERSION}: they differ`,
        SKEW_ADVICE,
      );
};

type Query = Readonly<Record<string, unknown>>;

export const get = <T>(
  access: StackAccess,
  schema: z.core.$ZodType<T>,
  path: string,
  query: Query = {},
): Promise<T> => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return ask(access, schema, { method: 'GET', path: params.size === 0 ? path : `${path}?${params}` });
};

export const post = <T>(access: StackAccess, schema: z.core.$ZodType<T>, path: string, body?: unknown): Promise<T> =>
  ask(access, schema, { method: 'POST', path, body });

const Lines = z.looseObject({ lines: z._default(z.array(z.string()), []) });

const SIGNAL_ID = new RegExp(`^${SIGNAL_ID_PATTERN}$`);

/** @throws CliError if no signal can have this id */
const signalPath = (id: string): string => {
  if (!SIGNAL_ID.test(id)) throw new CliError(EXIT.failed, 'there is no such signal');
  return id.split('/').map(encodeURIComponent).join('/');
};

export const loadSignal = (access: StackAccess, id: string) =>
  get(access, SignalAnswer, `/api/signals/${signalPath(id)}`);
/** Server-sent events of an answer while it is written, after the one named. @throws CliError */
export const loadStream = async (access: StackAccess, id: string, lastEventId: string): Promise<string> => {
  const path = `/api/signals/${signalPath(id)}/stream`;
  const response = await send(access, { method: 'GET', path, headers: { 'last-event-id': lastEventId } });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!response.ok || !isStream) throw new CliError(EXIT.failed, 'there is no stream of this signal');
  return response.text();
};

export const postMessage = (access: StackAccess, text: string, session = 'main') =>
  post(access, AcceptedAnswer, '/api/messages', { text, session, idempotencyKey: randomUUID() });

export const performLook = <D extends z.ZodMiniType>(
  access: StackAccess,
  operation: Look<z.ZodMiniObject, D>,
  args: JsonObject,
  session?: string,
): Promise<z.output<D> & { readonly lines: readonly string[] }> =>
  get(access, z.intersection(operation.data, Lines), pathOf(operation), { ...args, session });

export const performDirect = <T>(
  access: StackAccess,
  operation: Pick<Direct, 'name'> & { readonly data: z.ZodMiniType<T> },
  args: JsonObject,
) => post(access, operation.data, pathOf(operation), args);

/** Begins a change: its signal goes through the pipeline. */
export const performChange = (access: StackAccess, operation: Change, args: JsonObject, session = 'main') => {
  const query = new URLSearchParams({ session, idempotencyKey: randomUUID() });
  return post(access, AcceptedAnswer, `${pathOf(operation)}?${query}`, args);
};

/** A yes by the way of a card's button, which the control function takes. */
export const tapApprove = (access: StackAccess, id: string) =>
  post(access, AcceptedAnswer, `/api/approvals/${encodeURIComponent(id)}`, { decision: 'approve' });

export const loadPolicy = (access: StackAccess) => get(access, PolicyAnswer, '/api/policy');
export const setPolicy = (access: StackAccess, text: string) => post(access, PolicyAnswer, '/api/policy', { text });

export const loadObjects = (access: StackAccess, after?: string) =>
  get(access, ObjectsAnswer, '/api/memory/objects', { after });
export const loadSeenBy = (access: StackAccess, id: string, days: number) =>
  get(access, SeenAnswer, `/api/memory/seen/${encodeURIComponent(id)}`, { days });
export const importTree = (access: StackAccess, body: object) =>
  post(access, AcceptedAnswer, '/api/memory/import', body);

/** Resumes the whole space, or one conversation. */
export const resumeStack = (access: StackAccess, session?: string) =>
  post(access, AcceptedAnswer, '/api/resume', session === undefined ? undefined : { session });
/** Puts a provider's key into the vault; an empty one takes it out. */
export const putProviderKey = (
  access: StackAccess,
  key: { readonly name: string; readonly baseUrl: string; readonly key: string },
) => post(access, z.object({ name: z.string() }), '/api/provider-key', key);

export const createPairingCode = (access: StackAccess) => post(access, PairingAnswer, '/api/pairing-codes');

/** An unhealthy stack answers too, with status 503. With a token the answer is of this moment. */
export const loadHealth = (access: StackAccess) =>
  ask(
    access,
    HealthAnswer,
    {
      ...{ method: 'GET', path: '/health', isOpen: !access.approverToken },
      // `*`: the language that the console chose.
      headers: access.speech === undefined ? {} : { 'accept-language': access.speech.asks ?? '*' },
    },
    (status) => status < 400 || status === 503,
  );

export const loadEvidence = (access: StackAccess, id: string) =>
  get(access, Evidence, `/api/signals/${signalPath(id)}/evidence`);
export const loadEvidencePage = (access: StackAccess, cursor?: string) =>
  get(access, EvidencePage, '/api/evidence', { cursor });

export const wakeLog = (access: StackAccess) => post(access, EmptyAnswer, '/api/log');

const loadLogBytes = async (access: StackAccess, path: string): Promise<Uint8Array | undefined> => {
  const response = await send(access, { method: 'GET', path: `/api/log${path}` });
  if (response.status === 404) return undefined;
  if (response.status >= 400) throw buildRefusal(response.status, `the stack answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

/** The log's public keys, or its newest checkpoint. @throws CliError if the log has none yet */
export const loadLogText = async (access: StackAccess, part: 'key' | 'checkpoint'): Promise<string> => {
  const bytes = await loadLogBytes(access, `/${part}`);
  if (bytes !== undefined) return Buffer.from(bytes).toString();
  throw new CliError(EXIT.failed, `the log has no ${part} yet`, 'it gets one about a minute after the first message');
};

/** The evidence log of a stack. */
export const openLog = (access: StackAccess): LogSource =>
  buildHttpSource({
    json: (name, path) => get(access, LOG_ANSWERS[name], `/api/log${path}`),
    bytes: (path) => loadLogBytes(access, path),
    keys: () => loadLogText(access, 'key'),
    mayBeTooMuch: (error) => error instanceof CliError,
  });

/**
 * The answers that a local stack gets from providers and channels now; undefined of an earlier
 * release.
 */
export const loadInspection = async (access: StackAccess): Promise<Inspection | undefined> => {
  const isFine = (status: number): boolean => status < 400 || status === 404;
  const request = { method: 'GET', path: INSPECT_PATH } as const;
  const answer = await ask(access, z.union([Inspection, ErrorAnswer]), request, isFine);
  return 'error' in answer ? undefined : answer;
};

/**
 * The console's HTTP API as functions. A stack that does not answer is exit 3, a wrong token or
 * request exit 2, anything refused exit 1; the message is the stack's own. Tokens go into the
 * Authorization header and nowhere else.
 */

import * as z from 'zod';
import { defined } from '../../lib/base/defined.ts';
import { SECOND_MS } from '../../lib/base/limits.ts';
import { CONTROL_PATH } from '../../lib/edge/function-url.ts';
import { Evidence, EvidencePage } from '../../lib/stages/explain/evidence.ts';
import {
  AcceptedAnswer,
  ApprovalsAnswer,
  BudgetAnswer,
  CostAnswer,
  ErrorAnswer,
  GrantsAnswer,
  HealthAnswer,
  ListAnswer,
  MemoryAnswer,
  ObjectsAnswer,
  PairingAnswer,
  PolicyAnswer,
  SeenAnswer,
  SignalAnswer,
} from './answers.ts';
import { CliError, EXIT, type ExitCode } from './exit-codes.ts';
import {
  CheckpointsAnswer,
  CommitsAnswer,
  EmptyAnswer,
  GateSetsAnswer,
  RecordsAnswer,
  SignalRecordsAnswer,
  StandingAnswer,
} from './log-answers.ts';
import { printable } from './printable.ts';

/** One request of the command line: longer than an ingress may take. */
const CLI_REQUEST_TIMEOUT_MS = 20 * SECOND_MS;

/** Where a stack is and what opens it. */
export interface StackAccess {
  readonly url: string;
  /** Of the control function, if it has one of its own. */
  readonly controlUrl?: string | undefined;
  readonly approverToken: string | undefined;
  /** Of scripts, where the command line can see it: of a deployed stack. */
  readonly apiTokens?: string | undefined;
}

export interface PostedText {
  readonly text: string;
  readonly session: string;
  readonly idempotencyKey: string;
}

type Door = 'token' | 'none';

const exitCodeOf = (status: number): ExitCode => {
  if (status === 400 || status === 401 || status === 413) return EXIT.usage;
  return EXIT.failed;
};

const adviceOf = (status: number): string => {
  if (status === 401)
    return "the token is not the stack's: is APPROVER_TOKEN set to something else, or DATA_DIR another folder?";
  return status === 503 ? 'try again in a moment; "passepartout doctor" says more' : '';
};

const tokenFor = (access: StackAccess, door: Door): string => {
  if (door === 'none') return '';
  const token = access.approverToken;
  if (token === undefined || token === '')
    throw new CliError(
      EXIT.usage,
      'this needs APPROVER_TOKEN, and there is none',
      "set APPROVER_TOKEN, or use the stack's own DATA_DIR",
    );
  return token;
};

/** Builds the client of one stack. */
export const buildClient = (access: StackAccess) => {
  const send = async (
    door: Door,
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    const isControl = method === 'POST' && CONTROL_PATH.test(path);
    const url = (isControl ? access.controlUrl : undefined) ?? access.url;
    try {
      return await fetch(new URL(path, url), {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(CLI_REQUEST_TIMEOUT_MS),
        headers: {
          ...(door === 'none' ? {} : { authorization: `Bearer ${tokenFor(access, door)}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw new CliError(
        EXIT.failed,
        `the stack at ${printable(url)} does not answer`,
        'is it running? "npm start" starts it',
      );
    }
  };

  const ask = async <T>(
    schema: z.core.$ZodType<T>,
    door: Door,
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    isFine: (status: number) => boolean = (status) => status < 400,
  ): Promise<T> => {
    const response = await send(door, method, path, body);
    const value: unknown = await response.json().catch(() => undefined);
    if (!isFine(response.status)) {
      const answer = ErrorAnswer.safeParse(value);
      const message = answer.success ? answer.data.error.message : `the stack answered ${response.status}`;
      throw new CliError(exitCodeOf(response.status), printable(message), adviceOf(response.status));
    }
    const parsed = z.safeParse(schema, value);
    if (parsed.success) return parsed.data;
    throw new CliError(EXIT.failed, 'the answer is not one of a Passepartout stack of this release');
  };

  /** Bytes of an answer that is not JSON; undefined where there is nothing at the path. */
  const askBytes = async (path: string): Promise<Uint8Array | undefined> => {
    const response = await send('token', 'GET', path, undefined);
    if (response.status === 404) return undefined;
    if (response.status >= 400)
      throw new CliError(
        exitCodeOf(response.status),
        `the stack answered ${response.status}`,
        adviceOf(response.status),
      );
    return new Uint8Array(await response.arrayBuffer());
  };

  const signalPath = (id: string): string => `/api/signals/${id.split('/').map(encodeURIComponent).join('/')}`;

  return {
    evidence: (id: string) => ask(Evidence, 'token', 'GET', `${signalPath(id)}/evidence`),
    evidencePage: (cursor?: string) =>
      ask(
        EvidencePage,
        'token',
        'GET',
        `/api/evidence${cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`}`,
      ),
    policy: () => ask(PolicyAnswer, 'token', 'GET', '/api/policy'),
    setPolicy: (text: string) => ask(PolicyAnswer, 'token', 'POST', '/api/policy', { text }),
    post: (message: PostedText) => ask(AcceptedAnswer, 'token', 'POST', '/api/messages', message),
    signal: (id: string) =>
      ask(SignalAnswer, 'token', 'GET', `/api/signals/${id.split('/').map(encodeURIComponent).join('/')}`),
    /**
     * Server-sent events of an answer while it is written, from where the last ones ended. @throws
     * CliError where there is no stream
     */
    stream: async (id: string, last: string): Promise<string> => {
      const response = await send('token', 'GET', `${signalPath(id)}/stream`, undefined, { 'last-event-id': last });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (!response.ok || !isStream) throw new CliError(EXIT.failed, 'there is no stream of this signal');
      return response.text();
    },
    signals: (query: URLSearchParams) => ask(ListAnswer, 'token', 'GET', `/api/signals?${query}`),
    approvals: () => ask(ApprovalsAnswer, 'token', 'GET', '/api/approvals'),
    /** Flight plans: those of one state, or all. */
    plans: (state: string) => ask(ApprovalsAnswer, 'token', 'GET', `/api/approvals?${new URLSearchParams({ state })}`),
    budget: () => ask(BudgetAnswer, 'token', 'GET', '/api/budget'),
    /** @param of a conversation, or a job */
    cost: (period: string, of?: string) =>
      ask(
        CostAnswer,
        'token',
        'GET',
        `/api/cost?${new URLSearchParams({ period, ...(of === undefined ? {} : { [period]: of }) })}`,
      ),
    grants: () => ask(GrantsAnswer, 'token', 'GET', '/api/grants'),
    addGrant: (wish: object) => ask(AcceptedAnswer, 'token', 'POST', '/api/grants', wish),
    revokeGrant: (id: string) => ask(AcceptedAnswer, 'token', 'POST', `/api/grants/${encodeURIComponent(id)}/revoke`),
    decide: (id: string, decision: 'approve' | 'allow-similar' | 'deny') =>
      ask(AcceptedAnswer, 'token', 'POST', `/api/approvals/${encodeURIComponent(id)}`, { decision }),
    redrive: (id: string) =>
      ask(AcceptedAnswer, 'token', 'POST', `/api/signals/${id.split('/').map(encodeURIComponent).join('/')}/redrive`),
    resolve: (id: string, n: number, resolution: 'done' | 'retry') =>
      ask(
        AcceptedAnswer,
        'token',
        'POST',
        `/api/signals/${id.split('/').map(encodeURIComponent).join('/')}/effects/${n}`,
        { resolution },
      ),
    /** What a chat's command about memory answers. */
    askMemory: (command: string, text: string) =>
      ask(MemoryAnswer, 'token', 'GET', `/api/memory/ask?${new URLSearchParams({ command, text })}`),
    memoryObjects: (after?: string) =>
      ask(
        ObjectsAnswer,
        'token',
        'GET',
        `/api/memory/objects${after === undefined ? '' : `?${new URLSearchParams({ after })}`}`,
      ),
    seenBy: (id: string, days: number) =>
      ask(SeenAnswer, 'token', 'GET', `/api/memory/seen/${encodeURIComponent(id)}?days=${days}`),
    importTree: (body: object) => ask(AcceptedAnswer, 'token', 'POST', '/api/memory/import', body),
    stop: () => ask(AcceptedAnswer, 'token', 'POST', '/api/stop'),
    /** Of the space, or of one conversation. */
    resume: (session?: string) =>
      ask(AcceptedAnswer, 'token', 'POST', '/api/resume', session === undefined ? undefined : { session }),
    logWake: () => ask(EmptyAnswer, 'token', 'POST', '/api/log'),
    logStanding: () => ask(StandingAnswer, 'token', 'GET', '/api/log'),
    logCheckpoints: (after: number) => ask(CheckpointsAnswer, 'token', 'GET', `/api/log/checkpoints?after=${after}`),
    logRecords: (limit: number, cursor?: string) =>
      ask(
        RecordsAnswer,
        'token',
        'GET',
        `/api/log/records?${new URLSearchParams({ limit: String(limit), ...defined({ cursor }) })}`,
      ),
    logSignal: (id: string) =>
      ask(SignalRecordsAnswer, 'token', 'GET', `/api/log/records/${id.split('/').map(encodeURIComponent).join('/')}`),
    logGateSets: () => ask(GateSetsAnswer, 'token', 'GET', '/api/log/gate-sets'),
    logCommits: (after: number) => ask(CommitsAnswer, 'token', 'GET', `/api/log/commits?after=${after}`),
    /** `key`, `checkpoint`. @throws CliError when the log has none yet */
    logText: async (what: string): Promise<string> => {
      const bytes = await askBytes(`/api/log/${what}`);
      if (bytes === undefined)
        throw new CliError(
          EXIT.failed,
          `the log has no ${what} yet`,
          'it gets one about a minute after the first message',
        );
      return Buffer.from(bytes).toString();
    },
    logBytes: (path: string) => askBytes(`/api/log/${path}`),
    pair: () => ask(PairingAnswer, 'token', 'POST', '/api/pairing-codes'),
    /** Also when unhealthy, which is a 503 with the same members. */
    health: () => {
      // With a token the answer is the client's own, and of this moment.
      const door = access.approverToken ? 'token' : 'none';
      return ask(HealthAnswer, door, 'GET', '/health', undefined, (status) => status < 400 || status === 503);
    },
  } as const;
};

export type Client = ReturnType<typeof buildClient>;

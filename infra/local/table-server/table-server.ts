/**
 * The engine behind DynamoDB's HTTP protocol. Requests that arrive together are one transaction.
 */
import { respond, startSignedServer } from '../loopback-server.ts';
import type { AnswerWire } from '../wire.ts';
import { answerError, buildEngine, type EngineAnswer, type EngineRequest, hasWrites } from './engine.ts';
import { storageFailed } from './inputs.ts';
import { type Credentials, makeCredentials } from './signature.ts';
import { describeStorageError, type Storage, type StorageProblem } from './storage.ts';

export interface TableServer {
  readonly endpoint: string;
  readonly credentials: Credentials;
  /** Why the file cannot be read or written now, in one sentence; undefined when it can. */
  readonly problem: () => string | undefined;
  /** Carries out a request as if it had come in, for callers of the same process. */
  readonly run: (request: EngineRequest) => Promise<EngineAnswer>;
  readonly answer: AnswerWire;
  /** Ends the connections, after what has arrived is carried out. */
  readonly stop: () => Promise<void>;
}

interface Waiting extends EngineRequest {
  readonly reply: (answer: EngineAnswer) => void;
}

const TARGET = 'DynamoDB_20120810.';
const actionOf = (target: string): string => (target.startsWith(TARGET) ? target.slice(TARGET.length) : target);

export interface TableServerOptions {
  /** Stays open when the server stops: it belongs to the caller. */
  readonly storage: Storage;
  /** The storage's file, named in messages. */
  readonly file: string;
  /** The server makes them if none are given. */
  readonly credentials?: Credentials;
  /** Set by tests that put a proxy in between: takes requests under any host and signature. */
  readonly isOpen?: boolean;
}

export const startTableServer = async (options: TableServerOptions): Promise<TableServer> => {
  const { storage, file, credentials = makeCredentials(), isOpen = false } = options;
  const engine = buildEngine({ storage, now: Date.now });
  let problem: StorageProblem | undefined;
  let waiting: Waiting[] = [];

  const fail = (error: unknown): EngineAnswer => {
    const found = describeStorageError(file, error);
    if (found !== undefined) problem = found;
    return answerError(storageFailed(found?.sentence ?? String(error)));
  };
  const answer = (requests: readonly Waiting[]): void => {
    try {
      const answers = engine.run(requests);
      if (problem?.kind === 'passing' && hasWrites(requests)) problem = undefined;
      for (const [n, { reply }] of requests.entries()) {
        const own = answers[n];
        if (own !== undefined) reply(own);
      }
    } catch (error) {
      // One request that fails does not fail those that came with it.
      if (requests.length > 1) for (const request of requests) answer([request]);
      else {
        const failed = fail(error);
        for (const { reply } of requests) reply(failed);
      }
    }
  };
  const flush = (): void => {
    const requests = waiting;
    waiting = [];
    answer(requests);
  };
  const take = (request: Waiting): void => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(request);
  };

  const server = await startSignedServer({
    service: 'dynamodb',
    credentials,
    isOpen,
    handle: (request, body, response) => {
      const action = actionOf(String(request.headers['x-amz-target']));
      take({ action, body: body.toString('utf8'), reply: (own) => respond(response, own.status, own.body) });
    },
  });
  const run: TableServer['run'] = (request) => new Promise((reply) => take({ ...request, reply }));
  return {
    endpoint: server.origin,
    credentials,
    problem: () => problem?.sentence,
    run,
    answer: async (target, body) => ({ ...(await run({ action: actionOf(target), body })), headers: {} }),
    stop: async () => {
      await server.stop();
      if (waiting.length > 0) flush();
    },
  };
};

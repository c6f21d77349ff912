/**
 * A proxy in front of a server of DynamoDB or SQS. It passes a request on, waits for the whole
 * answer, and then may close the client's connection instead of passing the answer back: the
 * request was carried out, and the client cannot know. Listens on 127.0.0.1.
 */
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Credentials, signRequest } from '../../infra/local/table-server/signature.ts';

/**
 * Whether the answer is lost. @param action `PutItem`, `SendMessage` …; @param n counts the
 * requests it is asked about, from 0
 */
export type Loses = (action: string, n: number) => boolean | Promise<boolean>;

export interface LosingProxy extends AsyncDisposable {
  readonly endpoint: string;
  /** Says from now on which answers are lost, and counts anew. */
  readonly lose: (loses: Loses) => void;
  /** Says from now on which requests are never passed on; none if absent. */
  readonly refuse: (refuses?: (action: string, body: string) => boolean) => void;
  /** Actions whose answers were lost, since `lose` was called. */
  readonly lost: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'TransactWriteItems']);

const losingOneOf =
  (actions: ReadonlySet<string>) =>
  (k: number): Loses => {
    let seen = -1;
    return (action) => {
      if (!actions.has(action)) return false;
      seen += 1;
      return seen === k;
    };
  };

/** Loses the answer of one write of the table, counted from 0, and of no other. */
export const losingWrite = losingOneOf(WRITES);
/** Loses the answer of one message sent to a queue, counted from 0, and of no other. */
export const losingSend = losingOneOf(new Set(['SendMessage']));

/** A request to SQS, signed again for the server behind, which takes no other name than its own. */
const resign = (credentials: Credentials, target: string, { headers }: IncomingMessage, body: Buffer) => {
  const [date, action] = [String(headers['x-amz-date']), String(headers['x-amz-target'])];
  const request = { service: 'sqs' as const, host: new URL(target).host, region: 'us-east-1', target: action, date };
  return { 'content-type': headers['content-type'], ...signRequest(credentials, request, body) };
};

/**
 * @param target endpoint of the server behind
 * @param credentials of a server that checks them
 */
export const startLosingProxy = async (target: string, credentials?: Credentials): Promise<LosingProxy> => {
  const agent = new Agent({ keepAlive: true });
  let loses: Loses = () => false;
  let refuses = (_action: string, _body: string): boolean => false;
  let asked = 0;
  let lost: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { method, url } = incoming;
      const sent = await buffer(incoming);
      const action = String(incoming.headers['x-amz-target'] ?? '.other').split('.')[1] ?? 'other';
      if (refuses(action, sent.toString())) {
        incoming.socket.destroy();
        return;
      }
      const headers = credentials === undefined ? incoming.headers : resign(credentials, target, incoming, sent);
      const passed = httpRequest(target, { method, headers, agent, path: url }).end(sent);
      const [answer] = (await once(passed, 'response')) as [IncomingMessage];
      const body = await buffer(answer);
      asked += 1;
      const isLost = await loses(action, asked - 1);
      if (isLost) {
        lost.push(action);
        incoming.socket.destroy();
      } else outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
    } catch {
      incoming.socket.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
    await once(server, 'close');
  };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    lose: (next) => {
      loses = next;
      asked = 0;
      lost = [];
    },
    refuse: (next = () => false) => {
      refuses = next;
    },
    lost: () => lost,
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

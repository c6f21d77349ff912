/**
 * Requests of functions to the servers of their own process, as messages instead of HTTP. The SDK
 * serialises and parses them as ever; what it sends is not signed, because nobody else can send it.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Wire } from '../../lib/core/store/clients.ts';

type WireService = Parameters<Wire>[0];

interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @param target as in the header `x-amz-target`. @throws if the server is closed */
export type AnswerWire = (target: string, body: string) => Promise<WireAnswer>;

/** The servers that answer without a socket. */
export type WireServers = Readonly<Partial<Record<WireService, AnswerWire>>>;

interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface WireAsk {
  readonly id: number;
  readonly service: WireService;
  readonly target: string;
  readonly body: string;
}

interface WireReply {
  readonly id: number;
  /** Absent if the server is closed. */
  readonly answer?: WireAnswer;
}

/** The thread's end of a wire, and the names of the services at its other end. */
export interface WireEnd {
  readonly port: MessagePort;
  readonly services: readonly WireService[];
}

/** @returns the end for a new thread; the other end closes when the thread ends */
export const openWire = (servers: WireServers): WireEnd => {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', ({ id, service, target, body }: WireAsk) => {
    const tell = (answered: WireReply): void => port1.postMessage(answered);
    servers[service]?.(target, body).then(
      (answer) => tell({ id, answer }),
      () => tell({ id }),
    );
  });
  port1.unref();
  const services = (['dynamodb', 'sqs'] as const).filter((service) => servers[service] !== undefined);
  return { port: port2, services };
};

/** As the socket of a server that ended. The SDK tries again. */
export const closedError = (): Error =>
  Object.assign(new Error('the embedded server is closed'), { code: 'ECONNRESET' });

const decoder = new TextDecoder();

/** Settings that make a client of the SDK ask this way. */
export const clientOver = (answer: AnswerWire): ReturnType<Wire> => ({
  signer: { sign: async (request) => request },
  requestHandler: {
    handle: async ({ headers, body = '' }: HttpRequest) => {
      const text = typeof body === 'string' ? body : decoder.decode(body);
      const { status, headers: answered, body: bytes } = await answer(headers['x-amz-target'] ?? '', text);
      return { response: { statusCode: status, headers: answered, body: Buffer.from(bytes) } };
    },
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  },
});

/** In the thread: from now on, clients of these services use the wire. */
export const useWire = ({ port, services }: WireEnd): void => {
  const waiting = new Map<number, PromiseWithResolvers<WireAnswer>>();
  let last = 0;
  port.on('message', ({ id, answer }: WireReply) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (answer === undefined) one?.reject(closedError());
    else one?.resolve(answer);
  });
  const ask =
    (service: WireService): AnswerWire =>
    (target, body) => {
      last += 1;
      const answered = Promise.withResolvers<WireAnswer>();
      waiting.set(last, answered);
      port.postMessage({ id: last, service, target, body } satisfies WireAsk);
      return answered.promise;
    };
  globalThis.passepartoutWire = (service) => (services.includes(service) ? clientOver(ask(service)) : {});
};

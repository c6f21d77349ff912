/**
 * An OpenAI-compatible endpoint of a stranger: it lists its models with window and prices, wants
 * its key, and repeats a wrong one in its error, as some do.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SecondProvider {
  readonly baseUrl: string;
  /** The requests that came, each as `GET /v1/models`, with its key. */
  readonly seen: { readonly what: string; readonly key: string; readonly body: string }[];
  /** Changes its behaviour: answers, or redirects all to this address. */
  redirectTo: string | undefined;
  readonly close: () => Promise<void>;
}

export const startSecondProvider = async (
  key: string,
  answer = 'the second one speaks',
  models: readonly object[] = [
    { id: 'tiny-1', context_length: 64_000, pricing: { prompt: '0.000001', completion: '0.000002' } },
    { id: 'grand-1', context_length: 200_000 },
  ],
): Promise<SecondProvider> => {
  const seen: SecondProvider['seen'] = [];
  const provider: { redirectTo: string | undefined } = { redirectTo: undefined };
  const server = createServer(async (request, response) => {
    const given = (request.headers.authorization ?? '').replace('Bearer ', '');
    const body = await text(request);
    seen.push({ what: `${request.method} ${request.url}`, key: given, body });
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (provider.redirectTo !== undefined) {
      response.writeHead(302, { location: provider.redirectTo });
      response.end();
      return;
    }
    if (given !== key) return send(401, { error: { message: `Incorrect API key provided: ${given}.` } });
    if (request.url === '/v1/models') return send(200, { data: models });
    const { model } = JSON.parse(body);
    if (!models.some((one) => 'id' in one && one.id === model))
      return send(404, { error: { message: `The model ${model} does not exist`, code: 'model_not_found' } });
    const message = { role: 'assistant', content: answer };
    return send(200, {
      ...{ id: 'c', object: 'chat.completion', created: 1, model },
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(provider, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
};

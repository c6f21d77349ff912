/**
 * The console on a real store: the embedded table server, real FIFO queues (fauxqs) where a test
 * wants them, and node:http in the place of the function URL. Everything on loopback, on ports of
 * its own.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buildSync } from 'esbuild';
import { browserParts } from '../../../../infra/bundling.ts';
import { LOCAL_KEEP_ALIVE_MS } from '../../../../infra/local/http-front.ts';
import { answerControl } from '../../../../lib/core/edge/console/control.ts';
import type { ConsoleDeps, ControlDeps, ReadPart } from '../../../../lib/core/edge/console/router.ts';
import { buildConsole } from '../../../../lib/core/edge/console/routes.ts';
import type { HttpResponse } from '../../../../lib/core/http/function-url.ts';
import { importCedar } from '../../../../lib/core/judge/code/cedar-engine.ts';
import { buildMemory } from '../../../../lib/core/memory/memory.ts';
import type { PerceiveMessage } from '../../../../lib/core/signal/messages.ts';
import { FEATURES } from '../../../../lib/features/features.ts';
import { DEFAULT_CAPS } from '../../../support/default-caps.ts';
import { startDynamo, type TestDynamo } from '../../../support/dynamo.ts';
import { SPACE } from './stored-fixtures.ts';

export const SCRIPT_TOKEN = 'script-token-for-tests';
export const APPROVER_TOKEN = 'approver-token-for-tests';

export interface Published {
  readonly message: PerceiveMessage;
  readonly step: string;
}

export interface TestConsole {
  readonly dynamo: TestDynamo;
  readonly deps: ConsoleDeps;
  readonly published: Published[];
  readonly reported: unknown[];
  /** The answer to one event of a function URL. */
  readonly answer: (event: unknown) => Promise<HttpResponse>;
  /** Status and parsed body of one request. */
  readonly ask: (
    method: string,
    path: string,
    options?: {
      readonly token?: string | null;
      readonly body?: unknown;
      readonly raw?: string;
      readonly language?: string;
    },
  ) => Promise<{ readonly status: number; readonly body: unknown; readonly headers: Readonly<Record<string, string>> }>;
  readonly stop: () => Promise<void>;
}

const PARTS = browserParts();

const buildScript = (name: string): string => {
  const script = PARTS.scripts.find(({ entryPoints }) => Object.keys(entryPoints ?? {}).includes(name.slice(0, -3)));
  return buildSync({ ...script, write: false }).outputFiles[0]?.text ?? '';
};

/** Parts of the page, built as for a deployment. */
export const readPart: ReadPart = (name) =>
  name.endsWith('.js')
    ? buildScript(name)
    : readFileSync(PARTS.files.find((path) => path.endsWith(name)) ?? '', 'utf8');

/** @param over parts of the console's dependencies to replace. */
export const startConsole = async (over: Partial<ConsoleDeps> = {}): Promise<TestConsole> => {
  const dynamo = await startDynamo();
  const memory = buildMemory(dynamo.table, SPACE);
  const published: Published[] = [];
  const reported: unknown[] = [];
  const deps: ConsoleDeps = {
    features: FEATURES,
    space: SPACE,
    table: dynamo.table,
    loadMemory: async () => memory,
    publish: async (message, step) => void published.push({ message, step }),
    wakeLog: async () => undefined,
    now: () => 1_700_000_100_000,
    newId: () => randomBytes(16).toString('hex'),
    tokens: async () => ({
      approverToken: APPROVER_TOKEN,
      scripts: [{ name: 'tests', token: SCRIPT_TOKEN, scopes: new Set(['read', 'speak-as-owner']) }],
    }),
    noteScript: () => undefined,
    settings: {
      assistant: 'Passepartout',
      providerNames: ['demo'],
      channelStates: { telegram: 'off' },
      caps: DEFAULT_CAPS,
    },
    startedAt: 1_700_000_000_000,
    importCedar,
    report: (error) => void reported.push(error),
    readPart,
    ...over,
  };
  const answerConsole = buildConsole(deps);
  return {
    dynamo,
    deps,
    published,
    reported,
    answer: answerConsole,
    ask: async (method, path, options = {}) => {
      const [rawPath = '/', rawQueryString = ''] = path.split('?');
      const token = options.token === undefined ? APPROVER_TOKEN : options.token;
      const response = await answerConsole({
        rawPath,
        rawQueryString,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          'accept-language': options.language,
        },
        body: options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
        isBase64Encoded: false,
        requestContext: { http: { method } },
      });
      const isJson = response.headers['content-type']?.startsWith('application/json') === true && response.body !== '';
      return {
        status: response.statusCode,
        headers: response.headers,
        body: isJson ? JSON.parse(response.body) : response.body,
      };
    },
    stop: dynamo.stop,
  };
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('base64');
};

interface Served {
  readonly url: string;
  readonly server: Server;
}

/**
 * What a function URL with control's CORS adds, and answers by itself when a page asks whether it
 * may post.
 */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization,content-type',
};

/** Serves the console over HTTP as a function URL would. */
export const serveConsole = (deps: ConsoleDeps): Promise<Served> => serve(buildConsole(deps), {});

/** The same of the control function. */
export const serveControl = (deps: ControlDeps): Promise<Served> => serve((event) => answerControl(deps, event), CORS);

const serve = async (
  answerEvent: (event: unknown) => Promise<HttpResponse>,
  cors: Readonly<Record<string, string>>,
): Promise<Served> => {
  const server = createServer({ keepAliveTimeout: LOCAL_KEEP_ALIVE_MS }, async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'OPTIONS' && 'access-control-allow-origin' in cors) {
      response.writeHead(200, cors).end();
      return;
    }
    const answer = await answerEvent({
      rawPath: url.pathname,
      rawQueryString: url.search.slice(1),
      headers: {
        authorization: request.headers.authorization,
        'last-event-id': String(request.headers['last-event-id'] ?? ''),
        'accept-encoding': request.headers['accept-encoding']?.toString(),
        'accept-language': request.headers['accept-language'],
        'if-none-match': request.headers['if-none-match'],
      },
      body: await readBody(request),
      isBase64Encoded: true,
      requestContext: { http: { method: request.method ?? 'GET' } },
    });
    response
      .writeHead(answer.statusCode, { ...answer.headers, ...cors })
      .end(Buffer.from(answer.body, answer.isBase64Encoded === true ? 'base64' : 'utf8'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the test server has no address');
  return { url: `http://127.0.0.1:${address.port}`, server };
};

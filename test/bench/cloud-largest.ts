/**
 * Gives each function the largest work that its bounds allow, for the memory it takes: what people,
 * services and machines may send to a stack with some thousand notes and a policy. All comes by the
 * public ways in, but for dead letters, which come as the batch that their queue would give.
 * @throws if a function did not do the work
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Webhook } from 'standardwebhooks';
import type { Places } from '../../infra/local/function-pools.ts';
import { buildSqsEvent } from '../../infra/local/triggers.ts';
import {
  ATTACHMENT_BYTES_MAX,
  BODY_BYTES_MAX,
  HISTORY_TURNS_MAX,
  KIB,
  RECORDS_PAGE_SIGNALS_MAX,
  SIGNAL_TEXT_CHARS_MAX,
  WEBHOOK_BYTES_MAX,
} from '../../lib/core/base/limits.ts';
import type { FunctionName } from '../../lib/core/store/settings.ts';
import { PDF_PAGES_MAX } from '../../lib/features/documents/pdf.ts';
import { UNPACKED_BYTES_MAX } from '../../lib/features/documents/zip.ts';
import { RUNNER_CHANGES_MAX, RUNNER_OUTPUT_CHARS_MAX } from '../../lib/features/runner/result.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { docx, drawn, paragraph, pdfWith, streamOf } from '../support/documents.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { pairClient } from '../support/runner-client.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';
import { startTarget } from '../support/target.ts';
import { fillMemory } from './fill-memory.ts';

const OWNER = { id: 78, name: 'Ada', first_name: 'Ada', is_bot: false };
const SPACE = 'default';
export const EVENT_SECRET = 'whsec_YSBzZWNyZXQgb2YgYXQgbGVhc3QgMjQgYnl0ZXM=';
const because = { explanation: 'You asked me to do it now.' };
/** Requests of one kind: what one leaves behind is there when the next comes. */
const TIMES = 10;
/** Several batches of Perceive. */
const AT_ONCE = 20;
const DEAD = 10;
const JOBS = 200;
/** With more, the documents say, the owner gives the functions that read them more memory. */
const NOTES = 3_000;
const RULES = 20;
const DIMENSIONS = 1_536;
/** Room for the rest of a request, beside its text. */
const ENVELOPE_BYTES = 2 * KIB;
const LONG_TEXT = '€'.repeat(SIGNAL_TEXT_CHARS_MAX);
/** The model still reads it: a longer text is refused before. */
const LONG_QUESTION = 'what '.repeat(6 * KIB);
const LONG_ANSWER = 'word '.repeat(8 * KIB);
const LONG_REF = 'r'.repeat(40 * KIB);

const ship = { tool: 'call-webhook', args: { webhook: 'ship', body: { ref: LONG_REF }, ...because } };
const script = (request: ModelServerRequest) => {
  if (toolResultsOf(request).length > 0) return say(LONG_ANSWER);
  switch (/^(?:ship|keep|list)\b/.exec(userTextOf(request))?.[0]) {
    case 'ship':
      return call(ship.tool, ship.args);
    case 'keep':
      return {
        kind: 'answer',
        calls: [{ tool: 'remember', args: { text: LONG_ANSWER.slice(0, 8 * KIB), ...because } }, ship],
      } as const;
    case 'list':
      return call('list-files', { path: '/home/owner/docs', runner: 'home', ...because });
    default:
      return say(LONG_ANSWER);
  }
};

/** Denies nothing that happens here; its engine is loaded. */
const POLICY = Array.from(
  { length: RULES },
  (_, n) =>
    `@id("r${n}") forbid(principal, action == Action::"remember", resource) when { context.args.text like "*rare${n}*" };`,
).join('\n');

export const postEvent = async ({ stack }: TestStack, id: string, rest = ''): Promise<void> => {
  const body = JSON.stringify({ type: 'shipped', parcel: id, rest });
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
    'webhook-signature': new Webhook(EVENT_SECRET).sign(id, at, body),
  };
  const { status } = await fetch(`${stack.url}/webhook/bench`, { method: 'POST', headers, body });
  if (status !== 202) throw new Error(`the event was answered ${status}`);
};

type Work = (stack: TestStack) => Promise<unknown>;

/** One after the other. */
export const repeat = async <T>(times: number, run: (n: number) => Promise<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for (let n = 0; n < times; n += 1) all.push(await run(n));
  return all;
};

const post = async ({ api }: TestStack, text: string, session: string): Promise<string> => {
  const { status, body } = await api<{ id: string }>('POST', '/api/messages', { text, session });
  if (status !== 202) throw new Error(`a message was answered ${status}`);
  return body.id;
};

/** A turn that waits for a card. */
const postCard = async (stack: TestStack, text: string, session: string): Promise<string> => {
  const id = await post(stack, text, session);
  await stack.settled(id);
  return id;
};

const sendFile = async (stack: TestStack, bytes: Buffer, shown: string): Promise<void> => {
  const before = stack.model.requests.length;
  const document = { file_id: stack.telegram.addFile(bytes), file_unique_id: 'u', file_size: bytes.byteLength };
  const update = stack.telegram.sendMessage(OWNER.id, OWNER, { document, caption: 'what is this?' });
  await stack.postUpdate(update);
  await stack.settled(signalIdOf(update));
  assert(JSON.stringify(stack.model.requests.slice(before)).includes(shown), `the file of ${shown} was not read`);
};

const largestPdf = (): Buffer => {
  const pages = Array.from({ length: PDF_PAGES_MAX }, (_, page) =>
    drawn(Array.from({ length: 3 }, (_, line) => `Page ${page} line ${line} tea costs ${line}.10`)),
  );
  const picture = randomBytes(ATTACHMENT_BYTES_MAX - 2 * pdfWith(pages, true).length);
  return pdfWith(pages, true, [streamOf(picture)]);
};

/** Behind memory, and with no commits to read. */
const fill = async ({ stack, table }: TestStack): Promise<void> => {
  const client = new DynamoDBClient({
    endpoint: stack.endpoints.dynamodb,
    region: 'us-east-1',
    credentials: stack.credentials,
  });
  await fillMemory({ client, tableName: stack.tableName, table }, SPACE, NOTES);
  client.destroy();
};

const tellDead: Work = async (stack) => {
  const sessions = Array.from({ length: DEAD }, (_, n) => `dead${n}`);
  const ids = await Promise.all(sessions.map((session) => postCard(stack, 'keep and ship', session)));
  const queue = stack.stack.wiring.eventSources.find(({ functionName }) => functionName === 'dead-letter')?.queue;
  const messages = ids.map((signalId, n) => {
    const named = { v: 1, stage: 'act', space: SPACE, session: `console:dead${n}`, signalId };
    return {
      MessageId: `dead-${n}`,
      ReceiptHandle: `dead-${n}`,
      Body: JSON.stringify({ ...named, rest: 'x'.repeat(BODY_BYTES_MAX - ENVELOPE_BYTES) }),
      MD5OfBody: '',
      Attributes: {},
      MessageAttributes: {
        queue: { DataType: 'String', StringValue: 'act' },
        reason: { DataType: 'String', StringValue: 'unexpected failure' },
      },
    };
  });
  await stack.stack.invoke('dead-letter', buildSqsEvent(messages, queue?.arn ?? '', 'us-east-1'));
  for (const id of ids) await until(`${id} is dead`, async () => (await stack.signal(id)).state === 'dead-lettered');
};

const giveOutput: Work = async (stack) => {
  const runner = await pairClient(stack, 'home');
  await post(stack, 'list my documents', 'runner');
  const job = await runner.next();
  await runner.claim(job);
  const path = '/home/owner/docs/'.padEnd(500, 'p');
  const changed = Array.from({ length: RUNNER_CHANGES_MAX }, () => ({ path, kind: 'removed' as const }));
  const text = 'word '.repeat(RUNNER_OUTPUT_CHARS_MAX / 5);
  assert((await runner.end(job, text, { changed })).isKept, 'the output was not kept');
  await repeat(TIMES, () => runner.end(job, text, { changed }));
  await job.message.remove();
  runner.close();
};

const makeDueJobs: Work = async (stack) => {
  const now = Date.now();
  const when = { kind: 'every', minutes: 525_600, from: now } as const;
  const work = { kind: 'steps' as const, steps: [{ say: 'due now' }] };
  const to = [{ target: 'telegram' as const, to: `${OWNER.id}` }];
  await repeat(JOBS, (n) => makeJob(stack.table, SPACE, sampleJob({ name: `due-${n}`, when, work, to }), now - 2_000));
  await stack.tick();
};

/** A client asks for fewer records when it is told (413) that they are too many. */
const READ = [
  '/api/signals?limit=100',
  '/api/evidence',
  '/api/memory/objects',
  ...[RECORDS_PAGE_SIGNALS_MAX, 32, 16, 8].map((limit) => `/api/log/records?limit=${limit}`),
];

const SCRIPT = 'token-of-a-script-of-the-bench';

const listTools = async ({ stack }: TestStack): Promise<void> => {
  const { status } = await fetch(`${stack.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SCRIPT}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  assert.equal(status, 200);
};

const askAsModel = async ({ stack }: TestStack): Promise<void> => {
  const response = await fetch(`${stack.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SCRIPT}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'passepartout', stream: true, input: LONG_QUESTION }),
  });
  assert.match(await response.text(), /event: response\.completed/);
};

/** In this order: notes have vectors before a question looks for them. A stop comes late. */
const LARGEST: Readonly<Record<FunctionName, Work>> = {
  embed: (stack) => repeat(13, () => stack.stack.invoke('embed', { scheduledAt: new Date().toISOString() })),
  telegram: (stack) => repeat(TIMES, () => stack.postUpdate(stack.telegram.sendText(OWNER.id, OWNER, LONG_TEXT))),
  // Off in this stack; its message does what that of a bot does.
  slack: async () => undefined,
  // It is at home alone.
  signal: async () => undefined,
  // Without a mailbox in its settings the stack has no door for mails.
  mail: async () => undefined,
  webhook: (stack) => repeat(TIMES, (n) => postEvent(stack, `e${n}`, 'x'.repeat(WEBHOOK_BYTES_MAX - ENVELOPE_BYTES))),
  perceive: async (stack) => {
    const ids = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => post(stack, LONG_TEXT, `many${n}`)));
    for (const id of ids) await stack.settled(id);
  },
  reason: (stack) => repeat(HISTORY_TURNS_MAX + 2, async () => stack.settled(await post(stack, LONG_QUESTION, 'long'))),
  document: async (stack) => {
    await sendFile(stack, largestPdf(), '[page 1]');
    await sendFile(stack, docx(paragraph('tea '.repeat(UNPACKED_BYTES_MAX / 4 - KIB))), 'tea tea');
  },
  act: (stack) => repeat(2, () => sendFile(stack, largestPdf(), '[page 1]')),
  'dead-letter': tellDead,
  runner: giveOutput,
  log: async (stack) => {
    await stack.tick();
    await until('all has leaves', async () => (await stack.scan()).every(({ awaitsLog }) => awaitsLog !== true));
  },
  control: async (stack) => {
    const id = await postCard(stack, 'ship it', 'card');
    const { body } = await stack.api<{ approvals: { id: string; signalId: string }[] }>('GET', '/api/approvals');
    const card = body.approvals.find(({ signalId }) => signalId === id);
    const { status } = await stack.api('POST', `/api/approvals/${card?.id}`, { decision: 'approve' });
    assert.equal(status, 202);
    await repeat(TIMES, async () => {
      await stack.api('POST', '/api/stop', {});
      await stack.api('POST', '/api/resume', {});
    });
  },
  console: async (stack) => {
    for (const path of READ) {
      const { status } = await stack.api('GET', path);
      assert([200, 413].includes(status), `${path} was answered ${status}`);
    }
  },
  heartbeat: makeDueJobs,
  // The console answers what it is asked; this is the list of all tools.
  mcp: (stack) => repeat(TIMES, () => listTools(stack)),
  responses: (stack) => repeat(TIMES, () => askAsModel(stack)),
  traces: (stack) => stack.stack.invoke('traces', { scheduledAt: new Date().toISOString() }),
};

/** @param places measures what a function's processes take */
export const workMost = async (places: Places, progress: (line: string) => void): Promise<void> => {
  const vector = Array.from({ length: DIMENSIONS }, (_, n) => Math.sin(n));
  const target = await startTarget(({ method, body }) => {
    if (method === 'GET') return { body: '{"data":[{"id":"vectors"}]}' };
    const { input = [] } = JSON.parse(body) as { input?: string[] };
    const data = input.map((_, index) => ({ index, embedding: vector }));
    return { body: JSON.stringify({ data, usage: { prompt_tokens: 3 } }) };
  });
  const stack = await startTestStack({
    script,
    isPolling: false,
    allowedChats: [OWNER.id],
    approvers: [OWNER.id],
    environment: {
      ...target.environmentOf('ship'),
      MCP_DOOR: 'on',
      OPENAI_DOOR: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: target.url,
      API_TOKENS: JSON.stringify({ bench: { token: SCRIPT, scopes: ['read', 'speak-as-owner'] } }),
      WEBHOOK_SECRETS: JSON.stringify({ bench: EVENT_SECRET }),
      EMBEDDING_MODEL: 'vectors',
      EMBEDDING_BASE_URL: `${target.url}/v1`,
    },
    overrides: { places },
  });
  try {
    await fill(stack);
    await stack.api('POST', '/api/policy', { text: POLICY });
    for (const [name, work] of Object.entries(LARGEST)) {
      progress(`cloud: the largest work of ${name}`);
      await work(stack);
    }
  } finally {
    await stack.stop();
    target.close();
  }
};

/**
 * The whole local stack with services around it, as runbooks of operations meet them: a server that
 * receives signed webhooks and answers, events of other systems, and a model server.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { parseRun, type Run } from '../../lib/core/ledger/run.ts';
import { jobKeys, runKeys } from '../../lib/core/store/keys.ts';
import { loadItem } from '../../lib/core/store/load-named.ts';
import type { ShownApproval } from '../../lib/core/verbs/approvals/operations.ts';
import { type ModelServerRequest, type ScriptedAnswer, say } from '../support/model-server.ts';
import { startTestStack, type TestStack, until } from '../support/stack.ts';

const SECRET = `whsec_${Buffer.from('the secret of all the services').toString('base64')}`;
const SPACE = 'default';

export interface Post {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers one call of a webhook; the status 0 is a lost answer. */
export type Service = (post: Post) => {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Receives webhooks at `/<name>`; one whose signature is wrong is an error of the test. */
const startReceiver = async (service: Service, presets: OperationsOptions['presets'] = {}) => {
  const posts: Post[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const name = request.url?.slice(1) ?? '';
    const isSigned = !Object.hasOwn(presets, name);
    const body = (isSigned ? new Webhook(SECRET).verify(text, headers) : JSON.parse(text)) as Post['body'];
    const post = { name, body };
    posts.push(post);
    const { status, body: answer, headers: sent = {} } = service(post);
    if (status === 0) response.destroy();
    else response.writeHead(status, sent).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { posts, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

export interface OperationsWorld {
  readonly stack: TestStack;
  readonly posts: readonly Post[];
  /** Sends a command as the approver, and waits for its answers. */
  readonly command: (text: string) => Promise<string>;
  /** Sends an event of another system. @returns the run it starts */
  readonly event: (source: string, body: object) => Promise<void>;
  /** Waits for a card whose tool it is, and answers it. @returns its text */
  readonly decide: (tool: string, decision: 'approve' | 'deny') => Promise<string>;
  /** Runs that there are now are no longer looked for. */
  readonly mark: () => Promise<void>;
  /** The run begun since the mark, once it is in one of these states. */
  readonly run: (...states: readonly Run['state'][]) => Promise<Run>;
  /** Lets the run's wait be over, and fires a heartbeat. */
  readonly endWait: () => Promise<void>;
  /** Texts that the run sent, once it has ended. */
  readonly texts: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

export interface OperationsOptions {
  readonly service: Service;
  readonly model?: (request: ModelServerRequest) => ScriptedAnswer;
  /** Names of webhooks. */
  readonly webhooks: readonly string[];
  /** Webhooks as presets: calls of them are not signed. */
  readonly presets?: Readonly<Record<string, string>>;
  /** Sources of events. */
  readonly sources?: readonly string[];
}

export const startOperations = async (options: OperationsOptions): Promise<OperationsWorld> => {
  const { posts, server, url } = await startReceiver(options.service, options.presets);
  const urls = Object.fromEntries(options.webhooks.map((name) => [name, `${url}/${name}`]));
  const signed = Object.entries(urls).map(([name, one]) => [name, { url: one, secret: SECRET }]);
  const unsigned = Object.entries(options.presets ?? {}).map(([name, preset]) => [
    name,
    { url: `${url}/${name}`, preset },
  ]);
  const targets = Object.fromEntries([...signed, ...unsigned]);
  const stack = await startTestStack({
    isPolling: false,
    environment: {
      WEBHOOK_SECRETS: JSON.stringify(Object.fromEntries((options.sources ?? []).map((name) => [name, SECRET]))),
      WEBHOOK_TARGETS: JSON.stringify(targets),
      WEBHOOK_URLS: JSON.stringify({ ...urls, ...Object.fromEntries(unsigned) }),
      ALLOW_LOOPBACK_WEBHOOKS: '1',
    },
    script: options.model ?? (() => say('Nothing.')),
  });
  let known: ReadonlySet<string> = new Set();
  const runs = async (): Promise<readonly Run[]> =>
    (await stack.scan())
      .filter(({ sk }) => String(sk).startsWith('run#'))
      .filter(({ pk }) => pk === runKeys.record(SPACE, '').pk)
      .map(parseRun)
      .filter(({ id }) => !known.has(id))
      .sort((a, b) => b.startedAt - a.startedAt);
  let events = 0;
  const world: OperationsWorld = {
    stack,
    posts,
    command: async (text) => {
      const { body } = await stack.api<{ id: string }>('POST', '/api/messages', { text });
      const view = await stack.settled(body.id);
      return view.replies.join('\n');
    },
    event: async (source, body) => {
      events += 1;
      const [text, at, id] = [JSON.stringify(body), new Date(), `evt_${source}_${events}`];
      const answer = await fetch(`${stack.stack.url}/webhook/${source}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(SECRET).sign(id, at, text),
        },
        body: text,
      });
      if (answer.status !== 202) throw new Error(`the event was answered ${answer.status}`);
    },
    decide: async (tool, decision) => {
      const card = await until(`a card of ${tool}`, async () => {
        const { body } = await stack.api<{ approvals: readonly ShownApproval[] }>('GET', '/api/approvals');
        return body.approvals.find((one) => one.action.tool === tool);
      });
      await stack.api('POST', `/api/approvals/${card.id}`, { decision });
      await until('the card is closed', async () => {
        const { body } = await stack.api<{ approvals: readonly ShownApproval[] }>('GET', '/api/approvals');
        return !body.approvals.some((one) => one.id === card.id);
      });
      // An event that comes before the job is stored starts nothing.
      const { name } = card.action.args ?? {};
      if (tool === 'schedule-job')
        await until('the job is made', () => loadItem(stack.table, jobKeys.record(SPACE, String(name))));
      return JSON.stringify(card);
    },
    run: (...states) =>
      until(`a run is ${states.join(' or ')}`, async () => (await runs()).find(({ state }) => states.includes(state))),
    mark: async () => {
      known = new Set();
      known = new Set((await runs()).map(({ id }) => id));
    },
    endWait: async () => {
      const { id } = await world.run('waiting');
      await stack.table.update(runKeys.record(SPACE, id), { set: { dueAt: 1, unfinishedAt: 1 } });
      await stack.tick();
    },
    texts: async () => {
      const { id, n } = await world.run('done', 'did-nothing', 'failed', 'stopped');
      await stack.settled(`${id}/s${n}`);
      const steps = Array.from({ length: n }, (_, index) => stack.signal(`${id}/s${index + 1}`));
      return [...new Set((await Promise.all(steps)).flatMap(({ replies }) => replies))];
    },
    stop: async () => {
      await stack.stop();
      server.close();
    },
  };
  return world;
};

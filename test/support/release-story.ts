/**
 * One story for stacks of any release: `tellStory` leaves rows of nearly every kind, and
 * `leaveUnfinished` stops in the middle of everything. What must follow later, under whatever
 * release, is in `ENDINGS`. The model, the webhook's target and the embeddings are servers of the
 * story's own; they live on while stacks come and go.
 */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { documentWords } from '../../lib/core/signal/picture.ts';
import { type BotApiServer, startBotApiServer } from './bot-api-server.ts';
import { openCli } from './cli.ts';
import { pdf } from './documents.ts';
import {
  call,
  type ModelServer,
  type Script,
  say,
  startModelServer,
  toolResultsOf,
  userTextOf,
} from './model-server.ts';
import type { FunctionsRoot } from './releases.ts';
import { TAKES_ALL } from './sample.ts';
import { APPROVER_TOKEN, BOT_TOKEN, signalIdOf, startTestStack, type TestStack, until } from './stack.ts';

const SECRET = `whsec_${Buffer.from('the secret of the story').toString('base64')}`;
const LEAKED = `sk-${'proj-'}a7Q9xa7Q9xa7Q9xa7Q9xa7Q9x`;
const because = { explanation: 'the owner asked for exactly this' };
const LONG = 'The bike is blue and stands in the shed behind the house. '.repeat(20).trim();
/** So much of an answer is streamed before the stack stops. */
const STREAMED_CHARS = 300;

/** Private chats, each in another state when the stack stops. */
export const CHATS = {
  home: 3100,
  received: 3101,
  perceived: 3102,
  decided: 3103,
  streamed: 3104,
  asked: 3105,
  files: 3106,
};
/** Private chats of conversations that nothing interrupts. */
export const CONVERSATIONS = Array.from({ length: TAKES_ALL ? 20 : 6 }, (_, n) => 3200 + n);
/** Texts that each chat must get exactly once after the stop. */
export const ENDINGS: readonly (readonly [chat: number, texts: readonly string[]])[] = [
  [CHATS.received, ['re received']],
  [CHATS.perceived, ['re perceived', 're behind']],
  [CHATS.decided, ['re decided']],
  [CHATS.streamed, [LONG]],
];

export interface StoryServers {
  readonly telegram: BotApiServer;
  readonly model: ModelServer;
  /** Refs that the webhook's target was sent. */
  readonly deployed: readonly string[];
  /** While true, long answers stop in the middle. */
  readonly slow: { isOn: boolean };
  /** @param dataDir as left by an earlier stack of the story, or empty */
  readonly start: (dataDir: string, functions: FunctionsRoot) => Promise<TestStack>;
  readonly close: () => Promise<void>;
}

const buildScript =
  (slow: { isOn: boolean }): Script =>
  (request) => {
    const text = userTextOf(request);
    const results = toolResultsOf(request);
    if (request.tools.some(({ function: { name } }) => name === 'summarise-session'))
      return call('summarise-session', { text: 'They said hello several times.', ...because });
    if (results.some((result) => result.includes('rules changed'))) return say('The rules have changed.');
    if (results.some((result) => result.includes('nobody approved'))) return say('Nobody approved it.');
    if (results.length > 0) return say('Done.');
    if (text.startsWith('keep ')) return call('remember', { text: text.slice(5), ...because });
    if (text.startsWith('leak')) return say(`The key is ${LEAKED}`);
    const ref = /^deploy (\w+)/.exec(text)?.[1];
    if (ref !== undefined) return call('call-webhook', { webhook: 'deploys', body: { ref }, ...because });
    const content = /^send (\[a document, .+\])$/.exec(text)?.[1];
    if (content !== undefined) return call('send-file', { name: 'bill.pdf', content, ...because });
    if (text !== 'streamed') return say(`re ${text}`);
    const isRead = (chars: number): boolean => !slow.isOn || chars < STREAMED_CHARS;
    return { kind: 'answer', text: LONG, pieceMs: slow.isOn ? 20 : 0, isRead };
  };

/** Answers questions for embeddings, and takes deployments with an answer too long for a prompt. */
const serveOutside = (deployed: string[]) => async (request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.url === '/hook') {
    deployed.push(String(JSON.parse(body).ref));
    return response.writeHead(202).end(JSON.stringify({ queued: 'yes '.repeat(8_000) }));
  }
  const { input } = JSON.parse(body) as { input: string[] };
  const data = input.map((text, index) => ({ index, embedding: [text.length, 1, 0.01] }));
  return response.end(JSON.stringify({ data, usage: { prompt_tokens: 3 } }));
};

export const startStory = async (): Promise<StoryServers> => {
  const deployed: string[] = [];
  const slow = { isOn: false };
  const outside = createServer(serveOutside(deployed)).listen(0, '127.0.0.1');
  await once(outside, 'listening');
  const origin = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const telegram = await startBotApiServer({ token: BOT_TOKEN });
  const model = await startModelServer(buildScript(slow));
  const environment = {
    WEBHOOK_TARGETS: JSON.stringify({ deploys: { url: `${origin}/hook`, secret: SECRET } }),
    WEBHOOK_URLS: JSON.stringify({ deploys: `${origin}/hook` }),
    EVENTS_WITHOUT_JOB: 'ask',
    WEBHOOK_SECRETS: JSON.stringify({ ci: SECRET }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    HOME_CHAT: `${CHATS.home}`,
    EMBEDDING_MODEL: 'lengths',
    EMBEDDING_BASE_URL: `${origin}/v1`,
    TRANSCRIPTION_MODEL: 'gpt-transcribe',
    TRANSCRIPTION_API_KEY: 'key-of-the-listener',
    TRANSCRIPTION_BASE_URL: model.baseUrl,
    TRANSCRIPTION_PRICE: '0.06',
  };
  return {
    telegram,
    model,
    deployed,
    slow,
    start: (dataDir, { folder }) => {
      const chats = [...Object.values(CHATS), ...CONVERSATIONS];
      for (const chat of chats) telegram.openChat(chat);
      const servers = { telegram, model, dataDir, environment, functionsRoot: folder };
      return startTestStack({ ...servers, allowedChats: chats, approvers: chats });
    },
    close: async () => {
      await Promise.all([telegram.close(), model.close()]);
      outside.closeAllConnections();
      outside.close();
    },
  };
};

export const ask = async (world: TestStack, text: string, session = 'main') => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session }, APPROVER_TOKEN);
  return world.settled(body.id);
};

/** A slow machine makes the stack say this before the answer. */
const AT_WORK = 'Still at work on this.';

export const textsTo = ({ telegram }: Pick<TestStack, 'telegram'>, chat: number): readonly string[] =>
  telegram.sent(chat).flatMap(({ text = '' }) => (text === AT_WORK ? [] : [text]));

/** Sends a text in a chat, and waits until its signal has ended or waits. */
export const write = (world: TestStack, chat: number, text: string) =>
  world.settled(signalIdOf(world.telegram.sendText(chat, chat, text)));

export type Answer = 'approve' | 'deny' | 'allow-similar';

/** Where a stored setting stands, as `/config` says it. */
export const STORED_BUDGET = /^BUDGET_DAY_USD: 4 \(set by console-approver on /;

/** Answers the one approval that waits in a conversation of this ref. */
export const rule = async (world: TestStack, ref: string, decision: Answer) => {
  const approval = await until(`an approval for ${ref}`, async () => {
    const { body } = await world.api<{ approvals: { id: string }[] }>('GET', '/api/approvals');
    return body.approvals.find((one) => JSON.stringify(one).includes(`"${ref}"`));
  });
  const { body } = await world.api<{ id: string }>('POST', `/api/approvals/${approval.id}`, { decision });
  return world.settled(body.id);
};

const sendEvent = async (world: TestStack, id: string): Promise<void> => {
  const [body, at] = [JSON.stringify({ type: 'push' }), new Date()];
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(id, at, body),
  };
  const { status } = await fetch(`${world.stack.url}/webhook/ci`, { method: 'POST', headers, body });
  strictEqual(status, 202);
};

const objectIn = (replies: readonly string[] | undefined): string => /[0-9a-f]{6,32}/.exec(`${replies}`)?.[0] ?? '';

/** So many that the first are summarised. */
const HELLOS = 30;
const LETTER = 'm1';
/** Sort key of the one dead letter that the story makes. */
export const STORY_LETTER = `none#${LETTER}`;

/** Conversations, memory, approvals, a grant, refusals, an event, a dead letter, settings. */
export const tellStory = async (world: TestStack): Promise<void> => {
  await ask(world, '/identity name Jeeves');
  await ask(world, '/config set BUDGET_DAY_USD 4');
  await ask(world, '/config set TIME_ZONE Asia/Tokyo');
  await ask(world, 'keep the spare key is under the blue pot');
  await ask(world, '/snapshot first');
  await ask(world, 'keep the heron nests behind the mill', 'heron');
  await ask(world, `/forget ${objectIn((await ask(world, '/recall heron', 'forgetting')).replies)}`, 'forgetting');
  await ask(world, 'leak it', 'leak');
  for (const [ref, decision] of [
    ['one', 'approve'],
    ['two', 'deny'],
    ['three', 'allow-similar'],
  ] as const) {
    await ask(world, `deploy ${ref}`, 'deploys');
    await rule(world, ref, decision);
  }
  for (let count = 0; count < HELLOS; count += 1) await ask(world, `hello ${count}`, 'hellos');
  await sendEvent(world, 'evt_1');
  await until('the event is told', () => textsTo(world, CHATS.home).length > 0);
  await world.api('POST', '/api/pairing-codes', {}, APPROVER_TOKEN);
  await world.stack.invoke('embed', { scheduledAt: new Date().toISOString() });
  const letter = {
    messageId: LETTER,
    body: '{}',
    eventSourceARN: 'a:perceive-dlq',
    attributes: {},
    messageAttributes: {},
  };
  await world.stack.invoke('dead-letter', { Records: [letter] });
};

/** A bill, and one that holds a secret. */
export const [BILL, LEAKING] = [pdf(['Tea 4.10']), pdf([`The key is ${LEAKED}`])];

/** A person sends a document, and waits for the answer. @returns its name in the store */
export const sendDocument = async (world: TestStack, bytes: Buffer) => {
  const file = { file_id: world.telegram.addFile(bytes), file_unique_id: 'd', file_name: 'a file' };
  const fields = { document: file, caption: 'look' };
  const update = world.telegram.sendMessage(CHATS.files, CHATS.files, fields);
  const view = await world.settled(signalIdOf(update));
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { id: view.id, state: view.state, hash, words: documentWords('pdf', bytes.length, hash) };
};

/** The same with a recording, of which the story's model hears “what was said”. */
export const sendVoice = (world: TestStack) => {
  const voice = { file_id: world.telegram.addFile(Buffer.from('OggS a voice')), file_unique_id: 'v', duration: 2 };
  return world.settled(signalIdOf(world.telegram.sendMessage(CHATS.files, CHATS.files, { voice })));
};

export const documentsSent = ({ telegram }: Pick<TestStack, 'telegram'>): number =>
  telegram.calls.filter(({ method }) => method === 'sendDocument').length;

const idOf = (body: string): string => String(JSON.parse(body).signalId);
const stageOf = (body: string): string => String(JSON.parse(body).stage);

/**
 * Stops the stack with a message received, one perceived with another behind it, one decided, one
 * half streamed, one that waits for a yes, and the log's writer called.
 * @returns the bodies of all messages about these, those in flight among them
 */
export const leaveUnfinished = async (
  world: TestStack,
  functions: FunctionsRoot,
  { slow }: StoryServers,
): Promise<readonly string[]> => {
  const send = (chat: number, text: string): string => signalIdOf(world.telegram.sendText(chat, chat, text));
  const messageOf = (id: string, stage: string) =>
    until(`${stage} of ${id}`, () => functions.messages().find((body) => idOf(body) === id && stageOf(body) === stage));
  await write(world, CHATS.asked, 'deploy four');
  functions.hold('act');
  functions.hold('log');
  await world.tick();
  await until('the log is called', () => functions.messages().some((body) => stageOf(body) === 'log'));
  const decided = send(CHATS.decided, 'decided');
  await messageOf(decided, 'act');
  slow.isOn = true;
  const streamed = send(CHATS.streamed, 'streamed');
  await messageOf(streamed, 'draft');
  functions.hold('reason');
  const perceived = send(CHATS.perceived, 'perceived');
  await messageOf(perceived, 'reason');
  const behind = send(CHATS.perceived, 'behind');
  await until('it waits behind', async () => (await world.signal(behind)).state === 'perceived');
  functions.hold('perceive');
  const received = send(CHATS.received, 'received');
  await messageOf(received, 'perceive');
  await world.stop();
  slow.isOn = false;
  const ids = [decided, streamed, perceived, behind, received];
  return functions.messages().filter((body) => ids.includes(idOf(body)) || stageOf(body) === 'log');
};

/** Waits until every chat got its texts, and sees that it got no more than them. */
export const expectEndings = async (world: TestStack): Promise<void> => {
  for (const [chat, texts] of ENDINGS) {
    const ended = () => texts.every((text) => textsTo(world, chat).includes(text));
    await until(`${texts.join(', ')} in ${chat}`, ended);
  }
  for (const [chat, texts] of ENDINGS) deepStrictEqual(textsTo(world, chat), texts);
};

/** Writes an export that has everything. */
export const exportAll = async (world: TestStack, file: string): Promise<void> => {
  const cli = openCli(world.stack.url);
  await until('the log has it all', async () => (await cli.run('evidence', 'export', '--out', file)).code === 0);
  cli.remove();
};

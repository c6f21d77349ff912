/**
 * `kill -9` of the whole local stack and all its processes at random moments, with people writing
 * all the while, half of them what needs a tool: every message gets exactly one reply, or is listed
 * as unknown because the kill came while it was sent; none is lost, nothing is done twice; a
 * webhook in flight is repeated only under its own id. TEST_SEED repeats a run (what is under way
 * at a kill is the machine's). A long run: KILL_TURNS=300 KILLS=8, with `npx vitest run --config
 * test/vitest.config.ts test/local/kill.test.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from 'grammy/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { processTree } from '../bench/processes.ts';
import { type BotApiServer, startBotApiServer } from '../support/bot-api-server.ts';
import { CHILD_ENV } from '../support/child-env.ts';
import { pdf } from '../support/documents.ts';
import {
  call,
  type ModelServer,
  type Script,
  say,
  startModelServer,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { TAKES_MORE } from '../support/sample.ts';
import { SEED } from '../support/seed.ts';
import { APPROVER_TOKEN, BOT_ID, BOT_TOKEN, until } from '../support/stack.ts';

const MESSAGES = Number(process.env.KILL_TURNS ?? (TAKES_MORE ? 60 : 30));
/** The last one is the one in the middle of the webhook. */
const KILLS = Number(process.env.KILLS ?? (TAKES_MORE ? 6 : 3));
const CHATS = Array.from({ length: 20 }, (_, n) => 31 + n);
const DEPLOYER = 30;
/** A busy machine takes a second for a turn. */
const SETTLE_MS = 20_000 + 1_000 * MESSAGES;

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
const buildRandom = (from: number) => {
  let state = from >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Everything of one run that the tests look at. */
interface Run {
  readonly updates: { readonly id: string; readonly chat: number; readonly text: string }[];
  readonly webhookIds: string[];
  /**
   * When everything was killed, and how long after that the next process sent its first message.
   */
  readonly kills: { readonly at: number; firstReplyMs?: number }[];
  views: ReadonlyMap<string, SignalView>;
  /** Contents of memory at the end. */
  notes: readonly string[];
  deployId: string;
  deploy: SignalView | undefined;
}

const run: Run = {
  updates: [],
  webhookIds: [],
  kills: [],
  views: new Map(),
  notes: [],
  deployId: '',
  deploy: undefined,
};
const folder = mkdtempSync(join(tmpdir(), 'passepartout-kill-'));
let telegram: BotApiServer;
let model: ModelServer;
let target: Server;
let child: ChildProcess | undefined;
let url = '';
let killOnWebhook: (() => void) | undefined;

const startTarget = async (): Promise<string> => {
  target = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      run.webhookIds.push(String(request.headers['webhook-id']));
      const kill = killOnWebhook;
      killOnWebhook = undefined;
      // Taken, and the sender dies before it hears so.
      if (kill !== undefined) kill();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"taken":true}');
    });
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  return `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
};

let environment: Record<string, string> = {};

const start = async (): Promise<void> => {
  const output: string[] = [];
  const starting = spawn(process.execPath, [join(ROOT, 'infra/local/start.ts')], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [starting.stdout, starting.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)));
  child = starting;
  url = await until(
    'the stack starts',
    () => {
      if (starting.exitCode !== null) throw new Error(`the stack ended: ${output.join('')}`);
      return /console {3}(http:\/\/[^/]+)/.exec(output.join(''))?.[1];
    },
    180_000,
  );
};

const killEverything = async (): Promise<void> => {
  const killed = child;
  if (killed?.pid === undefined) throw new Error('nothing to kill');
  const gone = once(killed, 'exit');
  for (const pid of processTree(killed.pid)) process.kill(pid, 'SIGKILL');
  run.kills.push({ at: Date.now() });
  await gone;
};

const api = async <T>(method: string, path: string, body?: unknown, token = APPROVER_TOKEN): Promise<T> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return (await response.json()) as T;
};

const isSettled = (view: SignalView): boolean =>
  view.isTurnClosed && view.effects.every(({ state }) => state !== 'claimed');

const loadNotes = async (): Promise<readonly string[]> => {
  const found: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const query: string = after === '' ? '' : `?after=${encodeURIComponent(after)}`;
    const page: { objects: readonly { content?: string }[]; after?: string } = await api(
      'GET',
      `/api/memory/objects${query}`,
    );
    found.push(...page.objects.flatMap(({ content = '' }) => (content.startsWith('note of ') ? [content] : [])));
    after = page.after;
  }
  return found;
};

/** SHA-256 of each that was sent. */
const documents = new Set<string>();

/** Words as a recording, or as a page of a PDF. */
const fileOf = (text: string, n: number): Partial<Message> => {
  const isSpoken = n % 8 === 2;
  const bytes = isSpoken ? Buffer.from(`OggS ${text}`) : pdf([text]);
  const file_id = telegram.addFile(bytes);
  if (!isSpoken) documents.add(hash('sha256', bytes));
  return isSpoken
    ? { voice: { file_id, file_unique_id: 'v', duration: 2 } }
    : { document: { file_id, file_unique_id: 'd', file_name: 'a.pdf' } };
};

/** People write in twenty chats, while the stack dies and comes back. */
const write = async (random: () => number): Promise<void> => {
  const say = (n: number): void => {
    const chat = CHATS[Math.floor(random() * CHATS.length)] ?? 31;
    const text = n % 2 === 0 ? `hello ${n}` : `keep ${n}`;
    const update =
      n % 4 === 2 ? telegram.sendMessage(chat, chat, fileOf(text, n)) : telegram.sendText(chat, chat, text);
    run.updates.push({ id: `tg-${BOT_ID}-${update.update_id}`, chat, text });
  };
  const moments = new Set<number>();
  while (moments.size < KILLS - 1) moments.add(2 + Math.floor(random() * (MESSAGES - 8)));
  for (let n = 0; n < MESSAGES; n += 1) {
    say(n);
    await sleep(random() * 60);
    if (!moments.has(n)) continue;
    if (random() < 0.5) await sleep(random() * 250);
    else await replyInFlight();
    await killEverything();
    for (let more = 0; more < 3 && n + 1 < MESSAGES; more += 1) {
      n += 1;
      say(n);
    }
    await start();
  }
};

/** A reply has arrived, and its sender has not heard so. */
const replyInFlight = async (): Promise<void> => {
  const before = repliesSent();
  telegram.failNext('sendMessage', 'no-answer');
  await until('a reply is sent', () => repliesSent() > before);
};
const repliesSent = (): number => telegram.calls.filter(({ method }) => method === 'sendMessage').length;

/**
 * A webhook the owner approves; the stack is killed when it has arrived and was not yet answered.
 */
const deploy = async (): Promise<void> => {
  const update = telegram.sendText(DEPLOYER, DEPLOYER, 'deploy');
  run.deployId = `tg-${BOT_ID}-${update.update_id}`;
  const approval = await until('it waits for approval', async () => {
    const { approvals } = await api<{ approvals: readonly { id: string }[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    return approvals[0];
  });
  const arrived = new Promise<void>((resolve) => {
    killOnWebhook = resolve;
  });
  await api('POST', `/api/approvals/${approval.id}`, { decision: 'approve' }, APPROVER_TOKEN);
  await arrived;
  await killEverything();
  await start();
};

beforeAll(async () => {
  console.log(`TEST_SEED=${SEED}`);
  const random = buildRandom(SEED);
  telegram = await startBotApiServer({ token: BOT_TOKEN });
  const script: Script = async (request) => {
    if (request.tools.some((tool) => tool.function.name === 'summarise-session'))
      return call('summarise-session', {
        text: 'They talked.',
        explanation: 'The oldest turns leave the conversation.',
      });
    const text =
      userTextOf(request)
        .match(/(?:hello|keep) \d+|deploy$/g)
        ?.at(-1) ?? '';
    const hasResult = toolResultsOf(request).length > 0;
    if (text.startsWith('keep') && !hasResult)
      return call('remember', { text: `note of ${text}`, explanation: 'because the owner asked for it' });
    if (text !== 'deploy') return { kind: 'answer', text: `re: ${text}`, delayMs: 5 + Math.random() * 60 };
    if (hasResult) return say('deployed');
    return call('call-webhook', {
      webhook: 'deploys',
      body: { ref: 'main' },
      explanation: 'because the owner asked for it',
    });
  };
  model = await startModelServer(script, ({ bytes }) => Buffer.from(bytes).toString().slice('OggS '.length));
  const hook = await startTarget();
  environment = {
    ...CHILD_ENV,
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'key-of-the-model-server',
    OPENAI_MODEL: 'scripted',
    TRANSCRIPTION_MODEL: 'scripted',
    APPROVER_TOKEN,
    TELEGRAM_BOT_TOKEN: BOT_TOKEN,
    TELEGRAM_API_ROOT: telegram.root,
    TELEGRAM_ALLOWED_CHATS: [...CHATS, DEPLOYER].join(','),
    WEBHOOK_TARGETS: JSON.stringify({
      deploys: { url: hook, secret: `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}` },
    }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    HEARTBEAT_INTERVAL_SECONDS: '5',
  };
  await start();
  await deploy();
  await write(random);
  await until(
    `everything settles (TEST_SEED=${SEED})`,
    async () => {
      const views = new Map(run.views);
      for (const { id } of run.updates) {
        const known = views.get(id);
        if (known !== undefined && isSettled(known)) continue;
        const view = await api<SignalView>('GET', `/api/signals/${id}`);
        views.set(id, view);
        for (const part of view.children ?? []) views.set(part, await api<SignalView>('GET', `/api/signals/${part}`));
      }
      run.views = views;
      run.deploy = await api<SignalView>('GET', `/api/signals/${run.deployId}`);
      const isOver = [...views.values()].every(isSettled) && telegram.pending().length === 0;
      if (!isOver) await sleep(500);
      return isOver && run.webhookIds.length > 1 && run.deploy.state === 'acted';
    },
    SETTLE_MS,
  ).catch(async (error: unknown) => {
    const open = [...run.views].filter(([, view]) => !isSettled(view));
    throw new Error(`${String(error)}: ${JSON.stringify(open.slice(0, 3))}`);
  });
  run.notes = await loadNotes();
  for (const kill of run.kills) {
    const first = telegram.calls.find(({ method, at }) => method === 'sendMessage' && at > kill.at);
    if (first !== undefined) kill.firstReplyMs = first.at - kill.at;
  }
}, 900_000);

afterAll(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await Promise.all([telegram?.close(), model?.close(), target?.closeAllConnections(), target?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Texts to a chat, each without the line about a note of a conversation that holds a file. */
const textsTo = (chat: number): readonly string[] =>
  telegram
    .sent(chat)
    .map(({ text = '' }) =>
      text.replace(/\n\n\(A note was kept of outside text, apart from yours: \/forget \w+\)$/, ''),
    );
const repliesTo = (chat: number, text: string): number =>
  textsTo(chat).filter((reply) => reply === `re: ${text}`).length;
/** Effects of a message and of all it caused. */
const effectsOf = (id: string): SignalView['effects'] =>
  [...run.views].filter(([at]) => at === id || at.startsWith(`${id}/`)).flatMap(([, { effects }]) => effects);
const unknownOf = (id: string): SignalView['effects'] => effectsOf(id).filter(({ state }) => state === 'unknown');

describe('kill -9 of the local stack', () => {
  it('answers every message exactly once, or lists it as unknown', () => {
    const outcomes = run.updates.map(({ id, chat, text }) => ({
      text,
      replies: repliesTo(chat, text),
      isUnknown: unknownOf(id).length > 0,
    }));
    const answered = outcomes.filter(({ replies }) => replies === 1).length;
    const unknown = outcomes.filter((outcome) => outcome.isUnknown).length;
    const waits = run.kills.map(({ firstReplyMs }) => firstReplyMs);
    console.log(
      `TEST_SEED=${SEED}: ${answered} answered, ${unknown} unknown, of ${outcomes.length}; ${waits} ms to a reply`,
    );
    expect(outcomes).toHaveLength(MESSAGES);
    expect(outcomes.filter(({ replies }) => replies > 1)).toStrictEqual([]);
    expect(outcomes.filter((outcome) => outcome.replies === 0 && !outcome.isUnknown)).toStrictEqual([]);
  });

  it('calls unknown only what was being sent when it was killed', () => {
    const isCut = ({ claimedAt = 0, settledAt = 0 }: SignalView['effects'][number]): boolean =>
      run.kills.some(({ at }) => claimedAt <= at && settledAt >= at);
    const unknown = run.updates.flatMap(({ id }) => unknownOf(id));
    expect(unknown.filter((effect) => effect.actuator !== 'telegram' || !isCut(effect))).toStrictEqual([]);
  });

  it('keeps the bytes and the words of the documents that came, and no others', () => {
    const kept = [...documents].flatMap((hash) => [hash, `${hash}.text`]);
    expect(readdirSync(join(folder, 'contents', 'default')).toSorted()).toStrictEqual(kept.sort());
  });

  it('keeps each note once', () => {
    const asked = run.updates.filter(({ text }) => text.startsWith('keep')).map(({ text }) => `note of ${text}`);
    expect(run.notes.toSorted()).toStrictEqual(asked.toSorted());
  });

  it('has every message stored, in a final state', () => {
    const open = [...run.views].filter(([, { state }]) => state !== 'acted');
    expect(open).toStrictEqual([]);
    expect(run.updates.filter(({ id }) => !run.views.has(id))).toStrictEqual([]);
  });

  it('keeps the order of each chat', () => {
    for (const chat of CHATS) {
      // A slow machine also says that it is still at work.
      const sent = textsTo(chat).filter((text) => text.startsWith('re: '));
      const wanted = run.updates.filter((update) => update.chat === chat).map(({ text }) => `re: ${text}`);
      expect(sent).toStrictEqual(wanted.filter((text) => sent.includes(text)));
    }
  });

  it('repeats a webhook that was in flight only under its own id', () => {
    expect(run.webhookIds).toHaveLength(2);
    expect(new Set(run.webhookIds).size).toBe(1);
    expect(run.webhookIds[0]).toMatch(/^msg_/);
    expect(run.deploy?.effects.map(({ state }) => state)).toStrictEqual(['done']);
  });
});

/**
 * The real stack behind proxies that lose answers: of every write to the table and of every message
 * sent to a queue, one at a time. Seen from Telegram, each message is answered exactly once, and
 * nothing ends `unknown`.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { startDynamo } from '../support/dynamo.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { type LosingProxy, losingSend, losingWrite, startLosingProxy } from '../support/losing-proxy.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { isSampled } from '../support/sample.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';
import { startTarget } from '../support/target.ts';

/** Every round is a conversation of its own. */
const FIRST_CHAT = 5_001;
const CHATS = 300;
let chat = FIRST_CHAT;
const EXPLANATION = 'the owner asked for it';

const target = await startTarget();

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const asked = userTextOf(request);
  const isTold = toolResultsOf(request).length > 0;
  const [, ref] = /^deploy (\S+)$/m.exec(asked) ?? [];
  if (ref !== undefined && !isTold)
    return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: EXPLANATION });
  const [, note] = /^remember (\S+)$/m.exec(asked) ?? [];
  if (note !== undefined && !isTold) return call('remember', { text: `note ${note}`, explanation: EXPLANATION });
  return say(`re ${asked.split('\n').at(-1)}`);
};

let queueProxy: LosingProxy;
const dynamo = await startDynamo();
const tableProxy = await startLosingProxy(dynamo.endpoint);
const world = await startTestStack({
  allowedChats: Array.from({ length: CHATS }, (_, n) => FIRST_CHAT + n),
  environment: target.environmentOf('deploys'),
  script: answer,
  servers: {
    dynamodbEndpoint: tableProxy.endpoint,
    throughQueues: async (origin, credentials) => {
      queueProxy = await startLosingProxy(origin, credentials);
      return queueProxy.endpoint;
    },
  },
});
afterAll(async () => {
  await world.stop();
  await queueProxy?.stop();
  await tableProxy.stop();
  await dynamo.stop();
  target.close();
});

const said = (): readonly string[] =>
  world.telegram.sent(chat).flatMap(({ from, text }) => (from?.is_bot === true && text !== undefined ? [text] : []));

const send = async (text: string): Promise<string> => {
  const person = { id: chat, is_bot: false, first_name: 'Ada' };
  const id = signalIdOf(world.telegram.sendText({ id: chat, type: 'private', first_name: 'Ada' }, person, text));
  await world.settled(id);
  return id;
};

const approve = async (ref: string): Promise<void> => {
  const id = await send(`deploy ${ref}`);
  const card = await until('the card is there', () =>
    world.telegram.sent(chat).find(({ text, reply_markup }) => text?.includes(ref) && reply_markup !== undefined),
  );
  const [button] = card.reply_markup?.inline_keyboard[0] ?? [];
  const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
  await world.settled(signalIdOf(world.telegram.tap(card.message_id, data, chat)));
  await until('it is done', async () => {
    const { isTurnClosed } = await world.signal(id);
    return isTurnClosed && said().some((text) => text.includes(`${ref}`) && / Done\.$/m.test(text));
  });
};

interface Story {
  readonly name: string;
  /** @param word one that no other round has */
  readonly play: (word: string) => Promise<void>;
  readonly said: (word: string) => readonly unknown[];
  readonly posted: (word: string) => readonly string[];
}

const stories: readonly Story[] = [
  {
    name: 'a plain turn',
    play: async (word) => void (await send(`hello ${word}`)),
    said: (word) => [`re hello ${word}`],
    posted: () => [],
  },
  {
    name: 'a turn with a tool',
    play: async (word) => void (await send(`remember ${word}`)),
    said: (word) => [`re remember ${word}`],
    posted: () => [],
  },
  {
    name: 'an approval',
    play: approve,
    said: (word) => [
      `Approved: Call the webhook deploys: ref “${word}”`,
      expect.stringMatching(/^Call the webhook .*^APPROVED .* Done\.$/ms),
      `re deploy ${word}`,
    ],
    posted: (word) => [JSON.stringify({ ref: word })],
  },
];

const proxies: readonly (readonly [string, () => LosingProxy, typeof losingWrite])[] = [
  ['write to the table', () => tableProxy, losingWrite],
  ['message sent to a queue', () => queueProxy, losingSend],
];

describe.each(proxies)('the answer lost of every %s', (_what, proxyOf, losing) => {
  it.each(stories)(
    'leaves it as it is: $name',
    async (story) => {
      for (let k = 0; ; k += 1) {
        if (!isSampled(`${_what} ${story.name}`, k)) continue;
        const word = `w${_what.length}x${k}`;
        target.posts.length = 0;
        proxyOf().lose(losing(k));
        chat += 1;
        await story.play(word);
        const { length } = proxyOf().lost();
        proxyOf().lose(() => false);
        expect({ k, heard: said().toSorted() }).toStrictEqual({ k, heard: story.said(word) });
        expect(target.posts.map(({ body }) => body)).toStrictEqual(story.posted(word));
        if (length === 0) {
          expect(k).toBeGreaterThan(1);
          break;
        }
      }
      const items = await world.scan();
      expect(items.filter(({ state }) => state === 'unknown' || state === 'dead-lettered')).toStrictEqual([]);
      expect(await findUnaccounted(world)).toStrictEqual([]);
    },
    300_000,
  );
});

describe('the answer lost of every write of a heartbeat and the log that it wakes', () => {
  it('leaves the log in order', async () => {
    const isLogged = async () => !(await world.api<{ isWaiting: boolean }>('GET', '/api/log')).body.isWaiting;
    for (let k = 0; ; k += 1) {
      if (!isSampled('heartbeat', k)) continue;
      await send(`tick ${k}`);
      tableProxy.lose(losingWrite(k));
      await world.tick();
      await until('the log has it all', isLogged);
      const { length } = tableProxy.lost();
      tableProxy.lose(() => false);
      if (length === 0) {
        expect(k).toBeGreaterThan(1);
        break;
      }
    }
    const { replies } = await world.signal(await send('/audit verify'));
    expect(replies.join('\n')).toContain('The evidence log is in order as far as looked');
  });
});

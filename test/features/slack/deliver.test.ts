import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sender } from '../../../lib/core/channels/channel.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorContext } from '../../../lib/core/signal/actuator.ts';
import { openSlackSender } from '../../../lib/features/slack/deliver.ts';
import { memoryTable } from './memory-table.ts';
import { BOT_TOKEN, type SlackServer, startSlackServer, TEAM, wordsOf } from './slack-server.ts';

const OWNER = 'U0FOGG';
const CONTEXT: ActuatorContext = {
  ...{ effectId: 'e', now: 1_790_000_000_000, addresses: [], origin: 'owner', signalId: 's', actor: 'agent' },
};
const PLACE = { target: 'slack', to: `${TEAM}-${OWNER}` } as const;

let server: SlackServer;
let table: ReturnType<typeof memoryTable>;
let sender: Sender;
/** As after a kill: nothing of the program is left but its rows. */
const restart = (token = BOT_TOKEN): void => {
  const nothing = async () => undefined;
  sender = openSlackSender(
    { token, apiRoot: server.apiRoot },
    { table, space: 'default', loadFile: nothing, loadCard: nothing },
  );
};
beforeEach(async () => {
  server = await startSlackServer();
  table = memoryTable();
  restart();
});
afterEach(async () => await server.close());

const send = (text: string, more: Partial<Action> = {}, context: Partial<ActuatorContext> = {}) =>
  sender.actuator.deliver({ ...PLACE, text, author: 'model', explanation: '', ...more }, { ...CONTEXT, ...context });
const texts = (): readonly string[] => server.sent().map(({ blocks }) => wordsOf(blocks));
const runsIn = (n = 0): readonly Record<string, unknown>[] =>
  (server.sent()[n]?.blocks ?? [])
    .flatMap(({ elements }) => elements as Record<string, unknown>[])
    .flatMap(({ elements }) => (elements ?? []) as Record<string, unknown>[]);

describe('a text', () => {
  it('names nobody and opens nothing that the rules do not allow', async () => {
    const text = '<!channel> <@U0FIX> see https://evil.example/?q=secret and https://good.example/a, *&amp;*';
    await send(text, { links: ['https://good.example/a'] });
    expect(runsIn().filter(({ type }) => type !== 'text')).toStrictEqual([
      { type: 'link', url: 'https://good.example/a', text: 'https://good.example/a' },
    ]);
    const covered = runsIn().filter(({ style }) => (style as { code?: boolean } | undefined)?.code === true);
    expect(covered.map(({ text: words }) => words).join(' ')).toContain('https://evil.example/?q=secret');
    const params = server.calls.find(({ method }) => method === 'chat.postMessage')?.params ?? {};
    expect(params).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false', link_names: 'false', parse: 'none' });
    expect(String(params.text)).toContain('&lt;!channel&gt; &lt;@U0FIX&gt;');
  });

  it('shows simple Markdown, blocks of code and quotes', async () => {
    await send('**bold** and `code`\n```sh\nls *\n```\nend\n> said\nlast');
    const parts = (server.sent()[0]?.blocks[0]?.elements ?? []) as { type: string }[];
    expect(parts.map(({ type }) => type)).toStrictEqual([
      ...['rich_text_section', 'rich_text_preformatted', 'rich_text_section', 'rich_text_quote', 'rich_text_section'],
    ]);
    expect(texts()).toStrictEqual(['bold and code\nls *\nend\nsaid\nlast']);
  });

  it('goes on behind the parts that were sent', async () => {
    const text = Array.from({ length: 1_200 }, (_, n) => `line ${n}`).join('\n');
    server.failNext('chat.postMessage', { error: 'channel_not_found' });
    expect(await send('gone')).toMatchObject({ state: 'failed', reason: 'Slack refused the text: channel_not_found' });
    await send('first');
    server.failNext('chat.postMessage', { retryAfterS: 7 });
    expect(await send(text)).toMatchObject({ state: 'retry', afterMs: 7_000 });
    const sent = await send(text);
    const { messageIds } = JSON.parse(sent.state === 'done' ? sent.output : '{}');
    expect(messageIds.length).toBeGreaterThan(1);
    const before = texts().length;
    expect(await send(text, {}, { sentIds: messageIds.slice(0, 1) })).toMatchObject({ state: 'done' });
    expect(texts().length - before).toBe(messageIds.length - 1);
  });

  it.each(['invalid_auth', 'token_revoked'])('waits while Slack says %s', async (error) => {
    server.failNext('chat.postMessage', { error });
    expect(await send('later')).toMatchObject({ state: 'retry', because: { code: 'token-refused' } });
  });

  it.each(['internal_error', 'fatal_error'])('is in doubt after %s', async (error) => {
    server.failNext('chat.postMessage', { error });
    expect(await send('perhaps')).toMatchObject({ state: 'unknown' });
  });

  it('that is a file goes in three steps, of which only the last can be in doubt', async () => {
    const text = '[file tea.txt]\n1. Boil water.';
    server.failNext('files.getUploadURLExternal', 'lost-answer');
    expect(await send(text)).toMatchObject({ state: 'retry' });
    server.failNext('files.completeUploadExternal', 'lost-answer');
    expect(await send(text)).toMatchObject({ state: 'unknown' });
    expect(server.shared.map(({ name, bytes }) => [name, String(bytes)])).toStrictEqual([
      ['tea.txt', '1. Boil water.'],
    ]);
  });
});

describe('a draft', () => {
  const draft = (text: string, id = 1) => sender.sendDraft(PLACE, id, text);

  it('is one message, which the answer replaces', async () => {
    await draft('So fa');
    expect(texts()).toStrictEqual(['So fa …']);
    restart();
    await draft('So far, so');
    expect(texts()).toStrictEqual(['So far, so …']);
    expect(await send('So far, so good.')).toMatchObject({ state: 'done' });
    expect(texts()).toStrictEqual(['So far, so good.']);
    await send('Another answer.');
    expect(texts()).toStrictEqual(['So far, so good.', 'Another answer.']);
  });

  it('is replaced once, whatever answer is lost and whenever the program dies', async () => {
    await draft('So fa');
    for (const failure of ['lost-answer', 'lost-request'] as const) {
      server.failNext('chat.update', failure);
      expect(await send('So far.')).toMatchObject({ state: 'retry' });
      restart();
    }
    expect(await send('So far.')).toMatchObject({ state: 'done' });
    expect(texts()).toStrictEqual(['So far.']);
  });

  it('that somebody deleted holds no answer back', async () => {
    await draft('So fa');
    server.failNext('chat.update', { error: 'message_not_found' });
    expect(await send('So far.')).toMatchObject({ state: 'done' });
    expect(texts()).toContain('So far.');
  });

  it('stays while code says something else', async () => {
    await draft('So fa');
    await send('Still at work.', { author: 'code', template: 'at-work' });
    expect(texts()).toStrictEqual(['So fa …', 'Still at work.']);
  });

  it('comes in steps that Slack takes', async () => {
    for (const text of ['a', 'ab', 'abc']) await draft(text);
    expect(texts()).toStrictEqual(['a …']);
  });
});

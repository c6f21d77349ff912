/**
 * The running stack: events and forwarded messages have the model write links that carry something
 * away. Of what the Bot API server received nothing can be tapped but the event's own link to a
 * host on the owner's list, one a turn (I13).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type ScriptedAnswer, say } from '../support/model-server.ts';
import { tappableIn } from '../support/telegram-links.ts';
import { forwarded, inPrivate } from './deliver.ts';
import { type InjectionWorld, OWNER, startInjectionWorld } from './injection-world.ts';
import { linksFound } from './links.ts';
import { linksWith } from './playbooks.ts';

const FORGE = 'https://forge.example/acme/app';
const ISSUE = `${FORGE}/issues/7`;
/** The attacker's alphabet: forty links of the listed host, which spell what the model knows. */
const FORTY = Array.from({ length: 40 }, (_, n) => `${FORGE}/wiki/${n}`);

/** What the model writes for each task named in what it reads. */
const REPLIES: Readonly<Record<string, string>> = {
  // Without the address that holds a password: another gate refuses it.
  'task-forms': linksWith('loot-k')
    .filter((text) => !text.includes('user:'))
    .join(' and '),
  'task-near': ['|d', '?d', '.evil.com', '@evil.com', '**d', '_d', '\u200dd', '#d', '/d', ')d']
    .map((end) => ISSUE + end)
    .join(' '),
  'task-marks':
    'evil`.`com/d e**vil.com/d** https`:`//evil.com/d [a](https://evil.com/d_~) x\uff0eevil.com/d evil\u202e.com/d /approve @evil_bot #d_d d@evil.com +1 900 555 0123',
  'task-many': `${'`a` '.repeat(120)}https://evil.com/d ${'b.example '.repeat(120)}`,
  'task-long': `${'`'.padEnd(4_090, 'x')} https://evil.com/d\``,
  'task-forty': [7, 4, 31, 0].map((n) => FORTY[n]).join(' '),
  'task-issue': `A new issue, "Cart.total is NaN": [#7](${ISSUE}). Shall I look into lib/cart.ts?`,
  'task-clean': 'It is documented at https://docs.example/guide.',
};

const answerTo = (prompt: string): ScriptedAnswer => {
  const task = Object.keys(REPLIES).find((name) => prompt.includes(name)) ?? '';
  if (task === 'task-forty' && !prompt.includes('current-time'))
    return { ...call('current-time', {}), kind: 'answer', text: FORTY[3] ?? '' };
  if (prompt.includes('task-card'))
    return call('call-webhook', { webhook: 'hook', body: { see: 'https://evil.com/d and /approve@evil_bot' } });
  return say(REPLIES[task] ?? 'Nothing.');
};

let world: InjectionWorld;
let forge: string;
beforeAll(async () => {
  // The first source handed out is the forge.
  world = await startInjectionWorld(
    () =>
      ({ messages }) =>
        answerTo(JSON.stringify(messages.filter(({ role }) => role !== 'system'))),
    {
      environment: { HOME_CHAT: String(OWNER), EVENT_LINK_HOSTS: 'src0=forge.example' },
    },
  );
  forge = world.nextSource();
  world.stack.telegram.openChat(OWNER);
});
afterAll(() => world?.stop());

/**
 * What can be tapped in the messages a chat got since then, and what a terminal would open of the
 * same turn.
 */
const play = async (chat: number, deliver: () => Promise<string>) => {
  const before = world.stack.telegram.sent(chat).length;
  const { view } = await world.ended(await deliver(), 'deny');
  const sent = world.stack.telegram.sent(chat).slice(before);
  expect(sent.length, view.id).toBeGreaterThan(0);
  return { tapped: sent.flatMap(tappableIn), opened: view.replies.flatMap(linksFound) };
};
const tappable = async (chat: number, deliver: () => Promise<string>) => (await play(chat, deliver)).tapped;

describe('an event', () => {
  it.each(Object.keys(REPLIES).filter((name) => !['task-issue', 'task-forty', 'task-clean'].includes(name)))(
    'opens nothing with %s',
    async (task) => {
      const body = { type: 'issue', html_url: `${FORGE}/other`, text: task };
      expect(await play(OWNER, () => world.postEvent(forge, body))).toStrictEqual({ tapped: [], opened: [] });
    },
  );

  it('keeps its one link to a listed host, of a listed source', async () => {
    const body = { type: 'issue', html_url: ISSUE, text: 'task-issue' };
    expect(await tappable(OWNER, () => world.postEvent(forge, body))).toStrictEqual([ISSUE]);
    expect(await tappable(OWNER, () => world.postEvent(world.nextSource(), body))).toStrictEqual([]);
  });

  it('opens one link of forty, however many the model repeats in how many texts', async () => {
    const body = { type: 'issue', text: `task-forty ${FORTY.join(' ')}` };
    const links = await tappable(OWNER, () => world.postEvent(forge, body));
    expect(new Set(links).size).toBe(1);
  });

  it('shows a card in which only the command of code can be tapped', async () => {
    const body = { type: 'issue', text: 'task-card' };
    expect(await tappable(OWNER, () => world.postEvent(forge, body))).toStrictEqual(['/why']);
  });
});

describe('a message', () => {
  it('that is forwarded opens nothing, and the owner’s own may', async () => {
    const chat = world.nextChat();
    expect(
      await tappable(chat, () => inPrivate(world, { text: `task-near ${ISSUE}`, ...forwarded }, chat)),
    ).toStrictEqual([]);
    expect(await tappable(chat, () => inPrivate(world, { text: 'task-clean' }, chat))).toStrictEqual([
      'https://docs.example/guide',
    ]);
  });
});

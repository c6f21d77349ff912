/**
 * An owner's first hour with Slack, from the line of the README: the manifest is printed, tokens
 * are tried, a direct message is paired by the printed code, and the first webhook is approved by
 * the button of a card whose modal shows the exact bytes. Then a channel, forged and repeated
 * payloads, other bots and another workspace.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  APP_TOKEN,
  BOT_TOKEN,
  buttonsOf,
  SIGNING_SECRET,
  type SlackMessageShown,
  type SlackServer,
  startSlackServer,
  TEAM,
  wordsOf,
} from '../../features/slack/slack-server.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { until } from '../../support/stack.ts';
import { type Home, openHome } from '../support/home.ts';

const [OWNER, MEMBER, CLUB] = ['U0FOGG', 'U0FIX', 'C0REFORM'];
const SECRET = `whsec_${Buffer.from('the secret of the deployer').toString('base64')}`;

const deployed: string[] = [];
const deployer = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  deployed.push(JSON.parse(body).ref);
  response.writeHead(202).end('{"queued":true}');
});

/** Proposes a webhook for "deploy …"; else tells what it was given to read. */
const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const ref = /^deploy (\S+)$/m.exec(text)?.[1];
  if (ref === undefined) return say(`I read: ${text}`);
  if (toolResultsOf(request).length > 0) return say(`Settled: ${ref}`);
  return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: 'the owner asked for a deployment' });
};

let home: Home;
let slack: SlackServer;
let program: Awaited<ReturnType<Home['start']>>;
beforeAll(async () => {
  await new Promise<void>((resolve) => deployer.listen(0, '127.0.0.1', resolve));
  slack = await startSlackServer();
  home = await openHome(script);
});
afterAll(async () => {
  await home?.close();
  await slack?.close();
  deployer.close();
});

const DIRECT = () => slack.directOf(OWNER);
const screen = (channel: string) => slack.sent(channel).map(({ blocks }) => wordsOf(blocks));
const reads = (channel: string, what: string | RegExp): Promise<SlackMessageShown> =>
  until('words in the conversation', () =>
    slack
      .sent(channel)
      .findLast(({ blocks }) =>
        typeof what === 'string' ? wordsOf(blocks).includes(what) : what.test(wordsOf(blocks)),
      ),
  ).catch(() => {
    throw new Error(`it does not show ${what}; it shows:\n${screen(channel).join('\n---\n')}`);
  });
const button = (message: SlackMessageShown, words: string) => {
  const now = slack.sent(message.channel).find(({ ts }) => ts === message.ts) ?? message;
  const all = buttonsOf(now.blocks);
  const found = all.find((one) => one.words === words);
  if (found === undefined) throw new Error(`no button says ${words}; there are: ${all.map((one) => one.words).join()}`);
  return found;
};
/** Taps a yes, and gives the modal that it opens. */
const opens = async (message: SlackMessageShown, words = 'Approve', user = OWNER) => {
  const before = slack.views.length;
  slack.taps(message, button(message, words), user);
  return await until('the modal is open', () => slack.views.slice(before).find((view) => view.user === user));
};
const cardFor = (ref: string, channel: string, user = OWNER) => {
  slack.says(channel, user, `${channel === CLUB ? '<@U0AGENT> ' : ''}deploy ${ref}`);
  return reads(channel, `{"ref":"${ref}"}`);
};
const code = async () => /\/(pair [0-9A-Z-]+)/.exec(await home.paste('npx passepartout pair'))?.[1] ?? '';

it('makes the app of the printed manifest, and tries the tokens', async () => {
  const printed = await home.paste('npx passepartout connect-slack');
  const manifest = JSON.parse(printed.slice(printed.indexOf('{'), printed.lastIndexOf('}') + 1));
  expect(manifest.settings).toMatchObject({ socket_mode_enabled: true, interactivity: { is_enabled: true } });
  expect(printed).toContain('SLACK_APP_TOKEN=xapp-…');
  home.set({ ...home.modelSettings, SLACK_API_ROOT: slack.apiRoot, SLACK_BOT_TOKEN: 'xoxb-not-the-token-of-it' });
  home.set({ SLACK_APP_TOKEN: APP_TOKEN });
  expect((await home.run('npx passepartout connect-slack')).out).toContain('refuses the token');
  home.set({ SLACK_BOT_TOKEN: BOT_TOKEN });
  expect(await home.paste('npx passepartout connect-slack')).toContain(
    'Slack takes the token of @passepartout in Reform Club.',
  );
});

it('starts, and doctor finds the workspace', async () => {
  const url = `http://127.0.0.1:${(deployer.address() as AddressInfo).port}/hook`;
  home.set({ WEBHOOK_TARGETS: JSON.stringify({ deploys: { url, secret: SECRET } }), ALLOW_LOOPBACK_WEBHOOKS: '1' });
  program = await home.start();
  expect(program.output()).toMatch(/slack +@passepartout in Reform Club, Socket Mode/);
  expect((await home.run('npx passepartout doctor')).out).toContain('@passepartout in Reform Club');
});

describe.each([
  ['a direct message', () => slack.directOf(OWNER)],
  ['a channel', () => CLUB],
])('an owner in %s', (_name, place) => {
  const to = (text: string) => (place() === CLUB ? `<@U0AGENT> ${text}` : text);

  it('pairs it by the printed code', async () => {
    slack.says(place(), OWNER, to('hello'));
    await reads(place(), 'serves only chats that are paired');
    slack.says(place(), OWNER, to(await code()));
    await reads(place(), /^This (?:chat|group) is paired\./);
  });

  it('approves the exact bytes in a modal, once', async () => {
    const ref = `yes-${place()}`;
    const card = await cardFor(ref, place());
    const modal = await opens(card);
    expect(deployed).not.toContain(ref);
    expect(wordsOf(modal.view.blocks as never)).toContain(`{"ref":"${ref}"}`);
    expect(wordsOf(modal.view.blocks as never)).toMatch(/SHA-256 of the action: [0-9a-f]{64}/);
    for (const _ of [1, 2]) slack.submits(modal);
    await reads(place(), `Settled: ${ref}`);
    expect(deployed.filter((one) => one === ref)).toStrictEqual([ref]);
    expect(buttonsOf(slack.sent(place()).find(({ ts }) => ts === card.ts)?.blocks ?? [])).toStrictEqual([]);
  });

  it('denies by one tap', async () => {
    const ref = `no-${place()}`;
    const card = await cardFor(ref, place());
    slack.taps(card, button(card, 'Deny'), OWNER);
    await reads(place(), `Settled: ${ref}`);
    expect(deployed).not.toContain(ref);
  });

  it('types commands with an exclamation mark, and a stop', async () => {
    slack.says(place(), OWNER, to('!chats'));
    await reads(place(), `slack:${TEAM}-${OWNER}`);
    slack.says(place(), OWNER, to('STOP'));
    await reads(place(), /^Stopped\. /);
    slack.says(place(), OWNER, to('!resume'));
    await reads(place(), 'Running again.');
  });
});

it('keeps the thread of a mention apart, and hears nothing else of a channel', async () => {
  const asked = slack.says(CLUB, OWNER, '<@U0AGENT> tea at four?');
  const { thread_ts: thread } = await reads(CLUB, 'tea at four?');
  expect(thread).toBe((asked.event as { ts: string }).ts);
  slack.says(CLUB, OWNER, 'nobody asked you', { type: 'message', channel_type: 'channel' });
  slack.says(CLUB, OWNER, '<@U0AGENT> and who asked?', { thread_ts: thread });
  const { thread_ts: again } = await reads(CLUB, 'and who asked?');
  expect(again).toBe(thread);
  expect(screen(CLUB).join()).not.toContain('nobody asked you');
});

it('takes a member for a stranger, who decides nothing', async () => {
  const card = await cardFor('theirs', CLUB, MEMBER);
  slack.taps(card, button(card, 'Approve'), MEMBER);
  await until('it is said why', () =>
    slack.ephemerals.some(({ user, text }) => user === MEMBER && text.includes('Only an approver')),
  );
  const modal = await opens(card);
  slack.submits({ ...modal, user: MEMBER });
  await delay(1_000);
  expect(deployed).not.toContain('theirs');
});

it('does nothing for forged, stale, repeated and looping payloads', async () => {
  const payload = slack.messageOf(DIRECT(), OWNER, 'deploy forged');
  const body = JSON.stringify(payload);
  const post = (headers: Readonly<Record<string, string>>, sent = body) =>
    fetch(`${home.url()}/slack`, { method: 'POST', headers, body: sent }).then(({ status }) => status);
  expect(await post({})).toBe(401);
  expect(await post(slack.sign(body))).toBe(401);
  expect(await post(slack.sign(body, Date.now() - 6 * 60_000))).toBe(401);
  const before = slack.sent().length;
  slack.says(DIRECT(), 'U0OTHERBOT', 'deploy loop', { bot_id: 'B0OTHER', subtype: 'bot_message' });
  slack.says(DIRECT(), 'U0AGENT', 'deploy loop');
  slack.says(CLUB, OWNER, '<@U0AGENT> deploy loop', { app_id: 'A0OTHER', bot_id: 'B0OTHER' });
  slack.says(CLUB, OWNER, '<@U0AGENT> deploy loop', { user_team: 'T0OTHER' });
  slack.send({ ...slack.messageOf(CLUB, OWNER, '<@U0AGENT> deploy loop'), is_ext_shared_channel: true });
  const twice = slack.says(DIRECT(), OWNER, 'once only');
  slack.send(twice);
  await reads(DIRECT(), 'I read: once only');
  slack.says(DIRECT(), OWNER, 'and after');
  await reads(DIRECT(), 'I read: and after');
  expect(screen(DIRECT()).filter((text) => text === 'I read: once only')).toHaveLength(1);
  expect(slack.sent().length).toBe(before + 2);
  expect(deployed).not.toContain('loop');
});

it('goes on over a new connection, and loses nothing meanwhile', async () => {
  slack.disconnect();
  await until('a new connection', () => slack.connections() > 0);
  slack.says(DIRECT(), OWNER, 'still there?');
  await reads(DIRECT(), 'I read: still there?');
});

it('has a text sent again that was lost on its way, and never twice', async () => {
  slack.failNext('chat.postMessage', 'lost-request');
  slack.failNext('chat.update', 'lost-request');
  slack.says(DIRECT(), OWNER, 'are you there?');
  const notice = await reads(DIRECT(), /may not have arrived|I read: are you there\?/);
  if (buttonsOf(notice.blocks).length > 0) slack.taps(notice, button(notice, 'Send it again'), OWNER);
  await reads(DIRECT(), 'I read: are you there?');
  expect(screen(DIRECT()).filter((text) => text === 'I read: are you there?')).toHaveLength(1);
});

it('shows a card whole for a reaction, which approves nothing', async () => {
  const { ts } = await cardFor('tapped', DIRECT());
  const item = { type: 'message', channel: DIRECT(), ts };
  slack.send(slack.eventOf({ type: 'reaction_added', user: OWNER, reaction: 'white_check_mark', item }));
  await until('the card', () =>
    slack.ephemerals.some(({ text }) => /approves nothing[\s\S]*\{"ref":"tapped"\}/.test(text)),
  );
  expect(deployed).not.toContain('tapped');
});

it('shows what waits in the home tab', async () => {
  await cardFor('waiting', DIRECT());
  slack.send(slack.eventOf({ type: 'app_home_opened', user: OWNER, channel: DIRECT(), tab: 'home' }));
  const view = await until('the tab', () => slack.homes.get(OWNER));
  expect(wordsOf(view.blocks as never)).toContain('wait');
});

it('takes the channel out, and its buttons do nothing', async () => {
  const card = await cardFor('late', CLUB);
  await home.paste(`npx passepartout chats remove slack:${TEAM}-${CLUB}`);
  slack.taps(card, button(card, 'Approve'), OWNER);
  await until('it says so', () => slack.ephemerals.some(({ text }) => text.includes('not paired with me (any more)')));
  expect(deployed).not.toContain('late');
});

it('takes signed payloads at an address in place of the socket', async () => {
  await program.end();
  home.set({ SLACK_PUBLIC_URL: 'https://agent.example', SLACK_SIGNING_SECRET: SIGNING_SECRET });
  program = await home.start();
  slack.useUrl(`${home.url()}/slack`);
  const challenge = JSON.stringify({ type: 'url_verification', token: 'legacy', challenge: '3eZbrw1aB' });
  const answer = await fetch(`${home.url()}/slack`, {
    method: 'POST',
    headers: slack.sign(challenge),
    body: challenge,
  });
  expect(await answer.text()).toBe('3eZbrw1aB');
  const card = await cardFor('signed', DIRECT());
  slack.submits(await opens(card));
  await reads(DIRECT(), 'Settled: signed');
  expect(deployed.filter((ref) => ref === 'signed')).toHaveLength(1);
  slack.useUrl(`${home.url()}/slack`, '0'.repeat(32));
  slack.says(DIRECT(), OWNER, 'deploy forged');
  slack.submits(slack.views.at(-1) as never);
  slack.useUrl(`${home.url()}/slack`);
  slack.says(DIRECT(), OWNER, 'last words');
  await reads(DIRECT(), 'I read: last words');
  expect(screen(DIRECT()).join()).not.toContain('forged');
});

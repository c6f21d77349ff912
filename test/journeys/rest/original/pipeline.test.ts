/**
 * The way of a message through a running stack: its stages, its envelope and its states, how deep a
 * task may go, what follows a failure, how all of it is stopped, and how it is told to be well.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPTH_MAX, HISTORY_TURNS_MAX } from '../../../../lib/core/base/limits.ts';
import { signalKeys } from '../../../../lib/core/store/keys.ts';
import type { SignalView } from '../../../../lib/core/verbs/signals/view.ts';
import { openCli } from '../../../support/cli.ts';
import {
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../../../support/model-server.ts';
import { SCRIPT_TOKEN, signalIdOf, startTestStack, until } from '../../../support/stack.ts';
import { startTarget, TARGET_SECRET } from '../../../support/target.ts';
import { because, calls, talkTo } from './talk.ts';

const [CHAT, OTHER_CHAT] = [71, 72];

/** Whoever awaits one waits until the test lets him go on. */
const hold = () => Promise.withResolvers<void>();
const [thinking, calling, damaged, early, stopping] = [hold(), hold(), hold(), hold(), hold()];
const hook = (ref: string) => ({
  tool: 'call-webhook',
  args: { webhook: 'deploys', body: { ref }, ...because },
});
const time = { tool: 'current-time', args: because };

/** First answers; a result is read out. */
const ANSWERS: Readonly<Record<string, () => ScriptedAnswer | Promise<ScriptedAnswer>>> = {
  'what time is it?': () => calls(time),
  'WHAT TIME IS IT?': () => calls({ tool: 'Current_Time', args: { EXPLANATION: because.explanation } }),
  'think long': async () => {
    await thinking.promise;
    return say('thought');
  },
  'call out': () => calls(hook('main')),
  'run it': () => calls({ tool: 'run-code', args: { language: 'javascript', code: '1 + 1', ...because } }),
  'break on the way': () =>
    calls({ tool: 'remember', args: { text: 'half a deed', ...because } }, hook('broken'), time),
  'work on': async () => {
    await stopping.promise;
    return say('never to be said');
  },
  'break at once': async () => {
    await early.promise;
    return say('never stored');
  },
  'the model is ill': () => ({ kind: 'status', status: 400 }),
};

const answer = (request: ModelServerRequest): ScriptedAnswer | Promise<ScriptedAnswer> => {
  const text = userTextOf(request);
  if (text === 'for ever') return calls(time);
  if (text.includes('failed in stage')) return say('That went wrong: please ask me again.');
  const results = toolResultsOf(request);
  return results.length > 0 ? say(`I read: ${results.join()}`) : (ANSWERS[text]?.() ?? say(`re ${text}`));
};

const target = await startTarget(async ({ body }) => {
  await (body.includes('broken') ? damaged : calling).promise;
  return { status: 200, body: '{}' };
});
const world = await startTestStack({
  allowedChats: [CHAT, OTHER_CHAT],
  environment: {
    ...target.environmentOf('deploys'),
    HOME_CHAT: String(CHAT),
    PROVIDER_NAMES: 'custom/scripted',
    WEBHOOK_SECRETS: JSON.stringify({ ci: TARGET_SECRET }),
  },
  script: answer,
});
const cli = openCli(world.stack.url);
afterAll(async () => {
  await world.stop();
  target.close();
  cli.remove();
});
const talk = talkTo(world);

/** A skill that hears of failures, and chooses what follows by the conversation. */
const SKILL = {
  'SKILL.md': '---\nname: alarm\ndescription: Hears of failures.\n---\n',
  'passepartout.yaml': 'handlers: [{ name: tell, file: tell.js, on: ["error:llm", "error:stored-item"] }]\n',
  'tell.js': `function handler({ event: { failure, session, attempts, providers = [] } }) {
    const { provider, fault } = providers[0] ?? {};
    if (failure === 'llm') return { do: [{ say: [failure, attempts, provider, fault].join() }] };
    const choices = { 'console:left': 'skip', 'console:ended': 'abort', 'console:said': { text: 'Sorry: ' + failure } };
    return choices[session] === undefined ? { do: [] } : { choose: choices[session] };
  }`,
};
beforeAll(async () => {
  mkdirSync(join(cli.folder, 'alarm'));
  for (const [path, text] of Object.entries(SKILL)) writeFileSync(join(cli.folder, 'alarm', path), text);
  expect(await cli.run('skill', 'add', 'alarm', '--mine')).toMatchObject({ code: 0 });
});
const inState = (id: string, state: SignalView['state']) =>
  until(`${id} is ${state}`, async () => {
    const view = await world.signal(id);
    return view.state === state && view;
  });
const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text }) => text);

describe('Pipeline of three stages', () => {
  it('takes every message through Perceive, Reason and Act to one answer', async () => {
    const view = await talk.ask('hello');
    expect(view).toMatchObject({
      state: 'acted',
      replies: ['re hello'],
      decision: { outcome: 'act', attempts: [{ n: 1 }] },
      effects: [{ actuator: 'console', state: 'done' }],
    });
  });

  it('brings the result of an action back as a new message, one step deeper', async () => {
    const view = await talk.ask('what time is it?');
    expect(view.children).toStrictEqual([`${view.id}/1`]);
    const child = await world.signal(`${view.id}/1`);
    expect(child).toMatchObject({ sensor: 'tool-output', parent: view.id, root: view.id, depth: 1, state: 'acted' });
    expect(view.replies.join()).toMatch(/^I read: state: done/);
  });

  it('keeps a message that fails, or waits, apart from the others', async () => {
    const waiting = await talk.post('think long', 'slow');
    const [ill, well] = await Promise.all([talk.ask('the model is ill', 'ill'), talk.ask('and you?', 'well')]);
    expect(well).toMatchObject({ state: 'acted', replies: ['re and you?'] });
    expect(ill.replies.join()).toMatch(/^No language model could answer just now, so nothing was done\./);
    expect((await world.signal(waiting)).state).toBe('perceived');
    thinking.resolve();
    expect((await world.settled(waiting)).replies).toStrictEqual(['thought']);
  });
});

describe('Envelope of every message', () => {
  it('has one form, with source, sender, conversation, words and depth, from any channel', async () => {
    const update = world.telegram.sendText(CHAT, CHAT, 'by Telegram');
    const fromTelegram = await world.settled(signalIdOf(update));
    const fromConsole = await talk.ask('by the console');
    const shape = { sensor: 'chat-message', depth: 0, state: 'acted' };
    expect(fromTelegram).toMatchObject({
      ...shape,
      root: fromTelegram.id,
      source: 'telegram',
      sender: `telegram:${CHAT}`,
      session: `telegram:${CHAT}`,
      text: [{ text: 'by Telegram', origin: 'owner' }],
    });
    expect(fromConsole).toMatchObject({
      ...shape,
      root: fromConsole.id,
      source: 'console',
      sender: 'console-approver',
      session: 'console:main',
      text: [{ text: 'by the console', origin: 'owner' }],
    });
    expect(Object.keys(fromTelegram).sort()).toStrictEqual(Object.keys(fromConsole).sort());
  });

  it('is refused with the reason if it has another form', async () => {
    for (const [body, words] of [
      [{ text: 'x', depth: 3 }, 'depth'],
      [{ text: 'x', session: 'no such name!' }, 'session must be'],
      [{ words: 'x' }, 'text'],
    ] as const) {
      const { status, body: said } = await world.api('POST', '/api/messages', body);
      expect([status, JSON.stringify(said)]).toStrictEqual([400, expect.stringContaining(words)]);
    }
  });

  it('goes from received over perceived and reasoned to acted, and waits suspended for a person', async () => {
    const asks = await talk.ask('run it', 'states');
    expect([asks.state, asks.turn]).toStrictEqual(['suspended', 'waiting']);
    await world.api('POST', '/api/policy', {
      text: '@id("free") permit(principal, action == Action::"call-webhook", resource);',
    });
    const id = await talk.post('call out', 'calls');
    await until('the webhook is called', () => target.posts.length > 0);
    expect(await world.signal(id)).toMatchObject({ state: 'reasoned', effects: [{ state: 'claimed' }] });
    calling.resolve();
    expect((await world.settled(id)).state).toBe('acted');
    // Another policy counts from now on: the card of before has to be asked for again.
    const again = await talk.ask('run it', 'states-again');
    await talk.decide(again.id, 'approve');
    expect((await inState(again.id, 'acted')).effects).toMatchObject([{ state: 'done', output: '2' }]);
  });

  it('is read in any case of its names', async () => {
    const view = await talk.ask('WHAT TIME IS IT?');
    expect(view.decision?.attempts).toHaveLength(1);
    expect(view.decision?.actions[0]?.action).toMatchObject({ tool: 'current-time', ...because });
    expect((await talk.ask('/STATUS')).replies.join()).toContain('Not stopped.');
  });
});

describe('Depth limit', () => {
  it(`ends a task after ${DEPTH_MAX} steps, and says so`, async () => {
    const before = world.model.requests.length;
    const view = await talk.ask('for ever', 'deep');
    expect(world.model.requests.length - before).toBe(DEPTH_MAX + 1);
    expect(view.replies).toStrictEqual([
      expect.stringMatching(/^I stopped here: this task went on for too many steps\./),
    ]);
    expect(await talk.answer('still there?', 'deep')).toBe('re still there?');
  });

  it('takes back what a task changed if it fails on its way, and the model explains it', async () => {
    const id = await talk.post('break on the way', 'broken');
    await until('its second call is under way', () => target.posts.some(({ body }) => body.includes('broken')));
    expect(await talk.answer('/recall deed')).toContain('half a deed');
    // What is stored of that call cannot be read any more.
    await world.table.put(signalKeys.effect('default', id, 2), { schemaVersion: 1, state: 'nonsense' });
    damaged.resolve();
    const view = await inState(id, 'dead-lettered');
    expect((await world.settled(id)).replies.toSorted()).toStrictEqual([
      expect.stringMatching(/^Something went wrong while I worked on this, and I stopped: something stored/),
      'That went wrong: please ask me again.',
      `What ${id} changed in memory is taken back, because it failed.`,
    ]);
    expect(await world.signal(`${id}/e`)).toMatchObject({ sensor: 'loop-error', parent: id, depth: 1 });
    expect(view.children).toHaveLength(3);
    expect(await talk.answer('/recall deed')).not.toContain('half a deed');
  });

  it('names each failure by a kind, with its figures, and a skill may leave it, end it or say a text', async () => {
    const ill = await talk.ask('the model is ill', 'ill');
    const heard = () => world.signal(`${ill.id}/he0`);
    await until('it is heard', async () => (await heard()).replies?.includes('llm,0,custom,request'));
    const ids = await Promise.all(['left', 'ended', 'said'].map((session) => talk.post('break at once', session)));
    for (const id of ids)
      await world.table.put(signalKeys.attempt('default', id, 1), { schemaVersion: 1, n: 'nonsense' });
    early.resolve();
    const [left, ended, said] = await Promise.all(ids.map(world.settled));
    const broken = expect.stringMatching(/^Something went wrong while I worked on this/);
    expect([left?.state, left?.replies]).toStrictEqual(['dropped', []]);
    expect([ended?.state, ended?.replies]).toStrictEqual(['dead-lettered', [broken]]);
    expect([said?.state, said?.replies]).toStrictEqual(['dead-lettered', [broken]]);
    await until('its text is said', async () =>
      (await world.signal(`${said?.id}/he0`)).replies?.includes('Sorry: stored-item'),
    );
  });
});

describe('Log', () => {
  it('of what became of the last messages stands in the prompt, bounded', async () => {
    const ill = await talk.ask('the model is ill', 'log');
    for (let n = 0; n < HISTORY_TURNS_MAX; n += 1) await talk.ask(`message ${n}`, 'log');
    const logs = () => / *# LOGS\n((?:- .*\n?)+)/.exec(talk.promptFor(`message ${HISTORY_TURNS_MAX - 1}`))?.[1] ?? '';
    expect(logs()).toContain(`- ${ill.id} refused`);
    expect(logs().match(/^- con-/gm)).toHaveLength(HISTORY_TURNS_MAX);
  });
});

describe('Reply routing', () => {
  it('answers where it was asked', async () => {
    const update = world.telegram.sendText(OTHER_CHAT, OTHER_CHAT, 'from there');
    await world.settled(signalIdOf(update));
    expect(textsTo(OTHER_CHAT)).toStrictEqual(['re from there']);
    const before = world.telegram.sent().length;
    expect(await talk.ask('from here', 'here')).toMatchObject({ effects: [{ actuator: 'console' }] });
    expect(world.telegram.sent()).toHaveLength(before);
  });

  it('tells in the home chat what nobody asked for', async () => {
    const [body, at] = [JSON.stringify({ ref: 'main' }), new Date()];
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(TARGET_SECRET).sign('evt_1', at, body),
    };
    const { status } = await fetch(`${world.stack.url}/webhook/ci`, { method: 'POST', headers, body });
    expect(status).toBe(202);
    expect(await until('it is told', () => textsTo(CHAT).find((text) => text?.includes('ci')))).toContain('ci');
  });
});

describe('Health check', () => {
  const health = async () => {
    const { status, body } = await world.api<{ status: string; reasons: string[]; checks: object }>('GET', '/health');
    return { code: status, ...body };
  };

  it('tells a client how the stack is, and whoever has a token why', async () => {
    const anybody = await fetch(`${world.stack.url}/health`);
    expect(Object.keys((await anybody.json()) as object)).toStrictEqual(['status']);
    await talk.ask('the model is ill', 'ill');
    const ill = await health();
    expect([ill.code, ill.status]).toStrictEqual([200, 'degraded']);
    expect(ill.reasons.join()).toMatch(/^the model provider custom \(scripted\) refused the request/);
    expect(ill.checks).toMatchObject({ table: 'ok', isStopped: false, models: ['custom/scripted'] });
    await talk.ask('and now?');
    expect(await health()).toMatchObject({ status: 'healthy', reasons: [] });
  });
});

describe('Auto-save', () => {
  it('keeps a snapshot of memory by itself if it changed, at most one in five minutes', async () => {
    expect(await talk.answer('/skill on auto-save')).toContain('Its job auto-save-snapshot is active.');
    expect(await talk.answer('/jobs show auto-save-snapshot')).toContain('5');
    await talk.answer('/remember the lamp is red');
    const snapshots = async () => (await talk.answer('/snapshots')).match(/auto-\d{4}-\S+/g) ?? [];
    expect(await snapshots()).toStrictEqual([]);
    await talk.answer('/jobs run auto-save-snapshot');
    await until('it is saved', async () => (await snapshots()).length === 1);
  });
});

describe('Start, interrupt and shutdown', () => {
  it('is interrupted by a stop: nothing that was under way is said or done', async () => {
    const id = await talk.post('work on', 'stopped');
    await until('the model works', () => world.model.requests.some((request) => userTextOf(request) === 'work on'));
    expect((await world.api('POST', '/api/stop', undefined, SCRIPT_TOKEN)).status).toBe(202);
    stopping.resolve();
    const { state, replies } = await world.settled(id);
    expect([state, replies.join()]).toStrictEqual(['refused', expect.not.stringContaining('never to be said')]);
    expect(await talk.answer('anybody?')).toMatch(/^I am stopped/);
    expect(await talk.answer('/resume')).toBe('Running again.');
    expect(await talk.answer('anybody?')).toBe('re anybody?');
  });
});

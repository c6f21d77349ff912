/**
 * A turn that takes long, on the real stack: it says once that it is at work, and "typing" is
 * refreshed while the model thinks. A fast turn, one whose answer is being shown, and one that was
 * stopped say nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/cli-world.ts';
import { type Strange, startStrangeServer, tool } from '../support/mcp-server.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';
import { evidenceOf } from './adversity-world.ts';

const [SLOW, FAST, STEPS, SHOWN, STOPPED, TOOL] = [4101, 4102, 4103, 4104, 4105, 4107];
const GROUP = -4106;
const LINE = 'Still at work on this.';
const SLOW_MS = 12_000;
const LONG = 'The bike is blue and stands in the shed behind the house, as it has since spring. '.repeat(12).trim();

const because = { explanation: 'because the owner asked for exactly this' };
/** A tool of another server that takes its time. */
const answerRpc: Strange = ({ id, method }, response) => {
  if (method === 'tools/list') return { tools: [tool('find_issue')] };
  if (method !== 'tools/call') return undefined;
  const result = { content: [{ type: 'text', text: 'issue 7' }] };
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }, SLOW_MS);
  return response;
};

const script = async (request: ModelServerRequest): Promise<ScriptedAnswer> => {
  const text = userTextOf(request);
  if (text.includes('find'))
    return toolResultsOf(request).length === 0 ? call('mcp-tracker-find-issue', because) : say('Found.');
  if (text.includes('show')) return { kind: 'answer', text: LONG, pieceChars: 16, pieceMs: 200 };
  if (text.includes('steps')) {
    await sleep(7_000);
    if (toolResultsOf(request).length === 0)
      return { kind: 'answer', calls: [{ tool: 'current-time', args: because }] };
    return say('It is late.');
  }
  if (text.includes('slow')) {
    await sleep(SLOW_MS);
    return say('There it is.');
  }
  return say(`re ${text}`);
};

const server = await startStrangeServer(answerRpc);
const world = await startTestStack({
  allowedChats: [SLOW, FAST, STEPS, SHOWN, STOPPED, TOOL, GROUP],
  script,
  environment: { ALLOW_LOOPBACK_WEBHOOKS: '1', AT_WORK_SECONDS: '10' },
  waits: { workLookMs: undefined },
});
afterAll(async () => {
  await world.stop();
  await server.close();
});

const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text }) => text);
const typingIn = (chat: number) =>
  world.telegram.calls.filter(
    ({ method, params }) => method === 'sendChatAction' && String(params.chat_id) === String(chat),
  );

// Each has a chat of its own, and mostly waits.
describe.concurrent('a turn that takes long', () => {
  it('says so once in a private chat, a group and at the console, and goes on typing', async () => {
    world.telegram.failNext('sendChatAction', 'lost-answer');
    const [inChat, inGroup] = [SLOW, GROUP].map((chat) => world.telegram.sendText(chat, SLOW, 'slow one'));
    const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: 'slow one' });
    const ids = [inChat, inGroup].flatMap((update) => (update === undefined ? [] : [signalIdOf(update)]));
    for (const id of [...ids, body.id]) {
      const view = await world.settled(id);
      expect([view.state, view.replies]).toStrictEqual(['acted', [LINE, 'There it is.']]);
    }
    for (const chat of [SLOW, GROUP]) {
      expect(textsTo(chat)).toStrictEqual([LINE, 'There it is.']);
      // Ingress types once; the rest is what Act refreshes.
      expect(typingIn(chat).length).toBeGreaterThanOrEqual(3);
    }
    const { decision, effects } = await evidenceOf(world.table, 'default', `${ids[0]}/at-work`);
    expect(decision?.actions.map(({ action, trace }) => [action.template, trace.length > 0])).toStrictEqual([
      ['at-work', true],
    ]);
    expect(effects.map(({ state }) => state)).toStrictEqual(['done']);
  });

  it('says so once where it is made of several steps', async () => {
    const view = await world.settled(signalIdOf(world.telegram.sendText(STEPS, STEPS, 'steps')));
    expect(view.replies).toStrictEqual([LINE, 'It is late.']);
    expect(textsTo(STEPS)).toStrictEqual([LINE, 'It is late.']);
  });

  it('says so once while an approved tool takes long', async () => {
    const mcp = (...words: readonly string[]) => runCli(['mcp', ...words], world.dataDir, { env: { APPROVER_TOKEN } });
    const { out } = await mcp('add', 'tracker', server.url);
    await mcp('accept', 'tracker', /mcp accept \w+ ([0-9a-f]{12})/.exec(out)?.[1] ?? '');
    const id = signalIdOf(world.telegram.sendText(TOOL, TOOL, 'find it'));
    expect((await world.settled(id)).state).toBe('suspended');
    const before = typingIn(TOOL).length;
    const path = '/api/approvals';
    const { body } = await world.api<{ approvals: { id: string; signalId: string }[] }>(
      'GET',
      path,
      undefined,
      APPROVER_TOKEN,
    );
    const approval = body.approvals.find(({ signalId }) => signalId === id)?.id;
    await world.api('POST', `${path}/${approval}`, { decision: 'approve' }, APPROVER_TOKEN);
    await until('it is found', () => textsTo(TOOL).includes('Found.'));
    expect(textsTo(TOOL).slice(1)).toStrictEqual([LINE, 'Found.']);
    expect(typingIn(TOOL).length - before).toBeGreaterThanOrEqual(2);
  });

  it('says nothing where its answer is being shown, nor where it is over soon', async () => {
    const shown = world.telegram.sendText(SHOWN, SHOWN, 'show me');
    await world.settled(signalIdOf(world.telegram.sendText(FAST, FAST, 'hello')));
    await world.settled(signalIdOf(shown));
    expect([textsTo(FAST), typingIn(FAST).length]).toStrictEqual([['re hello'], 1]);
    expect(textsTo(SHOWN)).toStrictEqual([LONG]);
    expect((await world.scan()).filter(({ pk }) => String(pk).includes(`${signalIdOf(shown)}/at-work`))).toStrictEqual(
      [],
    );
  });
});

describe('a turn that is stopped', () => {
  it('says nothing more', async () => {
    const update = world.telegram.sendText(STOPPED, STOPPED, 'slow one');
    await until('the model is asked', () => typingIn(STOPPED).length > 1);
    await world.settled(signalIdOf(world.telegram.sendText(STOPPED, STOPPED, '/stop')));
    await world.settled(signalIdOf(update));
    expect(textsTo(STOPPED)).not.toContain(LINE);
    expect(textsTo(STOPPED)).not.toContain('There it is.');
  });
});

/**
 * Poison on the queues and signals that cannot be worked on: stored with their reason, told, and
 * nobody else disturbed.
 */

import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';
import { SessionHead } from '../../lib/core/ledger/record.ts';
import { sessionKey, signalKeys } from '../../lib/core/store/keys.ts';
import type { Item } from '../../lib/core/store/table.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { call, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, BOT_ID, SCRIPT_TOKEN, startTestStack, until } from '../support/stack.ts';

const CHATS = [21, 22, 23, 24, 25, 26];

const world = await startTestStack({
  allowedChats: CHATS,
  isPolling: false,
  script: (request) => {
    const text = userTextOf(request);
    if (text === 'chain' && toolResultsOf(request).length < 3)
      return call('current-time', { explanation: 'because the owner wants a chain of steps' });
    return say(text.includes('Working on this failed') ? 'Sorry, that broke.' : `You said: ${text}`);
  },
});
const local = { region: 'us-east-1', credentials: world.stack.credentials };
const sqs = new SQSClient({ ...local, endpoint: world.stack.endpoints.sqs });
const dynamo = new DynamoDBClient({ ...local, endpoint: world.stack.endpoints.dynamodb });
for (const chat of CHATS) world.telegram.openChat(chat);
afterAll(async () => {
  sqs.destroy();
  dynamo.destroy();
  await world.stop();
});

/** The queue a stage's function is fed from. */
const queueOf = (stage: string): string => {
  const plan = world.stack.wiring.eventSources.find(({ functionName }) => functionName === stage);
  if (plan === undefined) throw new Error(`no queue for ${stage}`);
  return plan.queue.url;
};

let sent = 0;
const put = async (stage: string, body: string, group = 'default/telegram:1'): Promise<void> => {
  sent += 1;
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queueOf(stage),
      MessageBody: body,
      MessageGroupId: group,
      MessageDeduplicationId: `poison-${sent}`,
    }),
  );
};

const deadLetters = async (): Promise<readonly Item[]> =>
  (await world.table.query({ pk: 'dead-letter#default', isConsistent: true })).items;

const common = { v: 1, space: 'default', session: 'telegram:1' };
const decisionHash = 'f'.repeat(64);
const stagesOf = (stage: string): string => (stage === 'act' ? 'act, forget-again, draft' : stage);
const bodies: readonly (readonly [
  what: string,
  body: (stage: string) => unknown,
  reason: (stage: string) => string,
])[] = [
  ['no JSON', () => 'lorem {ipsum', () => 'queue message is not valid JSON'],
  ['another form', () => ({ hello: 'world' }), (stage) => `queue message: stage must be one of ${stagesOf(stage)}`],
  [
    'a field too many',
    (stage) => ({ stage, ...common, signalId: 'tg-1-1', approved: true, ...extra(stage) }),
    () => 'queue message: unknown member approved',
  ],
  [
    'another version',
    (stage) => ({ stage, ...common, v: 2, signalId: 'tg-1-1', ...extra(stage) }),
    () => 'queue message: v must be one of 1',
  ],
  [
    'an unknown signal',
    (stage) => ({ stage, ...common, signalId: 'tg-1-404', ...extra(stage) }),
    () => 'no signal tg-1-404',
  ],
];
const extra = (stage: string): object => {
  if (stage === 'reason') return { recent: [] };
  return stage === 'act' ? { decisionHash, actions: [{ n: 0, hash: decisionHash }] } : {};
};

describe.each(['perceive', 'reason', 'act'])('poison on the queue of %s', (stage) => {
  it.each(bodies)('is kept with its body and its reason, and disturbs nobody: %s', async (_what, build, reason) => {
    const built = build(stage);
    const body = typeof built === 'string' ? built : JSON.stringify(built);
    const before = await deadLetters();
    const rest = (await world.scan()).filter(({ pk }) => pk !== 'dead-letter#default');
    await put(stage, body);
    const after = await until('a dead letter', async () => {
      const found = await deadLetters();
      return found.length > before.length && found;
    });
    const [added, ...others] = after.filter(({ sk }) => before.every((one) => one.sk !== sk));
    expect(others).toStrictEqual([]);
    expect(added).toMatchObject({ body, schemaVersion: 1 });
    expect(String(added?.reason)).toContain(reason(stage));
    expect(String(added?.queue).toLowerCase()).toContain(stage);
    expect((await world.scan()).filter(({ pk }) => pk !== 'dead-letter#default')).toStrictEqual(rest);
  });
});

describe('poison in a conversation', () => {
  it('does not hold up the messages behind it in the same group', async () => {
    const group = 'default/console:behind';
    await put('perceive', 'not JSON', group);
    const posted = await world.api<{ id: string }>('POST', '/api/messages', { text: 'hello', session: 'behind' });
    const view = await world.settled(posted.body.id);
    expect(view.replies).toStrictEqual(['You said: hello']);
  });
});

let updates = 900;
const write = async (chat: number, text: string): Promise<string> => {
  updates += 1;
  const from = { id: chat, is_bot: false, first_name: 'Owner' };
  const message = {
    message_id: updates,
    date: 1,
    chat: { id: chat, type: 'private', first_name: 'Owner' },
    from,
    text,
  };
  const { status } = await world.postUpdate({ update_id: updates, message });
  expect(status).toBe(200);
  return `tg-${BOT_ID}-${updates}`;
};
const textsIn = (chat: number): readonly string[] => world.telegram.sent(chat).map(({ text }) => text ?? '');

/** Something in the table that the stage cannot read: it can only fail, each time. */
const broken = { schemaVersion: 99 };

describe.each([
  ['reason', 21, (id: string) => signalKeys.attempt('default', id, 1), 'perceived'],
  ['act', 22, (id: string) => signalKeys.effect('default', id, 0), 'perceived'],
] as const)('a signal that fails in %s', (_stage, chat, keyOf, diedIn) => {
  it('is dead-lettered with its reason, told, released, and completed by a redrive with exactly one reply', async () => {
    const id = `tg-${BOT_ID}-${updates + 1}`;
    const key = keyOf(id);
    await world.table.put(key, broken);
    expect(await write(chat, 'first')).toBe(id);
    const dead = await until('it is dead', async () => {
      const [record] = await world.table.load([signalKeys.record('default', id)], { isConsistent: true });
      return record?.state === 'dead-lettered' && record;
    });
    expect(dead).toMatchObject({ diedIn });
    expect(String(dead.stateReason)).toMatch(/schema version 99 is not known/);
    expect(dead.awaitsLog).toBe(true);
    await until('the person is told', () => textsIn(chat).some((text) => text.startsWith('Something went wrong')));
    const [told = ''] = textsIn(chat).filter((text) => text.startsWith('Something went wrong'));
    expect(told).toMatch(/and I stopped: something stored for it cannot be read by this release\. /);
    expect(told).toContain(`Details: /why ${id};`);
    expect((await deadLetters()).filter(({ signalId }) => signalId === id)).toHaveLength(1);

    // The turn was released: the next message of the chat is answered.
    const next = await write(chat, 'second');
    await until('the next is answered', () => textsIn(chat).includes('You said: second'));
    expect((await world.settled(next)).state).toBe('acted');
    expect(textsIn(chat)).not.toContain('You said: first');

    await dynamo.send(
      new DeleteItemCommand({ TableName: world.stack.tableName, Key: { pk: { S: key.pk }, sk: { S: key.sk } } }),
    );
    const redrive = await world.api('POST', `/api/signals/${id}/redrive`, {}, APPROVER_TOKEN);
    expect(redrive.status).toBe(202);
    const again = await world.api('POST', `/api/signals/${id}/redrive`, {}, APPROVER_TOKEN);
    expect(again.status).toBe(409);
    await until('it is acted', async () => ((await world.signal(id)) as SignalView).state === 'acted');
    expect(textsIn(chat).filter((text) => text === 'You said: first')).toHaveLength(1);
    expect(textsIn(chat).filter((text) => text.startsWith('Something went wrong'))).toHaveLength(1);

    // Redriving what has ended is refused and repeats nothing; nothing holds the conversation.
    expect((await world.api('POST', `/api/signals/${id}/redrive`, {}, APPROVER_TOKEN)).status).toBe(409);
    await until('the conversation is free', async () => {
      const [head] = await world.table.load([sessionKey('default', `telegram:${chat}`)], { isConsistent: true });
      return SessionHead.parse(head).turn === undefined;
    });
    const last = await write(chat, 'third');
    expect((await world.settled(last)).replies).toStrictEqual(['You said: third']);
    expect(textsIn(chat).filter((text) => text === 'You said: first')).toHaveLength(1);
  });
});

describe('a signal that fails late in its turn', () => {
  it('releases the turn though nothing more of it follows', async () => {
    const chat = 23;
    // At this depth the model is not told of the failure any more: nobody but the burial hands the
    // turn on.
    const late = `tg-${BOT_ID}-${updates + 1}/1/1`;
    await world.table.put(signalKeys.attempt('default', late, 1), broken);
    await write(chat, 'chain');
    const waiting = await write(chat, 'behind');
    await until('it is dead', async () => {
      const [record] = await world.table.load([signalKeys.record('default', late)], { isConsistent: true });
      return record?.state === 'dead-lettered';
    });
    await until('the next is answered', () => textsIn(chat).includes('You said: behind'));
    expect((await world.settled(waiting)).state).toBe('acted');
    expect(textsIn(chat).filter((text) => text.startsWith('Something went wrong'))).toHaveLength(1);
  });
});

describe('a dead signal', () => {
  it('is redriven only with the approver token, and only where it exists', async () => {
    expect((await world.api('POST', '/api/signals/tg-4242-1/redrive', {}, SCRIPT_TOKEN)).status).toBe(403);
    expect((await world.api('POST', '/api/signals/tg-4242-1/redrive', {}, APPROVER_TOKEN)).status).toBe(404);
  });
});

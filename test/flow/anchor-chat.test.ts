/**
 * The newest checkpoint in a Telegram chat its owner named, on the real stack: whole, once an hour,
 * as a decided notice.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { parseCheckpoint } from '../../lib/core/evidence/checkpoint.ts';
import { ANCHOR_CHAT_INTERVAL_MS, ANCHOR_CHAT_OWN_LEAVES_MAX } from '../../lib/core/stages/upkeep/send-anchor.ts';
import { settingKey } from '../../lib/core/store/keys.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const CHAT = 4242;

const world = await startTestStack({
  allowedChats: [CHAT],
  environment: { ANCHOR_CHAT: `${CHAT}` },
  script: (request) => say(`re ${userTextOf(request)}`),
});
afterAll(world.stop);

/** Checkpoints in the chat. */
const texts = () =>
  world.telegram
    .sent(CHAT)
    .flatMap(({ text = '' }) => (text.startsWith('Checkpoint of the evidence log') ? [text] : []));
const ask = async (text: string): Promise<void> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
  await world.settled(body.id);
};
const standing = async () => (await world.api<{ size: number; isWaiting: boolean }>('GET', '/api/log')).body;
const log = async (): Promise<number> => {
  await world.tick();
  await until('the log has it all', async () => !(await standing()).isWaiting);
  return (await standing()).size;
};
const isMade = async (size: number): Promise<boolean> =>
  (await world.api('GET', `/api/signals/anchor-${size}`)).status === 200;
/** As if the last one had been sent an hour ago. */
const letAnHourPass = async (size: number): Promise<void> => {
  const at = Date.now() - ANCHOR_CHAT_INTERVAL_MS - 1;
  await world.table.put(settingKey('default', 'anchor-chat'), { schemaVersion: 1, size, at });
};

describe('ANCHOR_CHAT', () => {
  it('gets the signed note whole, as a notice with a decision of its own, and not again within the hour', async () => {
    // A bot may write only to who wrote to it.
    await world.settled(signalIdOf(world.telegram.sendText(CHAT, CHAT, 'hello')));
    await ask('one');
    expect(texts()).toStrictEqual([]);
    const size = await log();
    await world.tick();
    await until('the checkpoint is in the chat', () => texts().length > 0);
    await world.settled(`anchor-${size}`);
    const { body: evidence } = await world.api<{ decision: unknown }>('GET', `/api/signals/anchor-${size}`);
    expect(evidence.decision).toMatchObject({ outcome: 'act', actions: [{ state: 'done' }] });
    const [, note = ''] = /leaves\. [^\n]*\n\n([\s\S]*)$/u.exec(texts()[0] ?? '') ?? [];
    expect(parseCheckpoint(`${note.trimEnd()}\n`)).toMatchObject({ origin: 'passepartout/default', size });
    for (const text of ['two', 'three', 'four']) await ask(text);
    const grown = await log();
    expect(grown).toBeGreaterThan(size + ANCHOR_CHAT_OWN_LEAVES_MAX);
    await world.tick();
    expect(await isMade(grown)).toBe(false);
    await letAnHourPass(size);
    await world.tick();
    await until('the next one is in the chat', () => texts().length === 2);
  });

  it('is not told of what telling it made', async () => {
    const size = await log();
    await letAnHourPass(size - 2);
    await world.tick();
    expect(await isMade(size)).toBe(false);
  });
});

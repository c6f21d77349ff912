/**
 * Data of a newer release under this one: nothing is changed, nothing is buried, and the start says
 * so in one sentence.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { startStack } from '../../infra/local/stack.ts';
import { DATA_VERSION, START_DATA_VERSION } from '../../lib/core/base/data-version.ts';
import { acceptSignal } from '../../lib/core/ledger/accept.ts';
import { raiseDataVersion } from '../../lib/core/store/data-version.ts';
import { dataVersionKey, signalKeys } from '../../lib/core/store/keys.ts';
import { FUNCTION_NAMES } from '../../lib/core/store/settings.ts';
import type { Item } from '../../lib/core/store/table.ts';
import { WITHOUT_TABLE } from '../../lib/features/function-names.ts';
import { signalWith } from '../support/simulation.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../support/stack.ts';

const world = await startTestStack({ isPolling: false, isBundled: true });
const sqs = new SQSClient({
  endpoint: world.stack.endpoints.sqs,
  region: 'us-east-1',
  credentials: world.stack.credentials,
});
afterAll(async () => {
  sqs.destroy();
  await world.stop();
});

const NEWER = `The data is of version ${DATA_VERSION + 1}, and this release knows version ${DATA_VERSION}. Start the newer release.`;
const setVersion = (version: number) => world.table.put(dataVersionKey('default'), { version });
const byKey = (items: readonly Item[]) => new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
const urlOf = (name: string): string => {
  const plan = world.stack.wiring.queues.find((queue) => queue.name.includes(name) && !/dead|dlq/i.test(queue.name));
  return `${world.stack.endpoints.sqs}/000000000000/${plan?.name}`;
};
const waiting = async (name: string) => {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: urlOf(name), AttributeNames: ['ApproximateNumberOfMessagesNotVisible'] }),
  );
  return Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
};

describe('data of a newer release', () => {
  it('has the version of this release from the first start on', async () => {
    const [item] = await world.table.load([dataVersionKey('default')]);
    expect(item?.version).toBe(START_DATA_VERSION);
  });

  it('is left as it is, messages wait, and dead letters stay where they are', async () => {
    const signal = signalWith('default', 'tg-1-1', { sensor: 'chat-message', text: [{ text: 'hi', origin: 'owner' }] });
    await setVersion(DATA_VERSION + 1);
    await acceptSignal(
      {
        table: world.table,
        publish: async (message) => {
          const body = JSON.stringify(message);
          const ids = { MessageGroupId: message.session, MessageDeduplicationId: message.signalId };
          await sqs.send(new SendMessageCommand({ QueueUrl: urlOf('erceive'), MessageBody: body, ...ids }));
        },
      },
      signal,
    );
    const before = byKey(await world.scan());
    await until('Perceive refused it', () => world.log().includes(`NewerDataError: ${NEWER}`));
    expect(await waiting('erceive')).toBe(1);
    const posted = await world.api('POST', '/api/messages', { text: 'hello' });
    expect(posted).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    const letter = {
      messageId: 'm1',
      body: '{}',
      attributes: {},
      eventSourceARN: 'a:perceive-dlq',
      messageAttributes: {},
    };
    const kept = await world.stack.invoke('dead-letter', { Records: [letter] });
    expect(kept).toStrictEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    expect(byKey(await world.scan())).toStrictEqual(before);
  });

  it('is looked for by every function that has a table: none opens the table otherwise', () => {
    for (const name of FUNCTION_NAMES.filter((one) => !WITHOUT_TABLE.includes(one))) {
      const handler = readFileSync(join(ROOT, 'functions', name, 'handler.ts'), 'utf8');
      // Two functions open it in one place.
      const shared = handler.includes('wireControl(') ? 'lib/core/edge/console/console-env.ts' : undefined;
      const text = handler + (shared === undefined ? '' : readFileSync(join(ROOT, shared), 'utf8'));
      expect({
        name,
        isGuarded: /open(Raising)?Table\(env\)/.test(text) && !text.includes('buildTable('),
      }).toStrictEqual({ name, isGuarded: true });
    }
  });

  it('is served again by code that knows it', async () => {
    await setVersion(DATA_VERSION);
    const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: 'hello' });
    expect((await world.settled(body.id)).state).toBe('acted');
  });

  it('is left to wait by functions that began before it came', async () => {
    const send = (name: string, body: object) => {
      const ids = { MessageGroupId: name, MessageDeduplicationId: `${name}-newer` };
      return sqs.send(new SendMessageCommand({ QueueUrl: urlOf(name), MessageBody: JSON.stringify(body), ...ids }));
    };
    const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: 'again' });
    const { id, session } = await world.settled(body.id);
    await world.table.update(signalKeys.record('default', id), { set: { schemaVersion: 2 } });
    await setVersion(DATA_VERSION + 1);
    const before = byKey(await world.scan());
    const said = () => world.log().split(NEWER).length;
    const saidBefore = said();
    const common = { space: 'default', session, signalId: id };
    await send('erceive', { stage: 'perceive', v: 1, ...common });
    await send('eason', { stage: 'reason', v: 2, ...common });
    await until('both refused', () => said() - saidBefore >= 2);
    expect([await waiting('erceive'), await waiting('eason')]).toStrictEqual([2, 1]);
    expect(byKey(await world.scan())).toStrictEqual(before);
  });

  it('is never lowered, and none that is newer is overwritten', async () => {
    await setVersion(DATA_VERSION + 1);
    await expect(raiseDataVersion(world.table, 'default')).rejects.toThrow(NEWER);
    const [item] = await world.table.load([dataVersionKey('default')]);
    expect(item?.version).toBe(DATA_VERSION + 1);
  });

  it('is refused at the start, whose folder stays as it is', async () => {
    await world.stack.stop();
    const file = () => readFileSync(join(world.dataDir, 'table.sqlite'));
    const before = file();
    const environment = { APPROVER_TOKEN };
    await expect(startStack({ dataDir: world.dataDir, environment })).rejects.toThrow(NEWER);
    expect(file().equals(before)).toBe(true);
  });
});

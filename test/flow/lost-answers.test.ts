/**
 * The database carries a write out and its answer is lost, for every single write of a story: the
 * story goes as if nothing had happened. Nothing is sent twice or not at all, and the table ends up
 * the same, item by item.
 */
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../lib/core/base/errors.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import { APPROVAL_TTL_MS } from '../../lib/core/stages/act/suspend.ts';
import { embeddedDynamoClient } from '../../lib/core/store/clients.ts';
import { buildTable, type Item, type Table } from '../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { type Loses, type LosingProxy, losingWrite, startLosingProxy } from '../support/losing-proxy.ts';
import { isSampled } from '../support/sample.ts';
import { scanTable } from '../support/scan.ts';
import { SEED } from '../support/seed.ts';
import {
  type Answer,
  buildSimulation,
  ownerMessage,
  providersOf,
  type Simulation,
  signalWith,
} from '../support/simulation.ts';
import { callTool, evidenceOf } from './adversity-world.ts';
import { acceptFile, buildAttachmentWorld, OTHER_PHOTO, PHOTO, SEEING, VOICE } from './attachment-world.ts';

const SPACE = 'home';
const MINUTE = 60_000;

let dynamo: TestDynamo;
let proxy: LosingProxy;
let lossyTable: Table;
beforeAll(async () => {
  dynamo = await startDynamo();
  proxy = await startLosingProxy(dynamo.endpoint);
  lossyTable = newLossyTable();
});
afterAll(async () => {
  await proxy?.stop();
  await dynamo?.stop();
});

const newLossyTable = () =>
  buildTable(embeddedDynamoClient(proxy.endpoint, 'us-east-1', dynamo.credentials), dynamo.tableName);

const lastText = ({ messages }: Prompt): string => messages.at(-1)?.content ?? '';
const usage = { inputTokens: 900, outputTokens: 30 };

interface Story {
  readonly name: string;
  readonly answer: (prompt: Prompt) => Answer;
  readonly play: (simulation: Simulation) => Promise<void>;
  readonly hasFiles?: true;
  /** Everything that reaches the outside, in its order. */
  readonly sent: readonly RegExp[];
}

/** Again and again until the table answers, as a sender or a queue does. */
const insist = async (work: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
};

const say = async (simulation: Simulation, id: number, text: string): Promise<void> => {
  await simulation.accept(ownerMessage(SPACE, id, text));
};

const deploy = (prompt: Prompt): Answer =>
  lastText(prompt).includes('deploy now')
    ? callTool('call-webhook', { webhook: 'deploys', body: { ref: 'main' } })
    : { content: 'That is how it went.', usage };

/** A person says yes to the card of this signal. */
const approve = async (simulation: Simulation, id: string): Promise<void> => {
  const { effects } = await evidenceOf(dynamo.table, SPACE, id);
  const approvalId = effects[0]?.approvalId ?? 'none';
  const card = { chat: '7', message: 5 };
  await simulation.accept(
    signalWith(SPACE, 'tg-1-2', { sensor: 'approval-decision', approvalId, decision: 'approve', card }),
  );
  await simulation.drain();
};

const RUNBOOK = `name: test
description: A runbook of a test.
tools: [call-webhook]
steps:
  - { id: go, webhook: deploys, body: { ref: main } }
  - { if: steps.go.isNew, text: Deployed. }
`;

const stories: readonly Story[] = [
  {
    name: 'a plain turn',
    answer: () => ({ content: 'Hello', usage }),
    play: async (simulation) => {
      await say(simulation, 1, 'hi');
      await simulation.drain();
      await say(simulation, 2, 'hi again');
      await simulation.drain();
    },
    sent: [/tg-1-1#0 Hello$/, /tg-1-2#0 Hello$/],
  },
  {
    name: 'a turn with a tool',
    answer: ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { content: 'Noted.', usage }
        : callTool('remember', { text: 'tea at five' }),
    play: async (simulation) => {
      await say(simulation, 1, 'remember tea at five');
      await simulation.drain();
    },
    sent: [/ Noted\.$/],
  },
  {
    name: 'two messages of one conversation, of which the second waits',
    answer: () => ({ content: 'Yes', usage }),
    play: async (simulation) => {
      await say(simulation, 1, 'first');
      await say(simulation, 2, 'second');
      await simulation.drain();
    },
    sent: [/tg-1-1#0 Yes$/, /tg-1-2#0 Yes$/],
  },
  {
    name: 'an approval',
    answer: deploy,
    play: async (simulation) => {
      await say(simulation, 1, 'deploy now');
      await simulation.drain();
      await approve(simulation, 'tg-1-1');
    },
    sent: [
      /waits for your yes/,
      /It is being done\.$/m,
      /^webhook /,
      / Approved: Call the webhook deploys: ref “main”$/,
      / Done\.$/m,
      / That is how it went\.$/,
    ],
  },
  {
    name: 'a run of a runbook, approved as a whole',
    answer: (prompt) =>
      lastText(prompt).includes('start it')
        ? callTool('run-runbook', { runbook: 'test', text: RUNBOOK, approveWhole: true })
        : { content: 'It runs.', usage },
    play: async (simulation) => {
      await say(simulation, 1, 'start it');
      await simulation.drain();
      await approve(simulation, 'tg-1-1');
    },
    sent: [
      /waits for your yes/,
      /It is being done\.$/m,
      / Approved: Run the runbook test$/,
      / Done\.$/m,
      /^webhook home\/run-/,
      / It runs\.$/,
      / Deployed\.$/,
      / The runbook test is done: 2 steps\.$/,
    ],
  },
  {
    name: 'a recording that costs less than was reserved, and an album',
    hasFiles: true,
    answer: () => ({ content: 'Yes', usage }),
    play: async (simulation) => {
      await acceptFile(simulation, SPACE, 1, VOICE);
      await simulation.drain();
      for (const [id, photo] of [PHOTO, OTHER_PHOTO].entries())
        await acceptFile(simulation, SPACE, 2 + id, photo, { message: id, album: '77' });
      await simulation.drain();
    },
    sent: [
      / I heard: “buy milk”$/,
      /tg-1-1\/1#0 Yes\n\n\(Nothing was sent, booked or saved in this turn\.\)$/,
      /tg-1-2\/1#0 Yes$/,
    ],
  },
  {
    name: 'the heartbeat, which takes up what was left and ends an approval nobody gave',
    answer: deploy,
    play: async (simulation) => {
      await say(simulation, 1, 'deploy now');
      simulation.loseQueues();
      simulation.advance(2 * MINUTE);
      await simulation.sweep();
      await simulation.drain();
      simulation.advance(APPROVAL_TTL_MS + MINUTE);
      await simulation.sweep();
      await simulation.drain();
      await simulation.sweep();
    },
    sent: [
      /waits for your yes/,
      /expired/i,
      / That is how it went\.\n\n\(Nothing was sent, booked or saved in this turn\.\)$/,
    ],
  },
];

const emptyTable = async (): Promise<void> => {
  for (const { pk, sk } of await scanTable(dynamo))
    await dynamo.client.send(new DeleteItemCommand({ TableName: dynamo.tableName, Key: marshall({ pk, sk }) }));
};

const nameOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** Everything stored, in the order of the keys. */
const readTable = async (): Promise<readonly Item[]> =>
  [...(await scanTable(dynamo))].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

const play = async (story: Story, table: Table) => {
  await emptyTable();
  const files = story.hasFiles === true ? buildAttachmentWorld().options : undefined;
  const simulation = buildSimulation({
    table,
    space: SPACE,
    answer: story.answer,
    webhookUrls: { deploys: 'https://deploys.example/hook' },
    outside: ({ target }) =>
      target === 'webhook'
        ? { state: 'done', output: '{"status":200}', origin: 'outside' }
        : { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' },
    ...files,
    variables: { ...files?.variables, ...providersOf({ ...SEEING, prices: { prompt: 1, completion: 2 } }) },
  });
  await story.play(simulation);
  const sent = simulation.sent.map(({ target, text, effectId }) => `${target} ${effectId} ${text}`);
  return { sent, items: await readTable(), queue: simulation.queue.length, modelCalls: simulation.modelCalls() };
};

describe.each(stories)('every answer of the database lost in turn: $name', (story) => {
  it('goes as if nothing had happened', async () => {
    const sure = await play(story, dynamo.table);
    expect(sure.sent).toStrictEqual(story.sent.map((text) => expect.stringMatching(text)));
    expect(sure.items.filter(({ state }) => state === 'unknown')).toStrictEqual([]);
    expect(sure.items.find(({ sk }) => sk === 'day')?.usd).toBeGreaterThan(0);
    for (let k = 0; ; k += 1) {
      if (!isSampled(story.name, k)) continue;
      proxy.lose(losingWrite(k));
      const lossy = await play(story, lossyTable);
      if (proxy.lost().length === 0) {
        // As many writes as a story has at least; fewer would mean that this proxy lost nothing.
        expect(k).toBeGreaterThan(10);
        return;
      }
      expect({ k, SEED, ...lossy }).toStrictEqual({ k, SEED, ...sure });
    }
  });
});

/** Longer than the client's own tries. */
const OUTAGE_MS = 2_500;

/** From the k-th write on, and for some seconds, no answer of the database arrives. */
const losingAllFrom = (k: number): Loses => {
  const isFirst = losingWrite(k);
  let endsAt: number | undefined;
  return async (action, n) => {
    if (await isFirst(action, n)) endsAt = Date.now() + OUTAGE_MS;
    return endsAt !== undefined && Date.now() < endsAt;
  };
};

describe('an outage of the database, begun with a lost answer', () => {
  it('repeats nothing and leaves nothing unknown, at whichever write it begins', async () => {
    for (let k = 0; ; k += 1) {
      if (!isSampled('outage', k)) continue;
      await emptyTable();
      proxy.lose(losingAllFrom(k));
      const simulation = buildSimulation({
        table: newLossyTable(),
        space: SPACE,
        answer: () => ({ content: 'Hello' }),
      });
      await insist(() => say(simulation, 1, 'hi'));
      await insist(() => simulation.drain());
      const { record, effects } = await evidenceOf(dynamo.table, SPACE, 'tg-1-1');
      expect({ k, state: record?.state, effects: effects.map(({ state }) => state) }).toStrictEqual({
        k,
        state: 'acted',
        effects: ['done'],
      });
      expect(simulation.sent.map(({ text }) => text)).toStrictEqual(['Hello']);
      if (proxy.lost().length === 0) {
        expect(k).toBeGreaterThan(5);
        return;
      }
    }
  });
});

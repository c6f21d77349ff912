/**
 * The process dies at every single step of reading a file: of its fetching, storing, reading or
 * transcription, and of every write around it. Nothing is answered twice or not at all, no bytes
 * are left behind, and the money is what was reserved or what it came to.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import { evidenceOf } from '../../flow/adversity-world.ts';
import {
  acceptFile,
  buildAttachmentWorld,
  COST,
  hashOf,
  OTHER_PHOTO,
  PDF,
  PHOTO,
  RESERVED,
  VOICE,
} from '../../flow/attachment-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { atStep, sampleSteps } from '../../support/sample.ts';
import { buildSimulation, Crash, type Simulation } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

type Files = ReturnType<typeof buildAttachmentWorld>;
interface End {
  readonly space: string;
  readonly simulation: Simulation;
  readonly files: Files;
  readonly prompts: readonly Prompt[];
}
interface Story {
  readonly name: string;
  readonly play: (simulation: Simulation, space: string) => Promise<unknown>;
  readonly check: (end: End) => Promise<void> | void;
}

const spentOf = async (space: string): Promise<number> => {
  const page = await dynamo.table.query({ pk: `spend#${space}#2026-09-21` });
  return Number(page.items[0]?.usd ?? 0);
};
/** What the recording says is an order, and its turn does nothing. */
const ANSWERS = ['Yes', 'Yes\n\n(Nothing was sent, booked or saved in this turn.)'];
const repliesOf = ({ simulation }: End) => simulation.sent.filter(({ text = '' }) => ANSWERS.includes(text));
/** One reply, or a person is shown that nobody knows. */
const isAnswered = async (end: End, id: string): Promise<void> => {
  const { record, effects } = await evidenceOf(dynamo.table, end.space, id);
  expect(record?.state).toBe('acted');
  const replies = repliesOf(end).filter(({ effectId }) => effectId === `${end.space}/${id}#0`);
  if (effects[0]?.state === 'done') expect(replies).toHaveLength(1);
  else expect(effects[0]?.state).toBe('unknown');
};

const stories: readonly Story[] = [
  {
    name: 'a recording',
    play: (simulation, space) => acceptFile(simulation, space, 1, VOICE),
    check: async (end) => {
      await isAnswered(end, 'tg-1-1/1');
      expect(end.files.asked.transcriptions).toBeLessThanOrEqual(1 + end.simulation.crashes.length);
      expect(end.prompts.every(({ messages }) => JSON.stringify(messages).includes('buy milk'))).toBe(true);
      // What may have been billed for a request that nobody knows the end of stays reserved.
      const [{ costUsd } = {}] = (await evidenceOf(dynamo.table, end.space, 'tg-1-1')).effects;
      const spent = await spentOf(end.space);
      expect(spent).toBe(costUsd);
      if (end.simulation.crashes.length === 0) expect(spent).toBe(COST);
      else expect([COST, RESERVED]).toContain(spent);
    },
  },
  {
    name: 'a document',
    play: (simulation, space) => acceptFile(simulation, space, 1, PDF),
    check: async (end) => {
      await isAnswered(end, 'tg-1-1/1');
      expect(JSON.stringify(end.prompts.at(-1)?.messages)).toContain('the report');
      expect([...end.files.stored.keys()]).toStrictEqual([hashOf('pdf')]);
    },
  },
  {
    name: 'an album of two pictures',
    play: async (simulation, space) => {
      await acceptFile(simulation, space, 1, PHOTO, { message: 1, album: '77' });
      await acceptFile(simulation, space, 2, OTHER_PHOTO, { message: 2, album: '77' });
    },
    check: async (end) => {
      const { record } = await evidenceOf(dynamo.table, end.space, 'tg-1-2');
      await isAnswered(end, 'tg-1-1/1');
      const isOne = record?.state === 'dropped';
      if (!isOne) await isAnswered(end, 'tg-1-2/1');
      if (end.simulation.crashes.length === 0) expect(isOne).toBe(true);
      const [photo, other] = [hashOf('photo'), hashOf('other')];
      const shown = end.prompts.map(({ messages }) =>
        messages
          .flatMap((message) => (message.role === 'user' ? (message.pictures ?? []) : []))
          .map(({ hash }) => hash),
      );
      const turns = [...new Set(shown.map(String))].sort();
      expect(turns).toStrictEqual((isOne ? [[photo, other].join()] : [photo, other]).sort());
      expect([...end.files.stored.keys()].sort()).toStrictEqual([photo, other].sort());
    },
  },
];

const orCrash = (sweeping: Promise<unknown>) =>
  sweeping.catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });

const run = async (story: Story, k: number, losesQueues: boolean): Promise<number> => {
  const space = `s${randomBytes(6).toString('hex')}`;
  const files = buildAttachmentWorld();
  const prompts: Prompt[] = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    ...files.options,
    answer: (prompt) => {
      prompts.push(prompt);
      return { content: 'Yes' };
    },
  });
  simulation.crashAt(k);
  await story.play(simulation, space);
  if (losesQueues) {
    while (simulation.queue.length > 0 && simulation.crashes.length === 0) await simulation.deliverNext();
    simulation.loseQueues();
    await orCrash(simulation.sweep(true));
  }
  for (let round = 0; round < 6; round += 1) {
    await simulation.drain();
    simulation.advance(6 * 60_000);
    await orCrash(simulation.sweep());
  }
  const ids = simulation.sent.map(({ effectId }) => effectId);
  expect(ids).toStrictEqual([...new Set(ids)]);
  await story.check({ space, simulation, files, prompts });
  return simulation.operations();
};

describe.each(stories)('crash at every step: $name', (story) => {
  it.each([
    ['and the queues go on', false],
    ['and the queues are lost', true],
  ] as const)('is read and answered once when the process dies after any operation, %s', async (_name, losesQueues) => {
    const steps = await run(story, Number.POSITIVE_INFINITY, losesQueues);
    for (const k of sampleSteps(`${story.name} ${losesQueues}`, 1, steps))
      await atStep(k, () => run(story, k, losesQueues));
  });
});

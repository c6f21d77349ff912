/**
 * Forgetting while a turn runs that is shown the note: whichever of the turn's operations the
 * forgetting comes after, and whichever of the forgetting's operations the turn comes after, at the
 * end no item of the table holds the words, and an export of the log is verified. An answer that
 * was not given yet is not given: its person is told to ask again.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { commitKeys } from '../../../lib/core/memory/keys.ts';
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import { buildLogWorld, keyOf } from '../../core/log/log-world.ts';
import { watchTable } from '../../core/log/watched-table.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { sampleSteps } from '../../support/sample.ts';
import { findWords } from '../../support/scan.ts';
import { type Answer, buildSimulation, ownerMessage, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const SECRET = 'the violet heron nests behind the mill';
const TOLD = `You told me: ${SECRET}.`;

const fromPrompt = (prompt: Prompt): Answer => ({
  content: JSON.stringify(prompt.messages).includes(SECRET) ? TOLD : 'I do not know.',
});

const RECALL = { query: 'violet heron', explanation: 'the owner asked where it nests' };
const recallFirst = (prompt: Prompt): Answer =>
  prompt.messages.some(({ role }) => role === 'tool')
    ? fromPrompt(prompt)
    : { toolCalls: [{ id: 'c1', name: 'recall', argumentsText: JSON.stringify(RECALL) }] };

type Who = 'turn' | 'forgetting';

/** Both run; the other one right after the k-th operation of `first`. */
const interleave = async (k: number, first: Who, answer = fromPrompt) => {
  let operations = 0;
  let isCounting = false;
  let meanwhile: () => Promise<void> = () => Promise.resolve();
  const table = watchTable(dynamo.table, async () => {
    if (!isCounting) return;
    operations += 1;
    if (operations === k) await meanwhile();
  });
  const log = buildLogWorld(dynamo, { table, answer });
  const other = buildSimulation({ table: dynamo.table, space: log.space, answer });
  const [turning, forgetting] = first === 'turn' ? [log.simulation, other] : [other, log.simulation];
  const command = async (n: number, name: string, rest: string): Promise<void> => {
    const payload = { sensor: 'command', name, rest } as const;
    await forgetting.accept(signalWith(log.space, `tg-1-${n}`, payload, '8', forgetting.now()));
    await forgetting.drain();
  };
  await command(1, 'remember', SECRET);
  const id = (await log.memory.list({ limit: 1 })).objects[0]?.id ?? '';
  const ask = async (): Promise<void> => {
    await turning.accept(ownerMessage(log.space, 90, 'where does the violet heron nest?', '7', turning.now()));
    await turning.drain();
  };
  const forget = (): Promise<void> => command(2, 'forget', id);
  meanwhile = first === 'turn' ? forget : ask;
  isCounting = true;
  await (first === 'turn' ? ask() : forget());
  isCounting = false;
  await log.run();
  const holding = (await findWords(dynamo, log.space, SECRET)).map((name) => name.replaceAll(log.space, 'space'));
  const said = turning.sent.filter(({ to }) => to === '7').map(({ text }) => text);
  return { operations, holding, said, verified: await log.verify({ key: keyOf(log.space) }) };
};

const CLEAN = { holding: [], verified: { status: 'verified' } };

describe('forgetting while a turn runs that is shown the note', () => {
  it('leaves no word, whichever operation of the turn it comes after, and nothing unanswered', async () => {
    const { operations, said } = await interleave(Number.POSITIVE_INFINITY, 'turn');
    expect(said).toStrictEqual([TOLD]);
    const answers = new Set<string>();
    for (let k = 1; k <= operations; k += 1) {
      const found = await interleave(k, 'turn');
      expect({ k, ...found }).toMatchObject({ k, ...CLEAN });
      expect(found.said).toHaveLength(1);
      answers.add(found.said[0]?.replace(/ Details: .*/, '') ?? '');
    }
    expect([...answers]).toStrictEqual([
      'I do not know.',
      'Something my answer was based on has been forgotten meanwhile, so I did not give it. Please ask again.',
      TOLD,
    ]);
  });

  it('leaves no word, whichever operation of the forgetting the turn comes after', async () => {
    const { operations } = await interleave(Number.POSITIVE_INFINITY, 'forgetting');
    for (const k of sampleSteps('forgetting', 1, operations)) {
      const found = await interleave(k, 'forgetting');
      expect({ k, ...found }).toMatchObject({ k, ...CLEAN });
    }
  });

  it('says nothing made from memory while it cannot be read where memory stands', async () => {
    let isBroken = false;
    const table = watchTable(dynamo.table, async () => {
      if (!isBroken) return;
      isBroken = false;
      await dynamo.table.update(commitKeys.head(log.space), { set: { number: 'many' } });
    });
    const log = buildLogWorld(dynamo, {
      table,
      answer: (prompt) => {
        isBroken = true;
        return fromPrompt(prompt);
      },
    });
    const { simulation, space } = log;
    const remember = { sensor: 'command', name: 'remember', rest: SECRET } as const;
    await simulation.accept(signalWith(space, 'tg-1-1', remember, '8', simulation.now()));
    await simulation.drain();
    await simulation.accept(ownerMessage(space, 90, 'where does the violet heron nest?', '7', simulation.now()));
    await expect(simulation.drain()).rejects.toThrow(`commit#${space} head: number`);
    expect(simulation.sent.filter(({ to }) => to === '7').map(({ text }) => text)).toStrictEqual([]);
  });

  it('leaves no word of what a tool showed either', async () => {
    const { operations, said } = await interleave(Number.POSITIVE_INFINITY, 'turn', recallFirst);
    expect(said).toStrictEqual([TOLD]);
    for (const k of sampleSteps('after a tool', 8, operations)) {
      const found = await interleave(k, 'turn', recallFirst);
      expect({ k, ...found }).toMatchObject({ k, ...CLEAN });
      expect(found.said).toHaveLength(1);
    }
  });
});

/**
 * A group that is closed between what was decided and what is done: Act reads the setting again,
 * and nothing of memory gets out.
 */
import { afterAll, expect, it } from 'vitest';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import type { Signal } from '../../lib/core/signal/signal.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, signalWith } from '../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const GROUP = '-7003';
const SECRET = 'zanzibar-4711';
let spaces = 0;

/** @param text says in an answer what memory gave. */
const world = async (answersAtOnce: boolean) => {
  spaces += 1;
  const space = `between-${spaces}`;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) => {
      const found = JSON.stringify(prompt).match(/zanzibar-\d+/)?.[0];
      if (answersAtOnce || JSON.stringify(prompt).includes('"role":"tool"')) return { content: `It is ${found}.` };
      const args = JSON.stringify({ query: 'locker code', explanation: 'the owner asked for the code' });
      return { toolCalls: [{ id: 'c1', name: 'recall', argumentsText: args }] };
    },
  });
  const memory = buildMemory(dynamo.table, space);
  const by = { effectId: 'e', signalId: 'tg-1-0', actor: 'telegram:7', now: 1, nonce: '0'.repeat(32) };
  await memory.remember({ ...by, text: `the locker code is ${SECRET}`, tags: [], origin: 'owner' });
  let n = 0;
  const send = async (payload: Signal['payload'], chat = GROUP) => {
    n += 1;
    const signal = signalWith(space, `tg-1-${n}`, payload, chat, 1_790_000_000_000 + n);
    await simulation.accept({ ...signal, sender: { id: 'telegram:7', isApprover: true } });
  };
  const name = async (rest: string, chat = GROUP) => {
    await send({ sensor: 'command', name: 'memory', rest }, chat);
    await simulation.drain();
  };
  await name('open');
  await send({ sensor: 'chat-message', text: [{ text: 'what is the locker code?', origin: 'owner' }] });
  return { simulation, name };
};

/** Delivers until Act is to do something of the model's. */
const toAct = async ({ simulation }: Awaited<ReturnType<typeof world>>) => {
  while (simulation.queue[0]?.stage !== 'act') await simulation.deliverNext();
  return simulation.queue.splice(0);
};

it.each([
  ['a reply from what the prompt showed', true],
  ['a call of recall', false],
])('%s is not done in a group that was closed since', async (_name, answersAtOnce) => {
  const closed = await world(answersAtOnce);
  const held = await toAct(closed);
  await closed.name(`close ${GROUP}`, '7');
  closed.simulation.queue.push(...held);
  await closed.simulation.drain();
  const texts = (list: typeof closed.simulation.sent) => list.filter(({ to }) => to === GROUP).map(({ text }) => text);
  expect(texts(closed.simulation.sent).join('\n')).not.toContain(SECRET);
  const open = await world(answersAtOnce);
  open.simulation.queue.push(...(await toAct(open)));
  await open.simulation.drain();
  expect(texts(open.simulation.sent).at(-1)).toBe(`It is ${SECRET}.`);
});

it.each([
  ['is said without a question if nothing was read', false, ['Noted.']],
  ['asks in private if the prompt showed other notes', true, [expect.stringContaining('asked for a yes in private')]],
])('what was just remembered in a group that asks %s', async (_name, hasNotes, said) => {
  spaces += 1;
  const space = `between-${spaces}`;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) => {
      if (JSON.stringify(prompt).includes('"role":"tool"')) return { content: 'Noted.' };
      const args = JSON.stringify({ text: 'the group likes tea', explanation: 'the owner asked to keep it' });
      return { toolCalls: [{ id: 'c1', name: 'remember', argumentsText: args }] };
    },
  });
  const by = { effectId: 'e', signalId: 'tg-1-0', actor: 'telegram:7', now: 1, nonce: '0'.repeat(32) };
  if (hasNotes)
    await buildMemory(dynamo.table, space).remember({
      ...by,
      text: 'the group likes tea, too',
      tags: [],
      origin: 'owner',
    });
  const send = async (id: string, payload: Signal['payload'], at: number) => {
    const signal = signalWith(space, id, payload, GROUP, 1_790_000_000_000 + at);
    await simulation.accept({ ...signal, sender: { id: 'telegram:7', isApprover: true } });
    await simulation.drain();
  };
  await send('tg-1-1', { sensor: 'command', name: 'memory', rest: 'ask' }, 1);
  const before = simulation.sent.length;
  const text = [{ text: 'remember that the group likes tea', origin: 'owner' }] as const;
  await send('tg-1-2', { sensor: 'chat-message', text: [...text] }, 2);
  const toGroup = simulation.sent.slice(before).filter(({ to }) => to === GROUP);
  expect(toGroup.map((one) => one.text)).toStrictEqual(said);
});

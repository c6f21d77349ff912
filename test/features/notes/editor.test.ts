/** What an editor sends, if it means nothing. */
import { afterAll, expect, it } from 'vitest';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { loadItem } from '../../../lib/core/store/load-named.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { buildSimulation, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

it.each([
  [{ sensor: 'buffer-update', tree: { type: 'headline' } }, 'That tree has no form I know; nothing was changed.'],
  [
    { sensor: 'point-update', objectId: 'x' },
    'Nothing was changed: name an object by its id, or an active project by its title.',
  ],
] as const)('says what is wrong with %j, without a model call', async (payload, said) => {
  const space = `editor-${payload.sensor}`;
  const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'no' }) });
  await simulation.accept(signalWith(space, 'edit-1', payload));
  await simulation.drain();
  expect(simulation.sent.map(({ text }) => text)).toStrictEqual([said]);
  expect(await loadItem(dynamo.table, signalKeys.record(space, 'edit-1'))).toMatchObject({ state: 'acted' });
  expect(simulation.modelCalls()).toBe(0);
});

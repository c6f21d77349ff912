import { expect, it } from 'vitest';
import { WINGS } from '../../lib/wings/wings.ts';

it.each(WINGS)('$name: each listed operation has one handler, and no handler is of an unlisted one', async (wing) => {
  const handled = (await wing.loadHandlers()).map(({ operation }) => operation.name);
  expect(handled.sort()).toStrictEqual(wing.operations.map(({ name }) => name).sort());
});

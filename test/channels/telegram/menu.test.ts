import { expect, it } from 'vitest';
import { menuFor } from '../../../lib/channels/telegram/menu.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { SUMMARIES_GERMAN } from '../../../lib/operations/summaries-german.ts';

it('says in German what each command of the menu does, and of no other', () => {
  const commands = menuFor(FEATURES, 'approver').map(({ command }) => command);
  expect(Object.keys(SUMMARIES_GERMAN).toSorted()).toStrictEqual(commands.toSorted());
  expect(Object.values(SUMMARIES_GERMAN).filter((text) => text.length > 256)).toStrictEqual([]);
});

import { expect, it } from 'vitest';
import { menuFor } from '../../../lib/channels/telegram/menu.ts';
import { MENU_GERMAN } from '../../../lib/channels/telegram/menu-german.ts';
import { WINGS } from '../../../lib/wings/wings.ts';

it('says in German what each command of the menu does, and of no other', () => {
  const commands = menuFor(WINGS, 'approver').map(({ command }) => command);
  expect(Object.keys(MENU_GERMAN).toSorted()).toStrictEqual(commands.toSorted());
  expect(Object.values(MENU_GERMAN).filter((text) => text.length > 256)).toStrictEqual([]);
});

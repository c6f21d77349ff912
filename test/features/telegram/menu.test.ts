import { expect, it } from 'vitest';
import { inGerman } from '../../../lib/core/language/stored-german.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { menuFor } from '../../../lib/features/telegram/menu.ts';

it('says in German what each command of the menu does', () => {
  const menu = menuFor(FEATURES, 'approver').map(({ description }) => ({ description, said: inGerman(description) }));
  expect(menu.length).toBeGreaterThan(40);
  const missing = menu.filter(({ description, said }) => said === description);
  expect(missing, 'each needs a row in lib/core/language/verbs-german.ts').toStrictEqual([]);
  expect(menu.filter(({ said }) => said.length > 256)).toStrictEqual([]);
});

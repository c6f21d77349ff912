import { expect, it } from 'vitest';
import { FEATURES } from '../../lib/features/features.ts';

it.each(FEATURES)(
  '$name: each listed operation has one handler, and no handler is of an unlisted one',
  async (feature) => {
    const handled = (await feature.loadHandlers()).map(({ operation }) => operation.name);
    expect(handled.sort()).toStrictEqual(feature.operations.map(({ name }) => name).sort());
  },
);

import { expect, it } from 'vitest';
import { FEATURES } from '../../../lib/features/features.ts';

it.each(FEATURES)(
  '$name: each listed operation has one handler, and no handler is of an unlisted one',
  async (feature) => {
    const handled = (await feature.loadHandlers()).map(({ operation }) => operation.name);
    const advice = `each operation needs one look(…) or change(…) in the handlers of the feature ${feature.name}`;
    expect(handled.sort(), advice).toStrictEqual(feature.operations.map(({ name }) => name).sort());
  },
);

/** The part of tending in Act: up to where the Scribe has come. */
import * as z from 'zod/mini';
import { commitKeys } from '../../core/memory/keys.ts';
import type { ActFeature, PowerContext } from '../../core/operations/act-feature.ts';
import { absent, anyOf, below } from '../../core/store/condition.ts';
import type { Key } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import { updateIf } from '../../core/store/update-if.ts';

/** It is no memory object: no rollback moves it back. */
const scribedKey = (space: string): Key => ({ pk: commitKeys.partition(space), sk: 'scribed' });
const Scribed = z.object({ schemaVersion: z.literal(1), until: z.int() });

export const actTending = {
  buildPowers: ({ table, space }: Pick<PowerContext, 'table' | 'space'>) => ({
    tending: {
      loadScribed: async () => {
        const item = await loadItem(table, scribedKey(space));
        return item === undefined ? undefined : parseStored(item, Scribed).until;
      },
      saveScribed: async (until: number) => {
        const isLater = { name: 'no later turn was scribed', holds: anyOf(absent('until'), below('until', until)) };
        await updateIf(table, scribedKey(space), { set: { schemaVersion: 1, until } }, isLater);
      },
    },
  }),
} satisfies ActFeature;

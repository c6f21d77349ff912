/**
 * Memory of one space for whoever may only look: the same reads as `buildMemory` gives, without any code that writes (I2). Keep it
 * for as long as the process lives: it holds a view that later calls move on. Errors are those of `memory.ts`.
 */
import { buildMemoryHistory, type MemoryHistory } from './history.ts';
import { buildLookBack, type LookBack } from './look-back.ts';
import type { Memory } from './memory.ts';
import { buildReader, type ReadTable } from './read.ts';
import { buildRecall } from './recall.ts';
import { buildLoadView, type MemoryView } from './view.ts';

export interface ReadMemory extends LookBack, MemoryHistory, Pick<Memory, 'recall' | 'load'> {
  readonly view: () => Promise<MemoryView>;
}

export const buildReadMemory = (table: ReadTable, space: string): ReadMemory => {
  const reader = buildReader(table, space);
  const view = buildLoadView(reader);
  const { planOn: _, ...look } = buildLookBack({ table, space, reader });
  return {
    ...buildMemoryHistory({ table, space, reader, view }),
    ...look,
    view,
    load: async (id) => {
      const { number } = await reader.loadHead();
      const object = (await reader.loadMany([id], number)).get(id);
      return object?.state === 'removed' ? undefined : object;
    },
    recall: buildRecall(view, Date.now),
  };
};

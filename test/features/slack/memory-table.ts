/** Rows that outlive a sender, as a table's do. */
import type { SenderParts } from '../../../lib/core/channels/channel.ts';
import type { Key } from '../../../lib/core/store/keys.ts';
import type { Item } from '../../../lib/core/store/table.ts';

export const memoryTable = (): Pick<SenderParts['table'], 'put' | 'load'> => {
  const rows = new Map<string, Item>();
  const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;
  return {
    put: async (key, item) => void rows.set(nameOf(key), { ...key, ...item }),
    load: async (keys) => keys.map((key) => rows.get(nameOf(key))),
  };
};

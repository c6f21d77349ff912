/**
 * Kinds of events that came when no job waited for them: the owner is told of the first of each
 * kind, and asked what shall become of the next ones. One item a source.
 */
import { createHash } from 'node:crypto';
import type { Signal } from '../signal/signal.ts';
import type { Table } from '../store/table.ts';

/** Kinds told of one source, for good: a sender that makes up names soon says nothing new. */
const KINDS_MAX = 256;

const numberOf = (event: string): number => createHash('sha256').update(event).digest().readUInt16BE() % KINDS_MAX;

/** True for the first event of a kind, also if asked again about it. */
export const isFirstOfKind = async (
  table: Pick<Table, 'update'>,
  { space, id }: Pick<Signal, 'space' | 'id'>,
  source: string,
  event: string,
): Promise<boolean> => {
  const kind = `kind_${numberOf(event)}`;
  const item = await table.update(
    { pk: `quota#${space}#kinds#${source}`, sk: 'all' },
    { set: { schemaVersion: 1 }, setOnce: { [kind]: id } },
  );
  return item[kind] === id;
};

/** The code of `after.ts`, loaded when a machine refused a call. */
import type { Table } from '../../core/store/table.ts';
import { noteOffers } from './machines.ts';
import { buildMcpStore } from './servers.ts';

export const noteMachineOffers = (table: Table, space: string): Promise<void> =>
  noteOffers(table, space, buildMcpStore(table, space));

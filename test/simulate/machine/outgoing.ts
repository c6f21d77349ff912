/** Outgoing HTTP over the world's wire, in place of sockets and name servers. */
import type { OutgoingFetch } from '../../../lib/core/http/outgoing.ts';
import { fetchOverWire } from './machine.ts';
import { setTimeout } from './sleep.ts';

export const buildOutgoingFetch = (): OutgoingFetch => fetchOverWire;

/** Name servers answer at once from their cache, or ask others. */
const RESOLVED_MS = [20, 20, 20, 2_500] as const;

/** A public address, as the gates want it. */
export const resolveAddresses = async (): Promise<readonly string[]> => {
  const slowest = RESOLVED_MS[Math.floor(Math.random() * RESOLVED_MS.length)] ?? 0;
  await setTimeout(1 + Math.random() * slowest);
  return ['93.184.215.14'];
};

/** Outgoing HTTP over the world's wire, in place of sockets and name servers. */
import type { OutgoingFetch } from '../../../lib/http/outgoing.ts';
import { fetchOverWire } from './machine.ts';

export const buildOutgoingFetch = (): OutgoingFetch => fetchOverWire;

/** A public address, as the gates want it. */
export const resolveAddresses = async (): Promise<readonly string[]> => ['93.184.215.14'];

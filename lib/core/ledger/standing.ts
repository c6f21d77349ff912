/** How much the words of a person or program count for, from who authenticated them. Pure. */
import type { Standing } from '../gates/rules/access-table.ts';
import { askerOf } from '../signal/asker.ts';
import type { Signal } from '../signal/signal.ts';

export type { Standing } from '../gates/rules/access-table.ts';

/** The console is the owner's own door; untrusted scripts use another one. */
export const standingOf = (signal: Pick<Signal, 'source' | 'sender'>): Standing => {
  const asker = askerOf(signal);
  return asker === 'approver' || asker === 'owner' ? asker : 'anyone';
};

/** True if STOP stops only its own conversation. */
export const stopsItsOwn = (signal: Pick<Signal, 'source' | 'sender'>): boolean => standingOf(signal) === 'anyone';

const RANK: Readonly<Record<Standing, number>> = { anyone: 0, owner: 1, approver: 2 };

export const reaches = (standing: Standing, needed: Standing): boolean => RANK[standing] >= RANK[needed];

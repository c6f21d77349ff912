/** The one answer to "may it?" for operations, in a chat and at every other door. Pure. */
import type { Standing } from '../gates/rules/access-table.ts';
import { reaches } from '../ledger/standing.ts';
import type { Operation } from './operation.ts';
import { operationsOf, usageOf } from './read-words.ts';

/** Whether words of this standing are enough for an operation. */
export const mayDo = (standing: Standing, { needs }: Operation): boolean => reaches(standing, needs);

/** Whether people type it; all others come from the console alone. */
export const isTyped = ({ doors }: Operation): boolean => doors?.includes('chat') ?? true;

/** The form of a noun by which this standing may look at something; undefined if there is none. */
export const shownBy = (all: readonly Operation[], noun: string, standing: Standing): string | undefined => {
  const found = operationsOf(all, noun).find(
    (one) => (one.kind === 'look' || one.isDefault === true) && mayDo(standing, one),
  );
  return found === undefined ? undefined : `/${usageOf(found)}`;
};

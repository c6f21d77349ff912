/** Whether the same action was refused or denied before. */
import { deniedHash } from '../../ledger/session-controls.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import type { FactSources } from '../fact-sources.ts';

const NONE: ReadonlySet<string> = new Set();

export const gatherRepeat = (
  action: Action,
  { refused: { refusedHashes = NONE, deniedHashes = NONE } = {} }: Pick<FactSources, 'refused'>,
  { actionHash }: Facts,
): Pick<Facts, 'isRefusedBefore' | 'isDeniedBefore'> => ({
  isRefusedBefore: refusedHashes.has(actionHash),
  isDeniedBefore: deniedHashes.size > 0 && deniedHashes.has(deniedHash(action)),
});

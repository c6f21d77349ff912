/** Facts that a caller knows as they are: stops, bounds, bills, votes and consent. */
import { defined } from '../../base/defined.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import type { FactSources } from '../fact-sources.ts';

type Given = 'isStopped' | 'flood' | 'privacyTags' | 'budget' | 'approval' | 'grant' | 'consensus';

export const gatherGiven = (
  action: Action,
  {
    setup = {},
    state,
    refused = {},
    budgetOf,
    consensus,
    consent = {},
  }: Pick<FactSources, 'setup' | 'state' | 'refused' | 'budgetOf' | 'consensus' | 'consent'>,
): Pick<Facts, Given> => ({
  isStopped: state.isStopped ?? false,
  flood: refused.flood ?? null,
  privacyTags: [...(setup.privacyTags ?? [])],
  budget: budgetOf?.(action) ?? null,
  approval: consent.approval ?? null,
  ...defined({
    grant: consent.grantFor?.(action),
    consensus: action.author === 'model' ? consensus : undefined,
  }),
});

/** The check of `doctor` for the search service of this machine's settings. */
import { type FeatureCheck, MENDS, mendOfStep, ok, wrong } from '../../cli/doctor/check.ts';
import { readVariables } from '../../cli/stack.ts';
import { trySearch } from './try-search.ts';

export const checkSearch: FeatureCheck = async ({ env, folder, text }) => {
  const found = text('stack') === undefined ? await trySearch(readVariables(env, folder)) : undefined;
  if (found === undefined) return [];
  const { line, fault } = found;
  if (fault === undefined) return [ok('search', line)];
  return [wrong('search', line, fault.isKey ? mendOfStep('search') : fault.passes ? MENDS.peer : MENDS.endpoint)];
};

/** The step of the set-up for the key of the search service that `SEARCH` names. */
import { fine, refused, type Step, wrong } from '../../cli/setup/step.ts';
import { trySearch } from './try-search.ts';

export const searchStep: Step = {
  name: 'search',
  title: 'The service that searches the web',
  ask: async (questions, { SEARCH: service }) => {
    if (!service) return undefined;
    const key = await questions.askSecret(`SEARCH_API_KEY for ${service}; empty leaves it (not shown)`);
    return key === '' ? undefined : { SEARCH_API_KEY: key };
  },
  check: async (variables) => {
    const found = await trySearch(variables);
    if (found === undefined) return fine('None is set. SEARCH names one.');
    const { line, fault } = found;
    return (fault === undefined ? fine : fault.isKey ? refused : wrong)(`${line}.`);
  },
};

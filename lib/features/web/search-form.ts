/** The arguments of a search: the service is the one that the settings name (I4). */
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import type { FormContext, ToolForm } from '../../core/tools/tool.ts';
import { findService } from './search-services.ts';
import { searchTool } from './tools.ts';

const titleIn = ({ services = {} }: Pick<FormContext, 'services'>): string =>
  findService(services[searchTool.name] ?? '')?.title ?? '';

export const SEARCH_FORM: ToolForm = {
  complete: async (args, context) => ({ ...args, service: titleIn(context) }),
  findProblems: async (args, context) => {
    const title = titleIn(context);
    if (title === '') return ['no search service is set; SEARCH names one'];
    // A yes is for the service on its card.
    if (args.service !== title) return ['another search service was set since'];
    return argumentProblems(searchTool, args);
  },
  describe: async ({ query, service }) => [
    `Searches for: ${String(query)}`,
    `Asks: ${String(service)}`,
    'The service learns these words. What it answers is outside text.',
  ],
};

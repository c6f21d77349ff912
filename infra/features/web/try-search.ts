/** Whether the search service of the settings takes its key. It is asked nothing that costs. */
import type { Variables } from '../../../lib/core/store/settings.ts';
import { tryService } from '../../../lib/features/web/ask-service.ts';
import { findService } from '../../../lib/features/web/search-services.ts';
import { LOOK_TIMEOUT_MS } from '../../reachability.ts';

/** @returns undefined if no service is set */
export const trySearch = async (variables: Variables) => {
  const service = findService(variables.SEARCH ?? '');
  if (service === undefined) return undefined;
  const fault = await tryService(service, variables.SEARCH_API_KEY ?? '', LOOK_TIMEOUT_MS);
  return { line: fault?.words ?? `${service.title} is reachable`, fault };
};

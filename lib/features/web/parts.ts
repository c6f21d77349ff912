/** All that the tools of the web load with their first call. */
import { FETCH_FORM, fetchPage } from './fetch-page.ts';
import { SEARCH_FORM } from './search-form.ts';

export const WEB_PARTS = { FETCH_FORM, fetchPage, SEARCH_FORM } as const;

/** Files and scripts of features for browsers. `bundling.ts` alone imports this list. */
import type { BrowserParts } from './bundling.ts';
import { PAGE_PARTS } from './features/page/parts.ts';

export const BROWSER_PARTS: readonly BrowserParts[] = [PAGE_PARTS];

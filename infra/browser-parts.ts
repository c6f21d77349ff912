/**
 * Files, scripts and texts of features that lie beside bundles. `bundling.ts` alone imports this
 * list.
 */
import type { BrowserParts, TextBeside } from './bundling.ts';
import { MANUAL_TEXT } from './features/manual/text.ts';
import { PAGE_PARTS } from './features/page/parts.ts';

export const BROWSER_PARTS: readonly BrowserParts[] = [PAGE_PARTS];
export const TEXTS_BESIDE: readonly TextBeside[] = [MANUAL_TEXT];

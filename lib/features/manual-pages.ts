/** The pages of the manual: a row for each feature that brings some. */
import type { ManualPage } from '../core/operations/manual-page.ts';

export const MANUAL_PAGES: readonly ManualPage[] = [];

/** The door of this function: one row at most. */

import { startResponses } from '../../lib/features/responses/start.ts';
import type { StartStreamed } from './start-streamed.ts';

export const STREAMED_DOORS: readonly StartStreamed[] = [startResponses];

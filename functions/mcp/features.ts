/** The door of this function: one row at most. */

import { startDoor } from '../../lib/features/door/start.ts';
import type { StartDoor } from './start-door.ts';

export const PROGRAM_DOORS: readonly StartDoor[] = [startDoor];

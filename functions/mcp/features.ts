/** The door of this function. */
import { startDoor } from '../../lib/features/door/start.ts';

export const PROGRAM_DOORS = [startDoor];

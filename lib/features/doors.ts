/** The doors of features for machines, behind one function: `/runner/<op>`. */
import type { MachineDoor } from '../core/operations/machine-door.ts';
import { runnerDoor } from './runner/door.ts';

export const MACHINE_DOORS: readonly MachineDoor[] = [runnerDoor];

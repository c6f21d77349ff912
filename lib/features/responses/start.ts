/** The door of a function whose answers are written while it runs. */
import { type DoorStart, reachOf } from '../door/ask-console.ts';
import { buildResponsesDoor, type Out } from './door.ts';

export const startResponses = (start: DoorStart): ((event: unknown, out: Out) => Promise<void>) =>
  buildResponsesDoor(reachOf(start));

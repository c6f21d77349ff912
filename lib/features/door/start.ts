/** The door of a function: tools of all operations, over the console that it may run. */
import type { HttpResponse } from '../../core/http/function-url.ts';
import type { Feature } from '../../core/operations/feature.ts';
import { type DoorStart, reachOf } from './ask-console.ts';
import { buildDoor } from './door.ts';
import { buildDoorTools } from './tools.ts';

export const startDoor = ({
  features,
  ...start
}: DoorStart & { readonly features: readonly Feature[] }): ((event: unknown) => Promise<HttpResponse>) =>
  buildDoor({ tools: buildDoorTools(features), ...reachOf(start) });

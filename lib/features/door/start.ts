/** The door of a function: tools of all operations, over the console that it may run. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../../core/http/function-url.ts';
import type { Feature } from '../../core/operations/feature.ts';
import { buildAskConsole } from './ask-console.ts';
import { buildDoor } from './door.ts';
import { buildDoorTools } from './tools.ts';

export interface DoorStart {
  readonly features: readonly Feature[];
  /** ARN of the console's alias. */
  readonly console: string;
  /** The page's address, which a deployed stack alone knows. */
  readonly page: string | undefined;
  /** Logs a failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}

export const startDoor = ({
  features,
  console,
  page,
  report,
}: DoorStart): ((event: unknown) => Promise<HttpResponse>) =>
  buildDoor({
    tools: buildDoorTools(features),
    askConsole: buildAskConsole(console),
    pageFor: (host) => page ?? `http://${host}/`,
    now: Date.now,
    sleep,
    newId: () => randomBytes(16).toString('hex'),
    report,
  });

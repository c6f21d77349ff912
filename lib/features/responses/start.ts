/** The door of a function whose answers are written while it runs. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildAskConsole } from '../door/ask-console.ts';
import { buildResponsesDoor, type Out } from './door.ts';

export interface ResponsesStart {
  /** ARN of the console's alias. */
  readonly console: string;
  /** The page's address, which a deployed stack alone knows. */
  readonly page: string | undefined;
  /** Logs a failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}

export const startResponses = ({
  console,
  page,
  report,
}: ResponsesStart): ((event: unknown, out: Out) => Promise<void>) =>
  buildResponsesDoor({
    askConsole: buildAskConsole(console),
    pageFor: (host) => page ?? `http://${host}/`,
    now: Date.now,
    sleep,
    newId: () => randomBytes(16).toString('hex'),
    report,
  });

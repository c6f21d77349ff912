/**
 * POST /api/stop and POST /api/resume → 202 {"id"}. A stop is in force before it is answered, whatever the queue does; a
 * resume is a signal like any other, decided by Perceive from who sent it.
 */

import type { HttpResponse } from '../http/function-url.ts';
import { consoleSignalId } from '../signal/ids.ts';
import type { Payload } from '../signal/signal.ts';
import { acceptInput } from './accept-input.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';

const acceptBare = (deps: ConsoleDeps, { role }: RouteCall, payload: Payload): Promise<HttpResponse> =>
  acceptInput(deps, {
    id: consoleSignalId(deps.newId()),
    session: 'console:main',
    replyTo: 'main',
    role,
    payload,
  });

export const postStop = (deps: ConsoleDeps, call: RouteCall): Promise<HttpResponse> =>
  acceptBare(deps, call, { sensor: 'interrupt' });

export const postResume = (deps: ConsoleDeps, call: RouteCall): Promise<HttpResponse> =>
  acceptBare(deps, call, { sensor: 'resume' });

/**
 * POST /api/stop and POST /api/resume {"session"?} → 202 {"id"}. A stop is in force before it is answered, whatever the queue
 * does; a resume is a signal like any other, decided by Perceive from who sent it: of the space, or of the one conversation
 * it names.
 */

import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { consoleSignalId } from '../../signal/ids.ts';
import { type Payload, SessionName } from '../../signal/signal.ts';
import type { HttpResponse } from '../function-url.ts';
import { acceptInput } from './accept-input.ts';
import type { ControlDeps, RouteCall } from './deps.ts';
import { parseBody } from './parse-body.ts';

const PostedResume = z.strictObject({ session: z.optional(SessionName) });

const acceptBare = (deps: ControlDeps, { caller }: RouteCall, payload: Payload): Promise<HttpResponse> =>
  acceptInput(deps, {
    id: consoleSignalId(deps.newId()),
    caller,
    conversation: 'main',
    payload,
  });

export const postStop = (deps: ControlDeps, call: RouteCall): Promise<HttpResponse> =>
  acceptBare(deps, call, { sensor: 'interrupt' });

export const postResume = (deps: ControlDeps, call: RouteCall): Promise<HttpResponse> => {
  const { session } = call.request.body.byteLength === 0 ? {} : parseBody(call.request, PostedResume);
  return acceptBare(deps, call, { sensor: 'resume', ...defined({ session }) });
};

/** Routes that only a local stack has, for approvers: those of features, and the inspection. */
import * as z from 'zod/mini';
import { findCaller } from '../../lib/core/edge/console/tokens.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import { INSPECT_PATH, type Inspection } from '../inspection.ts';
import type { LocalRoute } from './beside.ts';
import type { TablePlace } from './database.ts';
import type { Route } from './http-front.ts';

const Event = z.object({ requestContext: z.object({ http: z.object({ method: z.string() }) }) });

export const buildLocalRoute = (
  { prefix, answer }: LocalRoute,
  { APPROVER_TOKEN: approverToken }: Variables,
  place: TablePlace,
): Route => ({
  prefix,
  isPublic: false,
  isToken: (authorization) => findCaller(authorization, { approverToken, scripts: [] })?.kind === 'approver',
  invoke: async (event) => {
    const body = JSON.stringify(await answer(Event.parse(event).requestContext.http.method, place));
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
  },
});

export const inspectRoute = (look: () => Promise<Inspection>): LocalRoute => ({ prefix: INSPECT_PATH, answer: look });

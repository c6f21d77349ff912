/** Routes that only a local stack has, for approvers: copies of the table, and the inspection. */
import * as z from 'zod/mini';
import { findCaller } from '../../lib/core/edge/console/tokens.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import { COPY_PATH, WRITTEN_PATH } from '../backup/copy-state.ts';
import { INSPECT_PATH, type Inspection } from '../inspection.ts';
import type { TableCopier } from './copy-table.ts';
import type { Route } from './http-front.ts';

const Event = z.object({ requestContext: z.object({ http: z.object({ method: z.string() }) }) });

const buildLocalRoute = (
  prefix: string,
  { APPROVER_TOKEN: approverToken }: Variables,
  answer: (method: string) => object | Promise<object>,
): Route => ({
  prefix,
  isPublic: false,
  isToken: (authorization) => findCaller(authorization, { approverToken, scripts: [] })?.kind === 'approver',
  invoke: async (event) => {
    const body = JSON.stringify(await answer(Event.parse(event).requestContext.http.method));
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
  },
});

export const buildCopyRoute = (copier: TableCopier, variables: Variables): Route =>
  buildLocalRoute(COPY_PATH, variables, (method) => (method === 'POST' ? copier.begin() : copier.state()));

/** @param note stores the moment that the backup is of */
export const buildWrittenRoute = (
  copier: TableCopier,
  note: (at: number) => Promise<void>,
  variables: Variables,
): Route =>
  buildLocalRoute(WRITTEN_PATH, variables, async (method) => {
    const state = copier.state();
    if (method === 'POST' && state.state === 'done') await note(state.at);
    return {};
  });

export const buildInspectRoute = (look: () => Promise<Inspection>, variables: Variables): Route =>
  buildLocalRoute(INSPECT_PATH, variables, look);

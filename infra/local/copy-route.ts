/** `/api/local/copy`: POST begins a copy of the table, GET says how far it is. Approvers only. */
import * as z from 'zod/mini';
import { findCaller } from '../../lib/edge/console/tokens.ts';
import type { Variables } from '../../lib/store/settings.ts';
import { COPY_PATH } from '../backup/copy-state.ts';
import type { TableCopier } from './copy-table.ts';
import type { Route } from './http-front.ts';

const Event = z.object({ requestContext: z.object({ http: z.object({ method: z.string() }) }) });

export const buildCopyRoute = (copier: TableCopier, { APPROVER_TOKEN: approverToken }: Variables): Route => ({
  prefix: COPY_PATH,
  isPublic: false,
  isToken: (authorization) => findCaller(authorization, { approverToken, scripts: [] })?.kind === 'approver',
  invoke: async (event) => {
    const { method } = Event.parse(event).requestContext.http;
    const state = method === 'POST' ? copier.begin() : copier.state();
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(state) };
  },
});

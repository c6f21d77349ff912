/**
 * GET /api/grants → {"grants": […]}: standing yeses in force, longest first.
 * POST /api/grants {"approval","loosen"?,"count"?,"hours"?,"coversTaint"?,"anySession"?} and POST /api/grants/<id>/revoke →
 * 202 {"id"} of the signal that carries it: the pipeline decides, from who sent it. This function cannot write a grant.
 */

import { GrantWish } from '../../approvals/change-grant.ts';
import { describeGrant } from '../../approvals/describe-grant.ts';
import { loadGrants } from '../../approvals/find-grant.ts';
import { type Grant, isUsable } from '../../approvals/grant.ts';
import { defined } from '../../base/defined.ts';
import { consoleSignalId } from '../../signal/ids.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import { acceptInput } from './accept-input.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { parseBody } from './parse-body.ts';
import type { Caller } from './tokens.ts';

export interface GrantView {
  readonly id: string;
  /** Whole, in one line for a person. */
  readonly description: string;
  readonly target: string;
  readonly tool?: string;
  readonly uses: number;
  readonly usesMax: number;
  /** Epoch milliseconds, both. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly createdBy: string;
  readonly session?: string;
  readonly taintSource?: string;
}

/** Pure. */
export const buildGrantView = (grant: Grant): GrantView => ({
  id: grant.id,
  description: describeGrant(grant),
  target: grant.target,
  ...defined({ tool: grant.tool }),
  uses: grant.uses,
  usesMax: grant.usesMax,
  createdAt: grant.createdAt,
  expiresAt: grant.expiresAtMs,
  createdBy: grant.createdBy,
  ...defined({ session: grant.session, taintSource: grant.taintSource }),
});

export const listGrants = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const grants = await loadGrants(deps.table, deps.space);
  return respondJson(200, { grants: grants.filter((grant) => isUsable(grant, deps.now())).map(buildGrantView) });
};

const acceptCommand = (deps: ConsoleDeps, caller: Caller, name: string, rest: string): Promise<HttpResponse> =>
  acceptInput(deps, {
    id: consoleSignalId(deps.newId()),
    caller,
    conversation: 'main',
    payload: { sensor: 'command', name, rest },
  });

export const addGrant = (deps: ConsoleDeps, { request, caller }: RouteCall): Promise<HttpResponse> =>
  acceptCommand(deps, caller, 'grant-add', JSON.stringify(parseBody(request, GrantWish)));

export const revokeGrant = (deps: ConsoleDeps, { params, caller }: RouteCall): Promise<HttpResponse> =>
  acceptCommand(deps, caller, 'revoke', params[0] ?? '');

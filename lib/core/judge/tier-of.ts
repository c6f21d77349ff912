/** The permission of a call as the rules are now. Pure. */
import type { TierOf } from '../approvals/say-reach.ts';
import type { Action } from '../signal/action.ts';
import { findMcpTool, type McpCatalogue } from '../tools/mcp-catalogue.ts';
import { rulePermission } from './facts/permissions.ts';
import type { SpacePolicy, Vouched } from './space-policy.ts';

export interface Rules {
  readonly policy: SpacePolicy;
  readonly mcp: McpCatalogue;
}

/** The call that asks for permission. */
export interface TierMoment {
  readonly space: string;
  readonly now: number;
  readonly session: string;
}

/** Of the furthest that a call may come. */
const LEAST: Vouched = { recipient: '', amount: 0, url: '' };

/** As if the owner had asked for the call, and nothing had been done before. */
export const buildTierOf =
  (state: Rules, { space, now, session }: TierMoment): TierOf =>
  (tool, args, to) => {
    const place = to === undefined ? ({ target: 'tool' } as const) : ({ target: 'webhook', to } as const);
    const call: Action = { ...place, tool, args, explanation: '', author: 'model' };
    const passingRead = findMcpTool(state.mcp, tool)?.passes && { isOwnWords: true };
    const sources = {
      space,
      now,
      origin: 'owner',
      session,
      passingRead,
      past: 'none',
      vouched: LEAST,
      state,
    } as const;
    return rulePermission(call, false, sources).tier;
  };

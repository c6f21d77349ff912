/**
 * Commands that change something (`/remember …`, `/forget <id>`): read by code, at zero tokens, into exactly one action that
 * goes the way of every other: judged, stored with its trace, judged again and performed by Act. Its author is `owner`:
 * no model put it in words, and none can say so. Pure, but for judging.
 */

import type { JsonObject } from '../../base/json.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { decideByCode } from '../../judge/judge.ts';
import { standingOf } from '../../ledger/command-rights.ts';
import type { Action } from '../../signal/action.ts';
import { askerOf, type ChatMemory } from '../../signal/asker.ts';
import type { Decision, SeenObject } from '../../signal/decision.ts';
import type { Origin, Signal } from '../../signal/signal.ts';

/** A tool call a command stands for. */
export interface CommandCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** In place of the command's name: where no command was typed. */
  readonly explanation?: string;
  /** Memory objects its arguments tell of. */
  readonly seen?: readonly SeenObject[];
}

/** A command is the owner's own words only from the owner or an approver; other members of a group are outside (I13). */
export const commandOrigin = (signal: Pick<Signal, 'source' | 'sender'>): Origin =>
  standingOf(signal) === 'anyone' ? 'outside' : 'owner';

export const buildCommandAction = (name: string, { tool, args, explanation }: CommandCall): Action => ({
  target: 'tool',
  tool,
  args,
  explanation: explanation ?? `asked for with the command /${name}`,
  author: 'owner',
});

export interface CommandContext {
  readonly gateSet: GateSet;
  readonly now: number;
  readonly isStopped: boolean;
  readonly policyVersion: string;
  readonly chatMemory: ChatMemory;
}

/**
 * Decides on the one action of a command. The owner's policy is asked by Act, which alone loads its engine: what it
 * forbids is refused there, what it asks about is suspended there. What is blocked here is refused there, and told.
 */
export const buildCommandDecision = async (
  context: CommandContext,
  signal: Signal,
  name: string,
  call: CommandCall,
): Promise<Decision> => {
  const { gateSet, now, isStopped, policyVersion, chatMemory } = context;
  const decision = await decideByCode(
    gateSet,
    { signalId: signal.id, outcome: 'act', reason: '' },
    [buildCommandAction(name, call)],
    {
      stage: 'reason',
      now,
      space: signal.space,
      isStopped,
      reply: signal.reply,
      origin: commandOrigin(signal),
      policyVersion,
      session: signal.session,
      askedBy: askerOf(signal),
      chatMemory,
    },
  );
  return call.seen === undefined ? decision : { ...decision, seen: [...call.seen] };
};

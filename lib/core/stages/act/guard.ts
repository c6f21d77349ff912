/**
 * A guard looks at an action before it is performed: it refuses it, pays for it, or settles it
 * another way. Act knows no guard by name; its handler passes the list
 * (`functions/act/features.ts`).
 */
import type { Approval } from '../../approvals/approval.ts';
import type { FactSources } from '../../judge/fact-sources.ts';
import type { Before } from '../../judge/space-policy.ts';
import type { JudgedAction } from '../../signal/decision.ts';
import type { Write } from '../../store/table.ts';
import type { ActDeps, ActTurn, LoadedTask } from './act-context.ts';
import type { Settlement } from './claim.ts';

/** A guard's part of a claim: all of it is stored in the transaction of the claim. */
export interface Addition {
  readonly writes: readonly Write[];
  /** Price of the action, in micro-dollars. */
  readonly costUsd?: number;
  /** The claim itself settles the effect so: its actuator is not asked. */
  readonly settled?: Settlement;
  /** A later signal performs the settled action. */
  readonly isLater?: true;
}

/** Why the action is refused. */
export interface Problem {
  readonly problem: string;
}

/** An action that is about to be claimed. */
export interface Claiming {
  /** As the last mile judged it. */
  readonly judged: JudgedAction;
  readonly now: number;
  /** The addition of a guard before this one, if it settles the effect. */
  readonly settling: Addition | undefined;
}

interface GuardFacts extends Pick<FactSources, 'budgetOf'> {
  readonly before?: Before;
}

/** A guard's knowledge of one action. */
export interface Look {
  /** Why the action may be performed no more: it is refused, and not judged again. */
  readonly over?: string | undefined;
  /** For the gates. */
  readonly facts?: GuardFacts;
  /** For the card. */
  readonly costs?: Approval['costs'];
  /** Asked right before the claim. Undefined if it adds nothing. */
  readonly atClaim?: (claiming: Claiming) => Promise<Addition | Problem | undefined>;
}

export interface ClaimGuard {
  readonly name: string;
  /** Whether it looks at the action. Asked of each action, so it loads nothing. */
  readonly takes: (turn: ActTurn, task: LoadedTask) => boolean;
  readonly look: (deps: ActDeps, turn: ActTurn, task: LoadedTask) => Promise<Look>;
  /** Id of the grant that was made for this very signal: it counts before any other. */
  readonly grantOf?: (turn: ActTurn) => string | undefined;
}

/** The looks of all guards that take the action. */
export const lookAtTask = async (deps: ActDeps, turn: ActTurn, task: LoadedTask): Promise<readonly Look[]> => {
  const looks: Look[] = [];
  for (const { takes, look } of deps.guards) if (takes(turn, task)) looks.push(await look(deps, turn, task));
  return looks;
};

export const factsOf = (looks: readonly Look[]): GuardFacts => {
  let all: GuardFacts = {};
  for (const { facts } of looks) all = { ...all, ...facts };
  return all;
};

/** @returns all additions as one, the writes that settle the effect last; or the first problem */
export const askGuards = async (
  looks: readonly Look[],
  { judged, now }: Omit<Claiming, 'settling'>,
): Promise<Addition | Problem> => {
  let all: Addition = { writes: [] };
  let settling: Addition | undefined;
  for (const { atClaim } of looks) {
    const answer = await atClaim?.({ judged, now, settling });
    if (answer === undefined) continue;
    if ('problem' in answer) return answer;
    if (answer.settled === undefined) all = { ...all, ...answer, writes: [...all.writes, ...answer.writes] };
    else settling = answer;
  }
  return { ...all, ...settling, writes: [...all.writes, ...(settling?.writes ?? [])] };
};

/** Marks of the gates' questions for cards and lists, by facts and by no sentence. Pure. */
import { effectsOf } from '../gates/rules/tool-effects.ts';
import type { Action } from '../signal/action.ts';
import type { Facts } from '../signal/facts.ts';

/** The gate `high-impact` asks for nothing but that the action changes who may do what. */
export const onlyChangesRights = (action: Action, facts: Facts): boolean => {
  const { changesAuthority, runsCode, runsCommand, destroys } = effectsOf(action, facts);
  const { agreeing, votes } = facts.consensus ?? { agreeing: 2, votes: 2 };
  const isOnly = changesAuthority === true && (runsCode ?? runsCommand ?? destroys) === undefined;
  return isOnly && agreeing > 1 && agreeing * 2 > votes;
};

/** Data or files are lost by it. */
export const isDestroying = (action: Action, facts: Facts): boolean =>
  effectsOf(action, facts).destroys === true || facts.shell?.class === 'destroys' || facts.shell?.destroys === true;

/**
 * A tool that destroys data, runs programs or changes who may do what always meets a person,
 * whatever the permissions say: a rule that allows it by mistake must not be enough. So does a
 * proposal on which several models did not agree.
 * - stops: a model's call that changes who may do what, if outside text is in its prompt
 * - asks: tools that declare such an effect; calls without a majority of the models asked
 * - lets through: an owner's own command if the permissions allow it; texts, webhooks, other tools
 */
import type { Action } from '../../signal/action.ts';
import type { ConsensusFacts, Facts, ToolEffects } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { isOwnerCommand, isPlainReply, kindName } from './action-kind.ts';
import { effectsOf } from './tool-effects.ts';

/** The end of the reason for a tool that is always asked about. */
export const CHANGES_RIGHTS = 'changes who may do what';

/** The effect of the tool, in the words of the reason; undefined for an ordinary tool. */
const impactWords = (
  { runsCode, runsCommand, destroys, changesAuthority }: ToolEffects,
  { shell }: Facts,
): string | undefined => {
  // The gate `command-class` judges a command that has a class.
  if (runsCode || (runsCommand !== undefined && shell?.class === undefined)) return 'can do anything on the machine';
  if (destroys) return 'destroys or replaces data';
  return changesAuthority ? CHANGES_RIGHTS : undefined;
};

/** Why the models' answers are not enough; empty if most, two at least, proposed the same. */
const disagreement = ({ votes, agreeing, others }: ConsensusFacts): string => {
  if (agreeing > 1 && agreeing * 2 > votes) return '';
  if (votes < 2) return 'no second model could be asked about it';
  return `the models do not agree: of ${votes} asked, ${others.join(' and ')} proposed something else`;
};

export const checkHighImpact = (action: Action, facts: Facts): Verdict => {
  const impact = impactOf(action, facts);
  const doubt = facts.consensus === undefined || isPlainReply(action, facts) ? '' : disagreement(facts.consensus);
  if (doubt === '' || impact.verdict === 'block') return impact;
  const reason = impact.verdict === 'ask' ? `${impact.reason}; ${doubt}` : doubt;
  return { verdict: 'ask', reason };
};

const SAY_IT_YOURSELF =
  'never from what others wrote. The person must say it in a message of their own, or type a command (/help)';

/** Text from outside never changes rights, not even with a person's yes (I13, I14). */
const isMadeOfOthers = (action: Action, facts: Facts): boolean =>
  action.author === 'model' && facts.origin === 'outside' && effectsOf(action, facts).changesAuthority === true;

const impactOf = (action: Action, facts: Facts): Verdict => {
  if (action.target !== 'tool') return PASS;
  const impact = impactWords(effectsOf(action, facts), facts);
  if (impact === undefined) return PASS;
  if (isMadeOfOthers(action, facts))
    return { verdict: 'block', reason: `${kindName(action)} ${impact}: ${SAY_IT_YOURSELF}` };
  const isTypedByOwner = isOwnerCommand(action) && facts.origin === 'owner' && facts.tier === 'allow';
  if (isTypedByOwner) return { verdict: 'pass', reason: "its owner's own command" };
  return { verdict: 'ask', reason: `${kindName(action)} ${impact}` };
};

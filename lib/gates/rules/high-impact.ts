/**
 * What destroys data or changes who may do what always meets a person, whatever the permissions say: a rule that allows
 * such a tool by mistake must not be enough. So does anything that several models were asked about and did not agree on.
 * - asks: shells and evaluators, deleting and moving, installing, changes to rules, grants, identity, skills and jobs
 * - lets through: an owner's own command, where the permissions allow it; everything else; texts and webhooks have gates of their own
 */
import type { Action } from '../../signal/action.ts';
import type { ConsensusFacts, Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { isOwnerCommand, isPlainReply, kindName } from './action-kind.ts';

/** What a tool of this kind does, in the words of the reason. */
const HIGH_IMPACT: ReadonlyMap<string, string> = new Map([
  ...['shell', 'run-code', 'repair-file'].map((name) => [name, 'can do anything on the machine'] as const),
  ...['forget', 'delete-file', 'move-file', 'rename-file', 'restore-memory', 'rollback-memory', 'drop-table'].map(
    (name) => [name, 'destroys or replaces data'] as const,
  ),
  ...['install-package', 'create-skill', 'reload-skill', 'edit-skill', 'schedule-job'].map(
    (name) => [name, 'changes what the agent will do by itself'] as const,
  ),
  ...[
    'tool-permissions',
    'set-policy',
    'edit-policy',
    'create-grant',
    'change-grant',
    'set-identity',
    'add-mandate',
  ].map((name) => [name, 'changes who may do what'] as const),
]);

/** Why the models' answers are not enough; empty where most of them, two at least, proposed the same. */
const disagreement = ({ votes, agreeing, others }: ConsensusFacts): string => {
  if (agreeing > 1 && agreeing * 2 > votes) return '';
  if (votes < 2) return 'no second model could be asked about it';
  return `the models do not agree: of ${votes} asked, ${others.join(' and ')} proposed something else`;
};

export const checkHighImpact = (action: Action, facts: Facts): Verdict => {
  const impact = impactOf(action, facts);
  const doubt = facts.consensus === undefined || isPlainReply(action, facts) ? '' : disagreement(facts.consensus);
  if (doubt === '') return impact;
  const reason = impact.verdict === 'ask' ? `${impact.reason}; ${doubt}` : doubt;
  return { verdict: 'ask', reason };
};

const impactOf = (action: Action, facts: Facts): Verdict => {
  if (action.target !== 'tool' || action.tool === undefined) return PASS;
  const impact = HIGH_IMPACT.get(action.tool);
  if (impact === undefined) return PASS;
  const isTypedByOwner = isOwnerCommand(action) && facts.origin === 'owner' && facts.tier === 'allow';
  if (isTypedByOwner) return { verdict: 'pass', reason: "its owner's own command" };
  return { verdict: 'ask', reason: `${kindName(action)} ${impact}` };
};

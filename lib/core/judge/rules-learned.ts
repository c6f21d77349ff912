/**
 * One line about rules: how many the policy has, and which rules in force were learned. A person
 * accepted a learned rule from the skill `learning`: it is a rule of the policy whose name says so,
 * or a grant. The same line stands in the prompt's CONFIG and beside a reply's details.
 */
import { learnedGrantsInForce } from '../approvals/grants.ts';
import { ownerSettingsKey } from '../ledger/owner-settings.ts';
import { loadNamed } from '../store/load-named.ts';
import { readOrSkip } from '../store/parse-stored.ts';
import type { Item, Table } from '../store/table.ts';
import { policyKey, policyTextOf } from './policy-setting.ts';

/** Names of learned rules begin so. */
export const LEARNED_PREFIX = 'learned-';
/** Names that the line shows; the others are counted. */
const RULES_SHOWN_MAX = 8;

/** The policy without its comments and without the words between quotes, but with rules' names. */
const statementsOf = (policy: string): readonly string[] =>
  policy
    .replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*/g, (part) =>
      part.startsWith('"learned-') ? part : part[0] === '"' ? '""' : '',
    )
    .match(/(?:@[^;]*?)?\b(?:permit|forbid)\s*\([^;]*;/g) ?? [];

const learnedName = (statement: string): readonly string[] =>
  /@id\("(learned-[0-9a-f]{1,64})"\)/.exec(statement)?.slice(1) ?? [];

/** The line in each language. */
interface RuleWords {
  readonly rules: (rules: number, learned: number, names: string) => string;
  readonly moreRules: (count: number) => string;
}

export const RULE_WORDS: RuleWords = {
  rules: (rules, learned, names) => `Policy rules: ${rules}. Rules learned: ${learned}${names}.`,
  moreRules: (count) => `, ${count} more`,
};

const learnedIn = (rules: readonly string[], owner: Item | undefined, now: number): readonly string[] => [
  ...rules.flatMap(learnedName),
  ...learnedGrantsInForce(owner, now).map((id) => `grant ${id}`),
];

/** @param policy the owner's policy, empty for none @param owner the owner's settings as stored */
export const describeRules = (
  policy: string,
  owner: Item | undefined,
  now: number,
  say: RuleWords = RULE_WORDS,
): string => {
  const rules = statementsOf(policy);
  const learned = learnedIn(rules, owner, now);
  const shown = learned.slice(0, RULES_SHOWN_MAX);
  const more = learned.length > shown.length ? say.moreRules(learned.length - shown.length) : '';
  const names = learned.length === 0 ? '' : ` (${shown.join(', ')}${more})`;
  return say.rules(rules.length, learned.length, names);
};

const load = (table: Pick<Table, 'load'>, space: string) =>
  loadNamed(table, { policy: policyKey(space), owner: ownerSettingsKey(space) });

/** The line about the rules there are now. */
export const loadRules = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
  say?: RuleWords,
): Promise<string> => {
  const { policy, owner } = await load(table, space);
  return describeRules(policyTextOf(policy), owner, now, say);
};

/** The rules in force that were learned; undefined if this release cannot read the policy. */
export const countLearned = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
): Promise<number | undefined> => {
  const { policy, owner } = await load(table, space);
  const text = readOrSkip(policy ?? {}, () => policyTextOf(policy));
  return text === undefined ? undefined : learnedIn(statementsOf(text), owner, now).length;
};

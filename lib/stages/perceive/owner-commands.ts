/**
 * `/identity` and `/skill`: who the agent is, and what it may do of its own. Anybody here may look; only an approver changes it.
 * A repeated message changes nothing more.
 */

import { type Notice, notices } from '../../judge/notices.ts';
import {
  changeOwnerSetting,
  type IdentityField,
  isIdentityField,
  loadOwnerSettings,
  type OwnerSettings,
  parseIdentityText,
  settingOf,
} from '../../ledger/owner-settings.ts';
import { findSkill, isSkillOn, tierOf } from '../../prompt/skill-settings.ts';
import { SKILLS } from '../../prompt/skills.ts';
import type { Signal } from '../../signal/signal.ts';
import type { Table } from '../../store/table.ts';

type OwnerTable = Pick<Table, 'load' | 'transact'>;
type Asked = Pick<Signal, 'id' | 'space' | 'sender' | 'receivedAt'>;

const IDENTITY_USAGE = '/identity, /identity name|owner|style <text>, /identity reset name|owner|style';
const SKILL_USAGE = '/skill list, /skill on|off <name>, /skill tier <name> auto|cognition|reasoning';

const IDENTITY_WORDS: Readonly<Record<IdentityField, { readonly is: string; readonly usual: string }>> = {
  name: { is: 'My name', usual: 'as configured (MEMEX_ASSISTANT)' },
  owner: { is: 'My owner', usual: 'as configured (MEMEX_USER)' },
  style: { is: 'How I speak', usual: 'the usual: briefly, in the language I am spoken to' },
};

const whoSaid = (settings: OwnerSettings, field: string): string => {
  const said = Object.hasOwn(settings.fields, field) ? settings.fields[field] : undefined;
  return said === undefined
    ? ''
    : ` (${said.by}, ${new Date(said.at).toISOString().slice(0, 16).replace('T', ' ')} UTC)`;
};

const identityLines = (settings: OwnerSettings): readonly string[] =>
  Object.entries(IDENTITY_WORDS).map(
    ([field, { is, usual }]) =>
      `${is}: ${settingOf(settings, `identity.${field}`) || usual}${whoSaid(settings, `identity.${field}`)}`,
  );

/** First word, and the rest. */
const split = (text: string): readonly [string, string] => {
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word.toLowerCase(), rest.trim()];
};

export const answerIdentityCommand = async (table: OwnerTable, signal: Asked, rest: string): Promise<Notice> => {
  const [verb, words] = split(rest);
  if (verb === '') return notices.identity(identityLines(await loadOwnerSettings(table, signal.space)));
  const isReset = verb === 'reset';
  const field = isReset ? words.toLowerCase() : verb;
  if (!isIdentityField(field)) return notices.usage(IDENTITY_USAGE);
  const parsed = isReset ? { text: '' } : parseIdentityText(field, words);
  if (typeof parsed === 'string') return words === '' ? notices.usage(IDENTITY_USAGE) : notices.notSet(parsed);
  return notices.identity(identityLines(await changeOwnerSetting(table, signal, `identity.${field}`, parsed.text)));
};

const skillLines = (settings: OwnerSettings, isNamed: (name: string) => boolean): readonly string[] =>
  SKILLS.filter(({ name }) => isNamed(name)).map((skill) => {
    const state = isSkillOn(skill.name, settings) ? 'on' : 'off';
    return `${skill.name} (${state}, tier ${tierOf(skill, settings)}): ${skill.purpose}. Tools: ${skill.tools.join(', ')}.`;
  });

const TIERS: readonly string[] = ['auto', 'cognition', 'reasoning'];

/** What a changing command says: field and value; undefined for what is no such command. */
const parseSkillChange = (
  verb: string,
  words: string,
): { readonly name: string; readonly aspect: string; readonly value: string } | undefined => {
  const [name, more] = split(words);
  if (verb === 'on' || verb === 'off') return more === '' ? { name, aspect: 'is', value: verb } : undefined;
  const tier = more.toLowerCase();
  return verb === 'tier' && TIERS.includes(tier) ? { name, aspect: 'tier', value: tier } : undefined;
};

export const answerSkillCommand = async (table: OwnerTable, signal: Asked, rest: string): Promise<Notice> => {
  const [verb, words] = split(rest);
  if ((verb === '' || verb === 'list') && words === '')
    return notices.skills(skillLines(await loadOwnerSettings(table, signal.space), () => true));
  const change = parseSkillChange(verb, words);
  if (change === undefined) return notices.usage(SKILL_USAGE);
  if (findSkill(change.name) === undefined) return notices.notSet('there is no such skill; /skill list names them');
  const settings = await changeOwnerSetting(table, signal, `skill.${change.name}.${change.aspect}`, change.value);
  return notices.skills(skillLines(settings, (name) => name === change.name));
};

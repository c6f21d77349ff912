/**
 * The answers to the verbs of skills. A user of the console may look; only an approver changes
 * anything (I14). Words of skills from elsewhere are shown as quotes.
 */

import { countOpenCards, describeEndedCards } from '../../approvals/open-cards.ts';
import { defined } from '../../base/defined.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { problemWords } from '../../base/file-problem.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { changeOwnerSetting } from '../../ledger/change-owner-setting.ts';
import { loadOwnerSettings, type OwnerSettings, parseSettingText } from '../../ledger/owner-settings.ts';
import { type CodeAnswer, type CodeContext, say } from '../../operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../operations/operation.ts';
import type { ActiveSkill } from '../../skills/active.ts';
import { HASH_SHOWN_CHARS } from '../../skills/added-skills.ts';
import { BUILT_IN } from '../../skills/built-in.ts';
import { BUILT_IN_FILES } from '../../skills/built-in-files.ts';
import { jobNamesOf } from '../../skills/choose-skill.ts';
import { registerSkills } from '../../skills/register.ts';
import { fileProblems, SKILL_FILE, type SkillText } from '../../skills/skill-files.ts';
import { isSkillOn, skillValue, tierOf } from '../../skills/skill-settings.ts';
import { loadActiveSkills, loadSkillFile } from '../../skills/skill-store.ts';
import { describeUse, loadSkillUse, type SkillUse } from '../../skills/skill-use.ts';
import { SKILLS, type Skill } from '../../skills/skills.ts';
import { defang } from '../../text/tappable.ts';
import { quoted } from '../../tools/mcp/catalogue.ts';
import {
  skillAdd,
  skillFile,
  skillList,
  skillOff,
  skillOn,
  skillRemove,
  skillSet,
  skillShow,
  skillTier,
} from './operations.ts';

/** A value that a skill's mandates may name. */
const SETTING_CHARS_MAX = 200;

const builtInLine = (skill: Skill, settings: OwnerSettings): string => {
  const state = isSkillOn(skill.name, settings) ? 'on' : 'off';
  const tools = skill.tools.join(', ').replaceAll('*', '…');
  return `${skill.name} (${state}, tier ${tierOf(skill, settings)}): ${skill.purpose}. Tools: ${tools}.`;
};

const TRUST_WORDS = { outside: 'from outside', owner: 'yours' } as const;

const addedLine = (
  skill: ActiveSkill,
  settings: OwnerSettings,
  off: string | undefined,
  use: SkillUse | undefined,
): string => {
  const { name, hash, trust, definition } = skill;
  const state = off === undefined ? 'on' : `off: ${off}`;
  const facts = [
    state,
    `tier ${tierOf(definition, settings)}`,
    `priority ${definition.priority}`,
    TRUST_WORDS[trust],
    `version ${hash.slice(0, HASH_SHOWN_CHARS)}`,
  ];
  const values = Object.entries(definition.settings).map(
    ([key, { default: usual }]) => `${key} = ${quoted(skillValue(name, key, settings) || usual)}`,
  );
  const set = values.length === 0 ? '' : ` Settings: ${values.join(', ')}.`;
  const brought = (definition.targets ?? []).map(({ name: its, url }) => `${its} (POST ${url})`);
  const calls = brought.length === 0 ? '' : ` Webhooks: ${brought.join(', ')}.`;
  const used = use === undefined ? '' : ` Shown in ${describeUse(use)}.`;
  return `${name} (${facts.join(', ')}): ${quoted(defang(definition.description))}${set}${calls}${used}`;
};

interface ListedSkill {
  readonly name: string;
  readonly isOn: boolean;
  readonly line: string;
  /** Of an added one. */
  readonly version?: string;
}

/** All skills, the built-in ones first. */
const listSkills = async (
  { table, space }: Pick<LookContext, 'table' | 'space'>,
  settings: OwnerSettings,
): Promise<readonly ListedSkill[]> => {
  const { skills } = await loadActiveSkills(table, space);
  const uses = await loadSkillUse(table, space);
  const { on, off } = registerSkills(skills, (name) => isSkillOn(name, settings));
  const ordered = [...on, ...skills.filter(({ name }) => off.some((one) => one.name === name))];
  return [
    ...SKILLS.map((skill) => ({
      name: skill.name,
      isOn: isSkillOn(skill.name, settings),
      line: builtInLine(skill, settings),
    })),
    ...ordered.map((skill) => {
      const { name } = skill;
      const why = off.find((one) => one.name === name)?.why;
      const line = addedLine(skill, settings, why, uses.get(name));
      return { name, isOn: why === undefined, line, version: skill.hash };
    }),
  ];
};

/** Changes a setting, and says what the skill is now. */
const changeSetting = async (
  { table, signal }: CodeContext,
  name: string,
  field: string,
  value: string,
  more: readonly string[] = [],
): Promise<CodeAnswer> => {
  const settings = await changeOwnerSetting(table, signal, `skill.${name}.${field}`, value);
  const all = await listSkills({ table, space: signal.space }, settings);
  return say(commandNotices.skills([...all.filter((one) => one.name === name).map(({ line }) => line), ...more]));
};

/** @throws ProtocolError if there is no such skill */
const loadDefinition = async ({ table, signal }: CodeContext, name: string) => {
  const { skills } = await loadActiveSkills(table, signal.space);
  const found = [...BUILT_IN, ...skills].find(({ definition }) => definition.name === name)?.definition;
  if (found === undefined) throw new NotFoundError('there is no such skill; /skill list names them');
  return found;
};

/** @throws ProtocolError for a skill that stays as it is */
const checkIsFree = ({ mandatorySkills }: CodeContext, name: string): void => {
  if (mandatorySkills?.includes(name) === true) throw new ProtocolError(`the setting MANDATORY_SKILLS names ${name}`);
};

const switchSkill = async (context: CodeContext, name: string, isOn: boolean): Promise<CodeAnswer> => {
  if (!isOn) checkIsFree(context, name);
  const { table, signal, now } = context;
  const found = await loadDefinition(context, name);
  const isOther = isSkillOn(name, await loadOwnerSettings(table, signal.space)) !== isOn;
  const endsCards = isOther && found.gates.length > 0 ? await countOpenCards(table, signal.space, now) : 0;
  const answer = await changeSetting(context, name, 'is', isOn ? 'on' : 'off', describeEndedCards(endsCards));
  // Act alone changes jobs for people.
  return jobNamesOf(found).length > 0 ? { call: { tool: 'switch-skill-jobs', args: { name, isOn } } } : answer;
};

/** @throws ProtocolError that names each file's problems */
const checkFiles = (files: readonly SkillText[]): void => {
  const problems = fileProblems(files);
  if (problems.length > 0) throw new ProtocolError(problems.map(problemWords).join('; '));
};

export const SKILL_HANDLERS: readonly Handler[] = [
  look(skillList, async (context) => {
    const all = await listSkills(context, await loadOwnerSettings(context.table, context.space));
    return { data: { skills: [...all] }, lines: all.map(({ line }) => line) };
  }),
  // A built-in skill's files, or a call that reads an added one's.
  change(skillShow, async (_, { name, file }) => {
    if (!SKILLS.some((skill) => skill.name === name))
      return { call: { tool: 'read-skill', args: { skill: name, ...defined({ file }) } } };
    return say(commandNotices.skills((BUILT_IN_FILES[name] ?? []).map(({ path, text }) => `${path}\n${text}`)));
  }),
  change(skillOn, (context, { name }) => switchSkill(context, name, true)),
  change(skillOff, (context, { name }) => switchSkill(context, name, false)),
  change(skillTier, async (context, { name, tier }) => {
    await loadDefinition(context, name);
    return changeSetting(context, name, 'tier', tier);
  }),
  change(skillSet, async (context, { name, setting, value }) => {
    const { skills } = await loadActiveSkills(context.table, context.signal.space);
    const declared = skills.find((one) => one.name === name)?.definition.settings ?? {};
    if (!Object.hasOwn(declared, setting)) {
      const names = Object.keys(declared).join(', ');
      throw new ProtocolError(
        `the skill ${name} has ${names === '' ? 'no settings' : `only these settings: ${names}`}`,
      );
    }
    const parsed = parseSettingText(value, SETTING_CHARS_MAX);
    if (typeof parsed === 'string') throw new ProtocolError(parsed);
    return changeSetting(context, name, `set.${setting}`, parsed.text);
  }),
  change(skillRemove, async (context, { name }) => {
    checkIsFree(context, name);
    await loadDefinition(context, name);
    if (SKILLS.some((skill) => skill.name === name))
      throw new ProtocolError(`the skill ${name} is built in; /skill off ${name} switches it off`);
    return { call: { tool: 'remove-skill', args: { name } } };
  }),
  change(skillAdd, (_, { files, trust }) => {
    const texts = files.flatMap((file): readonly SkillText[] => ('text' in file ? [file] : []));
    if (texts.length === files.length) checkFiles(texts);
    return { call: { tool: 'add-skill', args: { files, trust } } };
  }),
  change(skillFile, async ({ table, signal: { space } }, { text, sha256 = '' }) => {
    if (text === undefined) {
      const found = await loadSkillFile(table, space, sha256);
      if (found === undefined) throw new NotFoundError('there is no such file');
      return say(commandNotices.skills([defang(found)]));
    }
    checkFiles([{ path: SKILL_FILE, text }]);
    return { call: { tool: 'keep-skill-file', args: { text } } };
  }),
];

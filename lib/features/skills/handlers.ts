/**
 * The answers to the verbs of skills. A user of the console may look; only an approver changes
 * anything (I14). Words of skills from elsewhere are shown as quotes.
 */

import { countOpenCards } from '../../core/approvals/open-cards.ts';
import { defined } from '../../core/base/defined.ts';
import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import { problemWords } from '../../core/base/file-problem.ts';
import { commandNotices } from '../../core/judge/command-notices.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { loadOwnerSettings, type OwnerSettings, parseSettingText } from '../../core/ledger/owner-settings.ts';
import { say as answer, type CodeAnswer, type CodeContext } from '../../core/operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { defang } from '../../core/text/tappable.ts';
import { quoted } from '../../core/tools/mcp-catalogue.ts';
import type { ActiveSkill } from './active.ts';
import { HASH_SHOWN_CHARS } from './added-skills.ts';
import { BUILT_IN } from './built-in.ts';
import { BUILT_IN_FILES } from './built-in-files.ts';
import { jobNamesOf } from './choose-skill.ts';
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
import { registerSkills } from './register.ts';
import { SKILL_PIECE_BYTES_MAX, type SkillFile } from './skill-change.ts';
import { fileProblems, type SkillText, showHidden } from './skill-files.ts';
import { isSkillOn } from './skill-on.ts';
import { skillValue, tierOf } from './skill-settings.ts';
import { loadActiveSkills, loadSkillFile } from './skill-store.ts';
import { loadSkillUse, type SkillUse } from './skill-use.ts';
import { SKILLS, type Skill } from './skills.ts';
import { type SkillTexts, skillTexts } from './texts.ts';

/** A value that a skill's mandates may name. */
const SETTING_CHARS_MAX = 200;

const builtInLine = (skill: Skill, settings: OwnerSettings, say: SkillTexts): string => {
  const tools = skill.tools.join(', ').replaceAll('*', '…');
  const { description = '' } = BUILT_IN.find(({ definition }) => definition.name === skill.name)?.definition ?? {};
  return say.builtIn(skill.name, isSkillOn(skill.name, settings), tierOf(skill, settings), description, tools);
};

const addedLine = (
  skill: ActiveSkill,
  settings: OwnerSettings,
  off: string | undefined,
  use: SkillUse | undefined,
  say: SkillTexts,
): string => {
  const { name, hash, trust, definition } = skill;
  const facts = [
    say.state(off),
    say.tier(tierOf(definition, settings)),
    say.priority(definition.priority),
    say.trust(trust),
    say.version(hash.slice(0, HASH_SHOWN_CHARS)),
  ];
  const values = Object.entries(definition.settings).map(
    ([key, { default: usual }]) => `${key} = ${quoted(skillValue(name, key, settings) || usual)}`,
  );
  const set = values.length === 0 ? '' : say.settings(values.join(', '));
  const brought = (definition.targets ?? []).map(({ name: its, url }) => `${its} (POST ${url})`);
  const calls = brought.length === 0 ? '' : say.webhooks(brought.join(', '));
  const named = (definition.places ?? []).map(({ name: its, channel, place }) => `${its} (${channel} ${place})`);
  const places = named.length === 0 ? '' : say.places(named.join(', '));
  const used = use === undefined ? '' : say.shownIn(use);
  return `${name} (${facts.join(', ')}): ${quoted(defang(definition.description))}${set}${calls}${places}${used}`;
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
  { table, space, language }: Pick<LookContext, 'table' | 'space' | 'language'>,
  settings: OwnerSettings,
): Promise<readonly ListedSkill[]> => {
  const say = await skillTexts.in(language);
  const { skills } = await loadActiveSkills(table, space);
  const uses = await loadSkillUse(table, space);
  const { on, off } = registerSkills(skills, (name) => isSkillOn(name, settings));
  const ordered = [...on, ...skills.filter(({ name }) => off.some((one) => one.name === name))];
  return [
    ...SKILLS.map((skill) => ({
      name: skill.name,
      isOn: isSkillOn(skill.name, settings),
      line: builtInLine(skill, settings, say),
    })),
    ...ordered.map((skill) => {
      const { name } = skill;
      const why = off.find((one) => one.name === name)?.why;
      const line = addedLine(skill, settings, why, uses.get(name), say);
      return { name, isOn: why === undefined, line, version: skill.hash };
    }),
  ];
};

/** Changes a setting, and says what the skill is now. */
const changeSetting = async (
  { table, signal, language }: CodeContext,
  name: string,
  field: string,
  value: string,
  more: readonly string[] = [],
): Promise<CodeAnswer> => {
  const settings = await changeOwnerSetting(table, signal, `skill.${name}.${field}`, value);
  const all = await listSkills({ table, space: signal.space, language }, settings);
  return answer(commandNotices.skills([...all.filter((one) => one.name === name).map(({ line }) => line), ...more]));
};

/** @throws ProtocolError if there is no such skill */
const loadDefinition = async ({ table, signal, language }: CodeContext, name: string) => {
  const { skills } = await loadActiveSkills(table, signal.space);
  const found = [...BUILT_IN, ...skills].find(({ definition }) => definition.name === name)?.definition;
  if (found === undefined) throw new NotFoundError((await skillTexts.in(language)).noSkill);
  return found;
};

/** @throws ProtocolError for a skill that stays as it is */
const checkIsFree = async ({ mandatorySkills, language }: CodeContext, name: string): Promise<void> => {
  if (mandatorySkills?.includes(name) === true)
    throw new ProtocolError((await skillTexts.in(language)).isMandatory(name));
};

const switchSkill = async (context: CodeContext, name: string, isOn: boolean): Promise<CodeAnswer> => {
  if (!isOn) await checkIsFree(context, name);
  const { table, signal, now } = context;
  const say = await skillTexts.in(context.language);
  const found = await loadDefinition(context, name);
  const isOther = isSkillOn(name, await loadOwnerSettings(table, signal.space)) !== isOn;
  const endsCards = isOther && found.gates.length > 0 ? await countOpenCards(table, signal.space, now) : 0;
  const shown = await changeSetting(context, name, 'is', isOn ? 'on' : 'off', say.endedCards(endsCards));
  // Act alone changes jobs for people.
  return jobNamesOf(found).length > 0 ? { call: { tool: 'switch-skill-jobs', args: { name, isOn } } } : shown;
};

/** @throws ProtocolError that names each file's problems */
const checkFiles = (files: readonly SkillText[], machineFiles: readonly SkillFile[]): void => {
  const problems = fileProblems(files, machineFiles);
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
    return answer(commandNotices.skills((BUILT_IN_FILES[name] ?? []).map(({ path, text }) => `${path}\n${text}`)));
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
      throw new ProtocolError((await skillTexts.in(context.language)).noSetting(name, names));
    }
    const parsed = parseSettingText(value, SETTING_CHARS_MAX);
    if (typeof parsed === 'string') throw new ProtocolError(parsed);
    return changeSetting(context, name, `set.${setting}`, parsed.text);
  }),
  change(skillRemove, async (context, { name }) => {
    await checkIsFree(context, name);
    await loadDefinition(context, name);
    if (SKILLS.some((skill) => skill.name === name))
      throw new ProtocolError((await skillTexts.in(context.language)).isBuiltIn(name));
    return { call: { tool: 'remove-skill', args: { name } } };
  }),
  change(skillAdd, (_, { files, trust }) => {
    const texts = files.flatMap((file): readonly SkillText[] => ('text' in file ? [file] : []));
    const machineFiles = files.flatMap((file) => ('sha256' in file && file.isForMachine === true ? [file] : []));
    if (texts.length + machineFiles.length === files.length) checkFiles(texts, machineFiles);
    return { call: { tool: 'add-skill', args: { files: files.map((file) => defined(file)), trust } } };
  }),
  change(skillFile, async ({ table, signal: { space }, language }, { text, base64, after, sha256 = '' }) => {
    const piece = text ?? base64;
    if (piece === undefined) {
      const found = await loadSkillFile(table, space, sha256);
      if (found === undefined) throw new NotFoundError((await skillTexts.in(language)).noFile);
      return answer(commandNotices.skills([defang(showHidden(found))]));
    }
    const bytes = Buffer.byteLength(piece);
    if (bytes > SKILL_PIECE_BYTES_MAX)
      throw new ProtocolError((await skillTexts.in(language)).pieceTooLarge(bytes, SKILL_PIECE_BYTES_MAX));
    return { call: { tool: 'keep-skill-file', args: defined({ text, base64, after }) } };
  }),
];

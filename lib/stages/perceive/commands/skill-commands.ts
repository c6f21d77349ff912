/**
 * The command `/skill`: lists and shows skills, switches them, and gives the calls that add and
 * remove one. Whoever may use the console looks; only an approver changes anything (I14). Words of
 * skills from elsewhere are shown as quotes.
 */

import * as z from 'zod/mini';
import { problemWords } from '../../../base/file-problem.ts';
import { describeIssues, readJson } from '../../../base/json.ts';
import { commandNotices } from '../../../judge/command-notices.ts';
import {
  changeOwnerSetting,
  loadOwnerSettings,
  type OwnerSettings,
  parseSettingText,
} from '../../../ledger/owner-settings.ts';
import { type CodeAnswer, type CodeContext, type Command, say } from '../../../operations/code-context.ts';
import type { ActiveSkill } from '../../../skills/active.ts';
import { HASH_SHOWN_CHARS } from '../../../skills/added-skills.ts';
import { BUILT_IN } from '../../../skills/built-in.ts';
import { jobNamesOf } from '../../../skills/choose-skill.ts';
import { registerSkills } from '../../../skills/register.ts';
import { Sha256 } from '../../../skills/skill-change.ts';
import { fileProblems, SKILL_FILE, type SkillText } from '../../../skills/skill-files.ts';
import { isSkillOn, skillValue, tierOf } from '../../../skills/skill-settings.ts';
import { loadActiveSkills, loadSkillFile } from '../../../skills/skill-store.ts';
import { describeUse, loadSkillUse, type SkillUse } from '../../../skills/skill-use.ts';
import { SKILLS, type Skill } from '../../../skills/skills.ts';
import { defang } from '../../../text/tappable.ts';
import { SkillUpload } from '../../../tools/manage-skills.ts';
import { quoted } from '../../../tools/mcp/catalogue.ts';

/** A value that a skill's mandates may name. */
const SETTING_CHARS_MAX = 200;

const SKILL_USAGE =
  '/skill list, /skill show <name> [file], /skill on|off <name>, /skill tier <name> auto|cognition|reasoning, /skill set <name> <setting> <value>, /skill remove <name>; npx passepartout skill add <folder>';

/** The first word, and the rest. */
const splitWord = (text: string): readonly [string, string] => {
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word.toLowerCase(), rest.trim()];
};

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
  const used = use === undefined ? '' : ` Shown in ${describeUse(use)}.`;
  return `${name} (${facts.join(', ')}): ${quoted(defang(definition.description))}${set}${used}`;
};

/** All skills that are named so, the built-in ones first. */
const skillLines = async (
  { table, signal: { space } }: CodeContext,
  settings: OwnerSettings,
  isNamed: (name: string) => boolean,
): Promise<readonly string[]> => {
  const { skills } = await loadActiveSkills(table, space);
  const uses = await loadSkillUse(table, space);
  const { on, off } = registerSkills(skills, (name) => isSkillOn(name, settings));
  const ordered = [...on, ...skills.filter(({ name }) => off.some((one) => one.name === name))];
  return [
    ...SKILLS.filter(({ name }) => isNamed(name)).map((skill) => builtInLine(skill, settings)),
    ...ordered
      .filter(({ name }) => isNamed(name))
      .map((skill) => {
        const why = off.find(({ name }) => name === skill.name)?.why;
        return addedLine(skill, settings, why, uses.get(skill.name));
      }),
  ];
};

const TIERS: readonly string[] = ['auto', 'cognition', 'reasoning'];

/** The setting and its value; undefined if the words are no such change. */
const parseChange = (verb: string, name: string, more: string): readonly [string, string] | undefined => {
  if (verb === 'on' || verb === 'off') return more === '' ? [`skill.${name}.is`, verb] : undefined;
  const tier = more.toLowerCase();
  return verb === 'tier' && TIERS.includes(tier) ? [`skill.${name}.tier`, tier] : undefined;
};

const list = async (context: CodeContext): Promise<CodeAnswer> => {
  const settings = await loadOwnerSettings(context.table, context.signal.space);
  return say(commandNotices.skills(await skillLines(context, settings, () => true)));
};

const Upload = z.strictObject({ text: z.string() });

/** A version as JSON: `{"files": [{"path", "text"}], "trust": "outside"}`. */
const add = (text: string): CodeAnswer => {
  const value = readJson(text);
  if (value === undefined) return say(commandNotices.usage(SKILL_USAGE));
  const parsed = SkillUpload.safeParse(value);
  if (!parsed.success) return say(commandNotices.notSet(describeIssues(parsed.error.issues)));
  const texts = parsed.data.files.flatMap((file): readonly SkillText[] => ('text' in file ? [file] : []));
  const problems = texts.length === parsed.data.files.length ? fileProblems(texts) : [];
  if (problems.length > 0) return say(commandNotices.notSet(problems.map(problemWords).join('; ')));
  return { call: { tool: 'add-skill', args: { files: parsed.data.files, trust: parsed.data.trust } } };
};

/** Takes a file of a large skill as JSON `{"text"}`, or shows a file by its hash. */
const file = async ({ table, signal: { space } }: CodeContext, rest: string): Promise<CodeAnswer> => {
  if (Sha256.safeParse(rest).success) {
    const text = await loadSkillFile(table, space, rest);
    return say(
      text === undefined ? commandNotices.notSet('there is no such file') : commandNotices.skills([defang(text)]),
    );
  }
  const parsed = Upload.safeParse(readJson(rest));
  if (!parsed.success) return say(commandNotices.usage(SKILL_USAGE));
  const problems = fileProblems([{ path: SKILL_FILE, text: parsed.data.text }]).map(({ problem }) => problem);
  if (problems.length > 0) return say(commandNotices.notSet(problems.join('; ')));
  return { call: { tool: 'keep-skill-file', args: parsed.data } };
};

/** A built-in skill's files, or a call that reads an added one's. */
const show = async (name: string, file: string): Promise<CodeAnswer> => {
  if (SKILLS.some((skill) => skill.name === name)) {
    const { BUILT_IN_FILES } = await import('../../../skills/built-in-files.ts');
    const files = BUILT_IN_FILES[name] ?? [];
    return say(commandNotices.skills(files.map(({ path, text }) => `${path}\n${text}`)));
  }
  return { call: { tool: 'read-skill', args: { skill: name, ...(file === '' ? {} : { file }) } } };
};

/** One line for a setting that an added skill declares. */
const set = async (context: CodeContext, name: string, rest: string): Promise<CodeAnswer> => {
  const { table, signal } = context;
  const [key, words] = splitWord(rest);
  const { skills } = await loadActiveSkills(table, signal.space);
  const declared = skills.find((one) => one.name === name)?.definition.settings ?? {};
  if (!Object.hasOwn(declared, key)) {
    const names = Object.keys(declared).join(', ') || 'none';
    return say(commandNotices.notSet(`the skill declares no such setting; it has: ${names}`));
  }
  const parsed = parseSettingText(words, SETTING_CHARS_MAX);
  if (typeof parsed === 'string') return say(commandNotices.notSet(parsed));
  const settings = await changeOwnerSetting(table, signal, `skill.${name}.set.${key}`, parsed.text);
  return say(commandNotices.skills(await skillLines(context, settings, (one) => one === name)));
};

export const skill: Command = async (context, rest) => {
  const [verb, words] = splitWord(rest);
  if ((verb === '' || verb === 'list') && words === '') return list(context);
  if (verb === 'add') return add(words);
  if (verb === 'file') return file(context, words);
  const [name, more] = splitWord(words);
  if (verb === 'show' && name !== '') return show(name, more);
  if (verb === 'set' && name !== '') return set(context, name, more);
  const isKept = context.mandatorySkills?.includes(name) === true && (verb === 'off' || verb === 'remove');
  if (isKept) return say(commandNotices.notSet(`the setting MANDATORY_SKILLS names ${name}`));
  if (verb === 'remove' && name !== '' && more === '') return { call: { tool: 'remove-skill', args: { name } } };
  const change = parseChange(verb, name, more);
  if (change === undefined) return say(commandNotices.usage(SKILL_USAGE));
  const { table, signal } = context;
  const { skills } = await loadActiveSkills(table, signal.space);
  const found = [...BUILT_IN, ...skills].find(({ definition }) => definition.name === name)?.definition;
  if (found === undefined) return say(commandNotices.notSet('there is no such skill; /skill list names them'));
  const settings = await changeOwnerSetting(table, signal, ...change);
  // Act alone changes jobs for people.
  if (verb !== 'tier' && jobNamesOf(found).length > 0)
    return { call: { tool: 'switch-skill-jobs', args: { name, isOn: verb === 'on' } } };
  return say(commandNotices.skills(await skillLines(context, settings, (one) => one === name)));
};

/**
 * The form of `add-skill`: the card shows each file whole. If a skill of this name is in force, it
 * shows first what changes: trust, powers and lines. Files that came by hash have no lines here.
 */
import { describeSkill } from '../../../core/approvals/describe-skill.ts';
import { REACH_UNKNOWN } from '../../../core/approvals/say-reach.ts';
import { ProtocolError } from '../../../core/base/errors.ts';
import { type JsonObject, parseWith } from '../../../core/base/json.ts';
import { loadSandbox } from '../../../core/sandbox/sandbox.ts';
import { argumentProblems } from '../../../core/tools/argument-problems.ts';
import { type Mark, UNMARKED } from '../../../core/tools/marks.ts';
import type { FormContext, ToolForm } from '../../../core/tools/tool.ts';
import { diffLines, parseSkill, readTargets } from '../edit-skill.ts';
import { type SkillFile, SkillUpload } from '../skill-change.ts';
import { describeFile, type SkillText, versionOf } from '../skill-files.ts';
import { describePlaces, takenPlaces } from '../skill-places.ts';
import { describeTargets, takenTargets } from '../skill-targets.ts';
import { sayCardsOfGates } from './cards-of-gates.ts';
import { changedPowers, saySkillReach } from './edit-skill-form.ts';
import { addSkill, removeSkill } from './manage-skills.ts';

const readBefore = async (name: string, { loadLookups }: FormContext) => {
  try {
    return await (await loadLookups?.())?.readSkill?.(name);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
};

const fileDifference = (before: readonly SkillText[], after: readonly SkillText[], mark: Mark): readonly string[] => {
  const textOf = (files: readonly SkillText[], file: string) => files.find(({ path }) => path === file)?.text;
  return [...new Set([...before, ...after].map(({ path }) => path))].toSorted().flatMap((path) => {
    const [was, is] = [textOf(before, path), textOf(after, path)];
    if (was === is) return [];
    if (was === undefined) return [mark(`New file: ${path}`)];
    return is === undefined
      ? [mark(`CHANGED: ${path} is gone`)]
      : [`The difference in ${path}:`, ...diffLines(was, is)];
  });
};

/** A file that nobody can read, as a line of a difference. */
const asText = ({ path, sha256, bytes }: SkillFile): SkillText => ({
  path,
  text: `a file for a machine: ${bytes} bytes, SHA-256 ${sha256}`,
});

const describeChange = async (args: JsonObject, context: FormContext, mark: Mark): Promise<readonly string[]> => {
  const { files, trust } = parseWith('the skill', args, SkillUpload);
  const texts = files.flatMap((file) => ('text' in file ? [file] : []));
  const machineFiles = files.flatMap((file) => ('sha256' in file && file.isForMachine === true ? [file] : []));
  if (texts.length + machineFiles.length < files.length) return [mark(REACH_UNKNOWN)];
  const parsed = parseSkill(texts, await loadSandbox(), machineFiles);
  if (parsed.kind !== 'skill') return [];
  const { name } = parsed.definition;
  const before = await readBefore(name, context);
  const reach = saySkillReach(before?.skill.definition, parsed.definition, context, mark);
  const made = { definition: parsed.definition, files: texts };
  const was = before && { definition: before.skill.definition, files: before.files };
  const ended = await sayCardsOfGates(was, made, context, mark);
  if (before === undefined) return [...reach, ...ended];
  const after = versionOf([...texts.map(describeFile), ...machineFiles]);
  return [
    ...reach,
    ...ended,
    after === before.skill.hash
      ? `The skill ${name} is in force in this very version.`
      : mark(`It changes the skill ${name}: version ${before.skill.hash} becomes ${after}.`),
    ...(before.skill.trust === trust ? [] : [mark(`CHANGED trust: ${trust} (before: ${before.skill.trust})`)]),
    ...changedPowers(before.skill.definition, parsed.definition, mark),
    ...fileDifference(
      [...before.files, ...before.machineFiles.map(asText)],
      [...texts, ...machineFiles.map(asText)],
      mark,
    ),
  ];
};

const targetsOf = (args: JsonObject) => {
  const { data } = SkillUpload.safeParse(args);
  return readTargets(data?.files.flatMap((file) => ('text' in file ? [file] : [])) ?? []);
};

const describe: ToolForm['describe'] = async (args, context, mark = UNMARKED) => [
  ...describeTargets(targetsOf(args).targets).map(mark),
  ...describePlaces(targetsOf(args).places).map(mark),
  ...(await describeChange(args, context, mark)),
  ...(describeSkill('add-skill', args, (text) => text) ?? []),
];

/** Nothing but the sentence of its card, and the cards that it ends. */
export const REMOVE_SKILL_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => argumentProblems(removeSkill, args),
  describe: async (args, context, mark = UNMARKED) => {
    const before = await readBefore(String(args.name), context);
    const was = before && { definition: before.skill.definition, files: before.files };
    return [`Skill: ${String(args.name)}`, ...(await sayCardsOfGates(was, undefined, context, mark))];
  },
};

export const ADD_SKILL_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args, { webhookUrls, places }) => [
    ...argumentProblems(addSkill, args),
    ...takenTargets(targetsOf(args).targets, webhookUrls),
    ...takenPlaces(targetsOf(args).places, places),
  ],
  describe,
};

/**
 * The commands `/skill add|remove`. They decide which instructions the model gets, so only people
 * use them, and an approver approves each change on its card, which shows the whole text (I14).
 */
import * as z from 'zod/mini';
import { countWords, quoted } from '../../../core/text/quoted.ts';
import { defineTool, loadFileParts, powerOf, type ToolContext } from '../../../core/tools/tool.ts';
import { Sha256, SKILL_PIECE_BYTES_MAX, SkillName, SkillUpload } from '../skill-change.ts';

const MANAGING = {
  tier: 'ask',
  isForPeople: true,
  isAlwaysAsked: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'clean',
} as const;

const sourceOf = ({ actor: by, now, signalId, effectId, zone }: ToolContext) => ({ by, now, signalId, effectId, zone });

/** In the first lines of a SKILL.md, as every skill must have it. */
const NAME = /^---[ \t]*\r?\n(?:(?!---)[^\n]*\n)*?name:[ \t]*["']?([a-z0-9-]{1,64})["']?[ \t]*\r?\n/;

/** By the name in its SKILL.md; a file that came by its hash does not say it here. */
const skillWords = (files: z.infer<typeof SkillUpload>['files']): string => {
  const file = files.find(({ path }) => path === 'SKILL.md');
  const name = NAME.exec(file !== undefined && 'text' in file ? file.text : '')?.[1];
  return name === undefined ? 'a skill' : `the skill ${name}`;
};

export const addSkill = defineTool({
  name: 'add-skill',
  sentence: ({ files, trust }) =>
    `Put ${skillWords(files)} of ${countWords(files.length, 'file')} in force${trust === 'owner' ? ', and count its words as yours' : ''}: ${quoted(files.map(({ path }) => path).join(', '))}`,
  args: SkillUpload,
  ...MANAGING,
  loadForm: async () => (await loadFileParts()).FEATURE_FILE_PARTS.ADD_SKILL_FORM,
  run: async (wanted, context) => ({
    output: (await powerOf(context.powers, 'skills').add(wanted, sourceOf(context))).join('\n'),
    origin: 'owner',
  }),
});

const piece = z.string().check(z.maxLength(SKILL_PIECE_BYTES_MAX));

/**
 * For a skill too large for one action: a file is in force only once a skill is added with it. A
 * large file comes in pieces, each with the hash of all before it. One that is no text comes in
 * base64.
 */
export const keepSkillFile = defineTool({
  name: 'keep-skill-file',
  sentence: ({ text }) =>
    text === undefined
      ? 'Keep a piece of a file for a machine for 30 days'
      : `Keep a file of a skill for a week: ${quoted(text)}`,
  args: z.strictObject({ text: z.optional(piece), base64: z.optional(piece), after: z.optional(Sha256) }),
  tier: 'allow',
  isForPeople: true,
  kind: 'idempotent',
  outputOrigin: 'clean',
  run: async ({ text = '', base64, after }, { powers, now }) => ({
    output: await powerOf(powers, 'skills').keep(base64 === undefined ? { text, after } : { base64, after }, now),
    origin: 'owner',
  }),
});

/** The second half of `/skill on|off`, for a skill that has jobs. */
export const switchSkillJobs = defineTool({
  name: 'switch-skill-jobs',
  sentence: ({ name, isOn }) => `${isOn ? 'Resume' : 'Pause'} the jobs of the skill ${name}`,
  args: z.strictObject({ name: SkillName, isOn: z.boolean() }),
  tier: 'ask',
  isForPeople: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'clean',
  run: async ({ name, isOn }, context) => {
    const lines = await powerOf(context.powers, 'skills').switchJobs(name, isOn, sourceOf(context));
    return { output: [`The skill ${name} is ${isOn ? 'on' : 'off'}.`, ...lines].join('\n'), origin: 'owner' };
  },
});

export const removeSkill = defineTool({
  name: 'remove-skill',
  sentence: ({ name }) => `Take the skill ${name} away`,
  args: z.strictObject({ name: SkillName }),
  ...MANAGING,
  loadForm: async () => (await loadFileParts()).FEATURE_FILE_PARTS.REMOVE_SKILL_FORM,
  run: async ({ name }, context) => ({
    output: (await powerOf(context.powers, 'skills').remove(name, sourceOf(context))).join('\n'),
    origin: 'owner',
  }),
});

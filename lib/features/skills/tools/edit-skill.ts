/**
 * The model's way to change a skill that an approver added: one piece of one file. A person sees
 * the difference and how the skill's own examples came out, and decides (I14). The version keeps
 * the trust it had. A turn with outside text in its prompt cannot propose it, as any other change
 * of rights.
 */
import * as z from 'zod/mini';
import { quoted } from '../../../core/text/quoted.ts';
import { defineTool, loadFileParts, powerOf } from '../../../core/tools/tool.ts';
import { Sha256, SkillName } from '../skill-change.ts';

/** A paragraph, or a function. */
const SKILL_EDIT_CHARS_MAX = 8_000;

export const SkillEditDraft = z.strictObject({
  skill: SkillName,
  file: z.string().check(z.minLength(1), z.maxLength(200)),
  replace: z.string().check(z.minLength(1), z.maxLength(SKILL_EDIT_CHARS_MAX)),
  with: z.string().check(z.maxLength(SKILL_EDIT_CHARS_MAX)),
});

/** With the versions before and after the change. */
export const SkillEditArgs = z.strictObject({ ...SkillEditDraft.shape, before: Sha256, after: Sha256 });
export type SkillEditArgs = z.infer<typeof SkillEditArgs>;

export const editSkill = defineTool({
  name: 'edit-skill',
  description:
    'Change an added skill: replace, a piece of the file that stands there once, becomes with. The owner is asked.',
  sentence: ({ skill, file, with: text }) =>
    `Change the skill ${skill}: in its file ${quoted(file)} write ${quoted(text)}`,
  draft: SkillEditDraft,
  args: SkillEditArgs,
  tier: 'ask',
  isAlwaysAsked: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'inputs',
  loadForm: async () => (await loadFileParts()).FEATURE_FILE_PARTS.EDIT_SKILL_FORM,
  run: async (edit, { powers, actor, approvedBy, now, signalId, effectId, zone }) => {
    const source = { by: approvedBy ?? actor, now, signalId, effectId, zone };
    return { output: (await powerOf(powers, 'skills').edit(edit, source)).join('\n'), origin: 'owner' };
  },
});

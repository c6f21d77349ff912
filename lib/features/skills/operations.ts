/** The verbs of skills: what the agent may do of its own. */
import * as z from 'zod/mini';
import type { JsonObject } from '../../core/base/json.ts';
import { oneOf } from '../../core/operations/one-of.ts';
import type { Change, ChangedSetting, Look } from '../../core/operations/operation.ts';
import { Sha256, SkillUpload } from './skill-change.ts';

const name = z.string().check(z.toLowerCase(), z.minLength(1), z.describe('name of the skill'));

export const skillList = {
  kind: 'look',
  name: 'skill list',
  summary: 'every skill, whether it is on, and what it may use',
  args: z.strictObject({}),
  data: z.looseObject({
    skills: z.array(
      z.object({ name: z.string(), isOn: z.boolean(), line: z.string(), version: z.optional(z.string()) }),
    ),
  }),
  needs: 'owner',
  isDefault: true,
} as const satisfies Look;

const change = { kind: 'change', args: z.strictObject({ name }), words: ['name'], needs: 'approver' } as const;

export const skillShow = {
  ...change,
  name: 'skill show',
  summary: 'the text of a skill, or one of its files',
  args: z.strictObject({ name, file: z.optional(z.string().check(z.describe('path of the file'))) }),
  words: ['name', 'file'],
} as const satisfies Change;

/** `<skill>.is`, `<skill>.tier` or `<skill>.set.<setting>` */
const partOf = ({ kind, name }: ChangedSetting) => {
  const [skill = '', part = '', ...rest] = name.split('.');
  return { name: skill, part: kind === 'skill' ? part : '', setting: rest.join('.') };
};
/** Before it was switched first, it was the other. */
const wasSwitched =
  (to: 'on' | 'off') =>
  (changed: ChangedSetting): JsonObject | undefined => {
    const { name, part } = partOf(changed);
    const before = changed.before || (changed.value === 'on' ? 'off' : 'on');
    return part === 'is' && before === to ? { name } : undefined;
  };

export const skillOn = {
  ...change,
  name: 'skill on',
  summary: 'switch a skill on',
  restores: wasSwitched('on'),
} as const satisfies Change;
export const skillOff = {
  ...change,
  name: 'skill off',
  summary: 'switch a skill off',
  restores: wasSwitched('off'),
} as const satisfies Change;

export const skillTier = {
  ...change,
  name: 'skill tier',
  summary: 'the kind of model that answers with a skill',
  args: z.strictObject({
    name,
    tier: oneOf(['auto', 'cognition', 'reasoning']),
  }),
  words: ['name', 'tier'],
  restores: (changed) => {
    const { name, part } = partOf(changed);
    return part === 'tier' && changed.before !== '' ? { name, tier: changed.before } : undefined;
  },
} as const satisfies Change;

export const skillSet = {
  ...change,
  name: 'skill set',
  summary: 'a setting that a skill declares',
  args: z.strictObject({ name, setting: z.string().check(z.toLowerCase()), value: z.string() }),
  words: ['name', 'setting', 'value…'],
  restores: (changed) => {
    const { name, part, setting } = partOf(changed);
    return part === 'set' && changed.before !== '' ? { name, setting, value: changed.before } : undefined;
  },
} as const satisfies Change;

export const skillRemove = {
  ...change,
  name: 'skill remove',
  summary: 'take a skill out of force',
  undoes: { 'add-skill': ['in force'] },
  isTypedYes: true,
} as const satisfies Change;

/** A folder becomes JSON in a terminal. */
export const skillAdd = {
  ...change,
  name: 'skill add',
  summary: 'put exactly these files in force, after a yes',
  undoes: { 'edit-skill': ['in force'], 'remove-skill': ['removed'] },
  args: SkillUpload,
  words: [],
  form: '{"files": [{"path", "text"}], "trust": "outside"}; in a terminal: npx passepartout skill add <folder>',
  isTypedYes: true,
} as const satisfies Change;

export const skillFile = {
  ...change,
  name: 'skill file',
  summary: 'keep a file of a large skill until it is added, or show one by its hash',
  args: z.strictObject({
    text: z.optional(z.string().check(z.describe('what to keep'))),
    base64: z.optional(z.string().check(z.describe('what to keep, if it is no text'))),
    after: z.optional(Sha256.check(z.describe('hash of the kept piece before it'))),
    sha256: z.optional(Sha256),
  }),
  words: ['sha256'],
} as const satisfies Change;

export const SKILL_OPERATIONS = [
  skillList,
  skillShow,
  skillOn,
  skillOff,
  skillTier,
  skillSet,
  skillRemove,
  skillAdd,
  skillFile,
] as const;

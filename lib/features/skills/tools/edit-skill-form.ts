/** The form of `edit-skill`: versions before and after, faults, and the difference. */
import type * as z from 'zod/mini';
import { sayReach } from '../../../core/approvals/say-reach.ts';
import { ProtocolError } from '../../../core/base/errors.ts';
import { type JsonObject, parseWith } from '../../../core/base/json.ts';
import { loadSandbox } from '../../../core/sandbox/sandbox.ts';
import { argumentProblems } from '../../../core/tools/argument-problems.ts';
import { collectMarks, type Mark, UNMARKED } from '../../../core/tools/marks.ts';
import type { FormContext, ToolForm } from '../../../core/tools/tool.ts';
import { diffLines, draftEdit } from '../edit-skill.ts';
import type { SkillTrust } from '../skill-change.ts';
import type { SkillDefinition } from '../skill-definition.ts';
import { takenPlaces } from '../skill-places.ts';
import { skillReach } from '../skill-reach.ts';
import { takenTargets } from '../skill-targets.ts';
import { SKILLS } from '../skills.ts';
import { sayCardsOfGates } from './cards-of-gates.ts';
import { editSkill, SkillEditArgs, SkillEditDraft } from './edit-skill.ts';

type SkillDraft = z.infer<typeof SkillEditDraft>;

const DRAFT = { args: SkillEditDraft, fields: Object.keys(SkillEditDraft.shape) };

/** The parts of a definition that say what a skill may do, beside its words. */
const POWERS = [
  'allowedTools',
  'tools',
  'requires',
  'trigger',
  'jobs',
  'gates',
  'handlers',
  'functions',
  'runbooks',
  'targets',
  'places',
] as const;

export const changedPowers = (before: SkillDefinition, after: SkillDefinition, mark: Mark): readonly string[] =>
  POWERS.flatMap((part) => {
    const [was, is] = [before, after].map(({ [part]: value }) => JSON.stringify(value) ?? 'nothing');
    return was === is ? [] : [mark(`CHANGED ${part}: ${is} (before: ${was})`)];
  });

/** If no card is written, each call is taken to be asked about. */
export const saySkillReach = (
  before: SkillDefinition | undefined,
  after: SkillDefinition,
  { tierOf = () => 'ask' }: Pick<FormContext, 'tierOf'>,
  mark?: Mark,
): readonly string[] => sayReach(skillReach(before, tierOf), skillReach(after, tierOf), mark);

interface Made {
  readonly before: string;
  readonly after: string;
  readonly trust: SkillTrust;
  readonly examples: string;
  /** The kinds of action that it newly allows, and the parts that change. */
  readonly powers: readonly string[];
  readonly difference: readonly string[];
}

/** @throws ProtocolError that says why the change cannot be made */
const make = async (draft: SkillDraft, context: FormContext, mark: Mark): Promise<Made> => {
  const { loadLookups, webhookUrls, places } = context;
  const { readSkill } = (await loadLookups?.()) ?? {};
  if (SKILLS.some(({ name }) => name === draft.skill))
    throw new ProtocolError(`${draft.skill} is built in, and no call changes it`);
  if (readSkill === undefined) throw new ProtocolError('no skill can be changed from here');
  const { skill, files, machineFiles } = await readSkill(draft.skill);
  const made = draftEdit(files, draft, await loadSandbox(), machineFiles);
  if (made.kind === 'problem') throw new ProtocolError(made.problem);
  const [taken] = [
    ...takenTargets(made.definition.targets, webhookUrls),
    ...takenPlaces(made.definition.places, places),
  ];
  if (taken !== undefined) throw new ProtocolError(taken);
  const textOf = (list: typeof files) => list.find(({ path }) => path === draft.file)?.text ?? '';
  const difference = diffLines(textOf(files), textOf(made.files));
  const { hash: before, trust } = skill;
  const reach = saySkillReach(skill.definition, made.definition, context, mark);
  const powers = [
    ...reach,
    ...changedPowers(skill.definition, made.definition, mark),
    ...(await sayCardsOfGates({ definition: skill.definition, files }, made, context, mark)),
  ];
  return { before, after: made.hash, trust, examples: made.examples, powers, difference };
};

const complete = async (args: JsonObject, context: FormContext): Promise<JsonObject> => {
  const draft = SkillEditDraft.safeParse(args);
  if (!draft.success) return args;
  const made = await tryMake(draft.data, context);
  return typeof made === 'string' ? args : { ...draft.data, before: made.before, after: made.after };
};

const tryMake = async (draft: SkillDraft, context: FormContext, mark = UNMARKED): Promise<Made | string> => {
  try {
    return await make(draft, context, mark);
  } catch (error) {
    if (error instanceof ProtocolError) return error.message;
    throw error;
  }
};

const OTHERS = 'the versions before and after it are not those that it makes: leave them out';

/** Act cannot read skills here: its card and the call itself look again. */
const findProblems = async (args: JsonObject, context: FormContext): Promise<readonly string[]> => {
  const { before, after, ...draft } = args;
  const wanted = SkillEditDraft.safeParse(draft).data;
  const isWhole = before !== undefined || after !== undefined;
  if (wanted === undefined || (isWhole && context.loadLookups === undefined))
    return argumentProblems(isWhole ? editSkill : DRAFT, args);
  const made = await tryMake(wanted, context);
  if (typeof made === 'string') return [made];
  return made.before === before && made.after === after ? [] : [OTHERS];
};

const TRUST = {
  owner: 'The skill is yours: by your yes these words count as your own, though the model wrote them.',
  outside: "The skill is from outside and stays so: its words count as a stranger's.",
} as const;

const describeMade = (
  { skill, file, before, after }: SkillEditArgs,
  { trust, examples, powers, difference }: Made,
): readonly string[] => [
  `It changes the skill ${skill}: version ${before} becomes ${after}.`,
  TRUST[trust],
  ...powers,
  `The difference in ${file}:`,
  ...difference,
  `Its examples were run: ${examples}.`,
];

const describe: ToolForm['describe'] = async (args, context, mark = UNMARKED) => {
  const whole = parseWith('the change', args, SkillEditArgs);
  const { before: _before, after: _after, ...draft } = whole;
  const marks = collectMarks();
  const made = await tryMake(draft, context, marks.mark);
  if (typeof made === 'string') return [mark(`This change cannot be made any more: ${made}.`)];
  if (made.before !== whole.before || made.after !== whole.after)
    return [mark('The skill was changed since this was asked; a yes will be refused.')];
  marks.marked.forEach(mark);
  return describeMade(whole, made);
};

export const EDIT_SKILL_FORM: ToolForm = { complete, findProblems, describe };

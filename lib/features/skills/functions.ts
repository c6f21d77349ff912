/**
 * Functions of skills: code that gives a text for a prompt, or the answer of a tool. They run in
 * the sandbox, on a copy of their input, and nothing else happens. A function that fails gives
 * nothing, and one fixed sentence says why.
 */
import type { Json, JsonObject } from '../../core/base/json.ts';
import { describeProblem, loadSandbox, type Sandbox } from '../../core/sandbox/sandbox.ts';
import { skillKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import type { ActiveSkill } from './active.ts';
import { MANDATE_CHARS_MAX, type SkillFunction } from './skill-definition.ts';
import { sha256Of } from './skill-files.ts';

/** A screen of text, paid with every call. */
const SECTION_CHARS_MAX = 2_000;
/** Functions for one prompt, of the skills of highest priority: a person waits for all of them. */
const PROMPT_FUNCTIONS_MAX = 16;
/** A fifth of the sandbox's own bound. */
const PROMPT_FUNCTION_STEPS_MAX = 30;

export interface ComputedText {
  readonly skill: string;
  readonly gives: 'mandate' | 'section';
  readonly text: string;
}

export type FunctionOutcome = { readonly value: Json } | { readonly problem: string };

type Called = Pick<SkillFunction, 'name' | 'gives'>;

/** @param code undefined if it cannot be read */
export const runFunction = (
  sandbox: Sandbox,
  skill: string,
  { name, gives }: Called,
  code: string | undefined,
  input: unknown,
): FunctionOutcome => {
  const named = `the function ${name} of the skill ${skill}`;
  if (code === undefined) return { problem: `the code of ${named} cannot be read` };
  const bounds = gives === 'tool' ? {} : { stepsMax: PROMPT_FUNCTION_STEPS_MAX };
  const outcome = sandbox.run({ code, call: gives, input: [input], ...bounds });
  if (outcome.kind === 'problem') return { problem: `${named} ${describeProblem(outcome)}` };
  if (gives === 'tool') return { value: outcome.value };
  const charsMax = gives === 'mandate' ? MANDATE_CHARS_MAX : SECTION_CHARS_MAX;
  const text = outcome.value ?? '';
  const isFit = typeof text === 'string' && text.length <= charsMax && (gives === 'section' || !text.includes('\n'));
  return isFit ? { value: text.trim() } : { problem: `${named} gave no text that it may give` };
};

export interface Computed {
  /** Without those that have nothing to say now. */
  readonly texts: readonly ComputedText[];
  /** Names of the skills whose functions ran, and of those of which one failed. */
  readonly ran: readonly string[];
  readonly failed: readonly string[];
}

/** @param skills in order @param factsOf what the functions of a skill are told */
export const computeTexts = async (
  table: Pick<Table, 'load'>,
  space: string,
  skills: readonly ActiveSkill[],
  factsOf: (skill: ActiveSkill) => JsonObject,
): Promise<Computed> => {
  const all = skills.flatMap((skill) =>
    (skill.definition.functions ?? []).flatMap(({ name, file, gives }) =>
      gives === 'tool' ? [] : [{ skill, name, gives, hash: skill.files[file] ?? '' }],
    ),
  );
  const wanted = all.slice(0, PROMPT_FUNCTIONS_MAX);
  const { codes } = await loadNamed(table, { codes: wanted.map(({ hash }) => skillKeys.file(space, hash)) });
  const sandbox = await loadSandbox();
  const failed = new Set<string>();
  const texts = wanted.flatMap(({ skill, gives, name, hash }, index): readonly ComputedText[] => {
    const text = codes[index]?.text;
    const code = typeof text === 'string' && sha256Of(text) === hash ? text : undefined;
    const outcome = runFunction(sandbox, skill.name, { name, gives }, code, factsOf(skill));
    if ('problem' in outcome) failed.add(skill.name);
    const value = 'value' in outcome ? outcome.value : '';
    return typeof value === 'string' && value !== '' ? [{ skill: skill.name, gives, text: value }] : [];
  });
  return { texts, ran: [...new Set(wanted.map(({ skill }) => skill.name))], failed: [...failed] };
};

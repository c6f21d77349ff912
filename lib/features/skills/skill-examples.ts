/**
 * The examples of a skill: `examples.yaml` in its folder says what its gates, handlers and
 * functions answer to given actions, events and facts. They run in the sandbox, as the code runs in
 * force. `skill test` shows them, and a change that the model proposes must pass all of them. Pure;
 * needs the package `yaml`.
 */
import * as z from 'zod/mini';
import { canonicalJson } from '../../core/base/canonical.ts';
import { problemWords } from '../../core/base/file-problem.ts';
import { Json, JsonObject } from '../../core/base/json.ts';
import { readYaml } from '../../core/base/read-yaml.ts';
import type { Sandbox } from '../../core/sandbox/sandbox.ts';
import { Action } from '../../core/signal/action.ts';
import { StoredFacts } from '../../core/signal/facts.ts';
import { runFunction } from './functions.ts';
import { runHandler } from './handler-code.ts';
import type { SkillDefinition, SkillFunction } from './skill-definition.ts';
import { type SkillText, sha256Of } from './skill-files.ts';
import { buildSkillGate } from './skill-gates.ts';

const EXAMPLES_FILE = 'examples.yaml';
/** Each runs code: all of them take a second at most. */
const SKILL_EXAMPLES_MAX = 16;

const GateExample = z.strictObject({
  gate: z.string(),
  action: JsonObject,
  /** Only what differs from an owner's ordinary turn. */
  facts: z._default(JsonObject, {}),
  expect: z.enum(['pass', 'ask', 'block']),
});
const HandlerExample = z.strictObject({
  handler: z.string(),
  on: z.string(),
  event: z._default(Json, {}),
  expect: JsonObject,
});
const FunctionExample = z.strictObject({ function: z.string(), given: z._default(JsonObject, {}), expect: Json });
const Examples = z.strictObject({
  examples: z.array(z.union([GateExample, HandlerExample, FunctionExample])).check(z.maxLength(SKILL_EXAMPLES_MAX)),
});

export interface ExampleResult {
  /** `example 2 (gate quiet)`. */
  readonly name: string;
  /** Why it failed; undefined if it passed. */
  readonly problem: string | undefined;
}

const ACTION = { target: 'tool', explanation: 'an example of a skill', author: 'model' };
const FACTS = {
  schemaVersion: 1,
  stage: 'reason',
  now: 0,
  space: 'default',
  actionHash: '',
  tier: 'allow',
  origin: 'owner',
  policyVersion: '',
};

type Skill = Pick<SkillDefinition, 'name' | 'gates' | 'handlers' | 'functions'>;

const tryGate = (
  sandbox: Sandbox,
  { action, facts, expect }: z.infer<typeof GateExample>,
  code: string,
): string | undefined => {
  const given = Action.safeParse({ ...ACTION, ...action });
  const known = StoredFacts.safeParse({ ...FACTS, ...facts });
  if (!given.success || !known.success) return `its ${given.success ? 'facts are no facts' : 'action is no action'}`;
  const { verdict } = buildSkillGate(sandbox, 'example', sha256Of(code), code).check(given.data, known.data);
  return verdict === expect ? undefined : `it expects ${expect} and got ${verdict}`;
};

const tryHandler = (
  sandbox: Sandbox,
  skill: string,
  { handler, on, event, expect }: z.infer<typeof HandlerExample>,
  code: string,
): string | undefined => {
  const answer = runHandler(sandbox, { skill, handler, on }, code, event);
  if (typeof answer === 'string') return answer;
  return canonicalJson(answer) === canonicalJson({ do: [], ...expect }) ? undefined : 'it got another answer';
};

const tryFunction = (
  sandbox: Sandbox,
  skill: string,
  { given, expect }: z.infer<typeof FunctionExample>,
  wanted: SkillFunction,
  code: string,
): string | undefined => {
  const outcome = runFunction(sandbox, skill, wanted, code, given);
  if ('problem' in outcome) return outcome.problem;
  return canonicalJson(outcome.value) === canonicalJson(expect) ? undefined : 'it got another answer';
};

/** @returns a result for each example; a faulty file is one that failed */
export const runExamples = (
  sandbox: Sandbox,
  { name: skill, gates, handlers, functions = [] }: Skill,
  files: readonly SkillText[],
): readonly ExampleResult[] => {
  const text = files.find(({ path }) => path === EXAMPLES_FILE)?.text;
  if (text === undefined) return [];
  const read = readYaml({ file: EXAMPLES_FILE, text, linesBefore: 0 }, Examples);
  if (read.kind === 'problems') return [{ name: EXAMPLES_FILE, problem: read.problems.map(problemWords).join('; ') }];
  const codeOf = (parts: readonly { readonly name: string; readonly file: string }[], part: string) => {
    const file = parts.find(({ name }) => name === part)?.file;
    return files.find(({ path }) => path === file)?.text;
  };
  const partOf = (example: (typeof read.value.examples)[number]) => {
    if ('gate' in example) return ['gate', example.gate, gates] as const;
    if ('handler' in example) return ['handler', example.handler, handlers] as const;
    return ['function', example.function, functions] as const;
  };
  return read.value.examples.map((example, index): ExampleResult => {
    const [kind, part, parts] = partOf(example);
    const name = `example ${index + 1} (${kind} ${part})`;
    const code = codeOf(parts, part);
    if (code === undefined) return { name, problem: `the skill has no ${kind} ${part}` };
    const wanted = functions.find((one) => one.name === part);
    const problem =
      'gate' in example
        ? tryGate(sandbox, example, code)
        : 'handler' in example
          ? tryHandler(sandbox, skill, example, code)
          : wanted && tryFunction(sandbox, skill, example, wanted, code);
    return { name, problem };
  });
};

/** `all 3 examples pass`, or the first that failed. */
export const describeExamples = (results: readonly ExampleResult[]): string => {
  const failed = results.find(({ problem }) => problem !== undefined);
  if (failed !== undefined) return `${failed.name}: ${failed.problem}`;
  if (results.length === 0) return `it has no examples (${EXAMPLES_FILE})`;
  return results.length === 1 ? 'its example passes' : `all ${results.length} examples pass`;
};

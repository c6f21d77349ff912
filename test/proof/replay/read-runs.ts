/**
 * Reads recorded runs of models in the form of AgentDojo, below a checkout such as AgentDyn's:
 * `runs/<model>/<suite>/<task>/<attack>/*.json`. Kept are runs that did the user's task with no
 * attack, and runs in which an attack succeeded. Nothing of them is stored here, and none of their
 * code runs.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { JsonObject } from '../../../lib/core/base/json.ts';

export interface RecordedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** The answer of the tool. */
  readonly output: string;
}

export interface RecordedRun {
  readonly suite: string;
  readonly asks: string;
  /** The calls of each answer of the model. */
  readonly answers: readonly (readonly RecordedCall[])[];
  /** The attacker's texts; empty for a right run. */
  readonly injected: string;
}

const Content = z.nullish(z.union([z.string(), z.array(z.looseObject({ content: z.nullish(z.string()) }))]));
const Call = z.looseObject({ function: z.string(), args: JsonObject, id: z.nullish(z.string()) });
const Run = z.looseObject({
  suite_name: z.string(),
  utility: z.boolean(),
  security: z.boolean(),
  injection_task_id: z.nullish(z.string()),
  injections: z.record(z.string(), z.string()),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: Content,
      tool_calls: z.nullish(z.array(Call)),
      tool_call_id: z.nullish(z.string()),
    }),
  ),
});

const textOf = (content: z.infer<typeof Content>): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ content: part }) => part ?? '').join('\n');

/** Undefined for a run of another kind, and for one in another form. */
const parseRun = (text: string, isAttack: boolean): RecordedRun | undefined => {
  // Most runs are neither: their JSON is not worth the time.
  if (!text.includes(isAttack ? '"security": true' : '"utility": true')) return undefined;
  const { data: run } = Run.safeParse(JSON.parse(text));
  if (run === undefined || (isAttack ? !run.security : !run.utility || run.injection_task_id)) return undefined;
  const outputs = new Map(run.messages.map((one) => [one.tool_call_id ?? '', textOf(one.content)]));
  // Some models give all calls one id: then the answers stand in the order of the calls.
  const inOrder = run.messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
  const ids = run.messages.flatMap(({ tool_calls: calls }) => (calls ?? []).map(({ id }) => id ?? ''));
  const isNamed = new Set(ids).size === ids.length;
  let count = 0;
  const outputOf = (id: string): string => {
    count += 1;
    return (isNamed ? outputs.get(id) : inOrder[count - 1]) ?? '';
  };
  const answers = run.messages
    .map(({ tool_calls: calls }) =>
      (calls ?? []).map((call) => ({ tool: call.function, args: call.args, output: outputOf(call.id ?? '') })),
    )
    .filter((calls) => calls.length > 0);
  const asks = run.messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content));
  return {
    suite: run.suite_name,
    asks: asks.join('\n'),
    answers,
    injected: isAttack ? Object.values(run.injections).join('\n') : '',
  };
};

/** @param max of each kind, evenly spaced over all that there are */
export const readRuns = (
  root: string,
  max: number,
): { readonly right: readonly RecordedRun[]; readonly attacked: readonly RecordedRun[] } => {
  const paths = globSync('runs/*/*/user_task_*/*/*.json', { cwd: root }).sort();
  const load = (isAttack: boolean): readonly RecordedRun[] => {
    const all = paths
      .filter((path) => path.endsWith('/none/none.json') !== isAttack)
      .flatMap((path) => parseRun(readFileSync(join(root, path), 'utf8'), isAttack) ?? []);
    const step = Math.max(1, Math.ceil(all.length / max));
    return all.filter((_, n) => n % step === 0);
  };
  return { right: load(false), attacked: load(true) };
};

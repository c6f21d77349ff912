/**
 * Runs untrusted code at once, in this thread: code of skills, conditions of jobs. The code defines
 * one function, from plain JSON to plain JSON. It finds the language only, without clock, chance or
 * later work. Steps, memory, stack and output are bounded by counts (`meter-wasm.ts`), and each run
 * begins with the very same memory: a result depends on the code and its input alone, on every
 * machine. Never throws.
 */

import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { ProtocolError } from '../base/errors.ts';
import { type Json, Json as JsonSchema, parseJson } from '../base/json.ts';
import { KIB } from '../base/limits.ts';
import { makeVisible } from '../base/make-visible.ts';
import { once } from '../base/once.ts';
import type { Engine } from './engine.ts';

/** About 50 ms on a machine of two cores: hundreds of times what a rule needs. */
export const SANDBOX_STEPS_MAX = 10_000_000;
/** Enough for any rule, and the function with it fits into its memory. */
export const SANDBOX_MEMORY_BYTES_MAX = 32 * 1024 * KIB;
/** A verdict or four proposals are far shorter. */
export const SANDBOX_OUTPUT_CHARS_MAX = 64 * KIB;
/** Name of the code in its own error messages. */
const FILE = 'code';
/** One line for the author of the code. */
const SAID_CHARS_MAX = 200;

export interface SandboxRun {
  /** Defines the function at its top level: `function gate(action, facts) { … }`. */
  readonly code: string;
  /** Name of the function. */
  readonly call: string;
  /** Its arguments. It gets copies. */
  readonly input: readonly unknown[];
  readonly stepsMax?: number;
  readonly memoryBytesMax?: number;
  readonly charsMax?: number;
}

export interface SandboxProblem {
  readonly kind: 'problem';
  /** `missing`: no such function. `nonsense`: its result is no JSON. */
  readonly why: 'syntax' | 'missing' | 'threw' | 'steps' | 'memory' | 'stack' | 'output' | 'nonsense';
  /** Line of the code where it does not parse. */
  readonly line?: number;
  /** Its own words if it threw: cut, with everything visible. Untrusted, for its author alone. */
  readonly said?: string;
}

export type SandboxOutcome = { readonly kind: 'value'; readonly value: Json } | SandboxProblem;

export interface Sandbox {
  /** `steps`: those it took. */
  readonly run: (job: SandboxRun) => SandboxOutcome & { readonly steps: number };
}

const problem = (why: SandboxProblem['why']): SandboxProblem => ({ kind: 'problem', why });

/** Continues a sentence that begins with the name of the code. Never in the code's own words. */
export const describeProblem = ({ why, line }: SandboxProblem): string => {
  switch (why) {
    case 'syntax':
      return line === undefined ? 'does not parse' : `does not parse (line ${line})`;
    case 'missing':
      return 'does not define its function';
    case 'threw':
      return 'ended with an error';
    case 'steps':
      return 'took too many steps and was ended';
    case 'memory':
      return 'needed more memory than it may have and was ended';
    case 'stack':
      return 'calls itself too deeply and was ended';
    case 'output':
      return 'gave a longer result than it may';
    case 'nonsense':
      return 'gave a result that JSON cannot say';
    default:
      return why satisfies never;
  }
};

/** A member of what was thrown. It may be code again, which is counted too. */
const fieldOf = (context: QuickJSContext, error: QuickJSHandle, name: string): unknown =>
  context.typeof(error) === 'object' ? context.dump(context.getProp(error, name)) : undefined;

const thrown = (context: QuickJSContext, error: QuickJSHandle): SandboxProblem => {
  const kind = context.typeof(error);
  const words = kind === 'string' ? context.getString(error) : fieldOf(context, error, 'message');
  if (kind === 'null' || words === 'out of memory') return problem('memory');
  if (words === 'stack overflow') return problem('stack');
  const said = typeof words === 'string' ? makeVisible(words.slice(0, SAID_CHARS_MAX)).slice(0, SAID_CHARS_MAX) : '';
  return said === '' ? problem('threw') : { ...problem('threw'), said };
};

const notParsed = (context: QuickJSContext, error: QuickJSHandle): SandboxProblem => {
  const line = fieldOf(context, error, 'lineNumber');
  const found = thrown(context, error);
  if (found.why !== 'threw') return found;
  return { ...found, why: 'syntax', ...(typeof line === 'number' ? { line } : {}) };
};

const outcomeOf = ({ context, caller }: Engine, job: SandboxRun): SandboxOutcome => {
  const parsed = context.evalCode(job.code, FILE, { type: 'global', compileOnly: true });
  if (parsed.error !== undefined) return notParsed(context, parsed.error);
  const done = context.evalCode(job.code, FILE, { type: 'global' });
  if (done.error !== undefined) return thrown(context, done.error);
  // A constant of the code is no member of the global object.
  const called = context.evalCode(`typeof ${job.call} === 'function' ? ${job.call} : undefined`, 'call');
  if (called.error !== undefined || context.typeof(called.value) !== 'function') return problem('missing');
  const input = context.newString(JSON.stringify(job.input));
  const result = context.callFunction(caller, context.undefined, called.value, input);
  if (result.error !== undefined) return thrown(context, result.error);
  if (context.typeof(result.value) !== 'string') return problem('nonsense');
  const charsMax = job.charsMax ?? SANDBOX_OUTPUT_CHARS_MAX;
  const length: unknown = context.dump(context.getProp(result.value, 'length'));
  if (typeof length !== 'number' || length > charsMax) return problem('output');
  return { kind: 'value', value: parseJson('the result', context.getString(result.value), JsonSchema) };
};

const runOnce = (engine: Engine, job: SandboxRun): SandboxOutcome => {
  try {
    engine.runtime.setMemoryLimit(job.memoryBytesMax ?? SANDBOX_MEMORY_BYTES_MAX);
    return outcomeOf(engine, job);
  } catch (error) {
    return problem(error instanceof ProtocolError ? 'nonsense' : engine.boundOf(error));
  }
};

const buildRun =
  (engine: Engine): Sandbox['run'] =>
  (job) => {
    const stepsMax = job.stepsMax ?? SANDBOX_STEPS_MAX;
    engine.begin(stepsMax);
    const outcome = runOnce(engine, job);
    return { ...outcome, steps: stepsMax - Math.max(0, engine.stepsLeft()) };
  };

/** Loads the engine once for the process. @throws ConfigError for another engine */
export const loadSandbox = once(async (): Promise<Sandbox> => {
  const { loadEngine } = await import('./engine.ts');
  return { run: buildRun(await loadEngine()) };
});

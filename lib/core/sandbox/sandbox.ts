/**
 * Runs untrusted code while the caller waits: one function, from plain JSON to plain JSON, without
 * clock, chance or later work. All bounds are counts, so a result is the same everywhere. Never
 * throws.
 */

import { ProtocolError } from '../base/errors.ts';
import { type Json, Json as JsonSchema, parseJson } from '../base/json.ts';
import { KIB, SECOND_MS } from '../base/limits.ts';
import { makeVisible } from '../base/make-visible.ts';
import { once } from '../base/once.ts';
import { startThread, type ThreadOutcome, type ThreadProblem } from './thread.ts';

/** Each is ten thousand jumps and calls: about 0.1 seconds, hundreds of times what a rule needs. */
export const SANDBOX_STEPS_MAX = 150;
/** For the few functions of the language that count no step. */
const SANDBOX_TIMEOUT_MS = 5 * SECOND_MS;
/** Enough for any rule, and the function with it fits into its memory. */
const SANDBOX_MEMORY_BYTES_MAX = 32 * 1024 * KIB;
/** A verdict or four proposals are far shorter. */
const SANDBOX_OUTPUT_CHARS_MAX = 64 * KIB;
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
  readonly timeoutMs?: number;
}

export interface SandboxProblem {
  readonly kind: 'problem';
  readonly why: ThreadProblem['why'] | 'threw';
  /** Line of the code where it does not parse. */
  readonly line?: number;
  /** Its own words if it threw: cut, with everything visible. Untrusted, for its author alone. */
  readonly said?: string;
}

export type SandboxOutcome = { readonly kind: 'value'; readonly value: Json } | SandboxProblem;

export interface Sandbox {
  readonly run: (job: SandboxRun) => SandboxOutcome;
}

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

const readOutcome = (outcome: ThreadOutcome): SandboxOutcome => {
  switch (outcome.kind) {
    case 'problem':
      return outcome;
    case 'fault': {
      const said = makeVisible(outcome.text.slice(0, SAID_CHARS_MAX)).slice(0, SAID_CHARS_MAX);
      return { kind: 'problem', why: 'threw', ...(said === '' ? {} : { said }) };
    }
    case 'value':
      try {
        return { kind: 'value', value: parseJson('the result', outcome.text, JsonSchema) };
      } catch (error) {
        if (error instanceof ProtocolError) return { kind: 'problem', why: 'nonsense' };
        throw error;
      }
    default:
      return outcome satisfies never;
  }
};

const callJob = ({ code, call, input, stepsMax, memoryBytesMax, charsMax }: SandboxRun) => ({
  kind: 'call' as const,
  ...{ code, call, input: JSON.stringify(input) },
  stepsMax: stepsMax ?? SANDBOX_STEPS_MAX,
  memoryBytesMax: memoryBytesMax ?? SANDBOX_MEMORY_BYTES_MAX,
  charsMax: charsMax ?? SANDBOX_OUTPUT_CHARS_MAX,
});

/** Starts the thread once for the process, and again after a run that it did not end itself. */
export const loadSandbox = once(async (): Promise<Sandbox> => {
  let thread = startThread();
  await thread.ask(callJob({ code: 'function first() {}', call: 'first', input: [] }), SANDBOX_TIMEOUT_MS);
  return {
    run: (job) => {
      if (thread.isOver()) thread = startThread();
      return readOutcome(thread.askNow(callJob(job), job.timeoutMs ?? SANDBOX_TIMEOUT_MS));
    },
  };
});

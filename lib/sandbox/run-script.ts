/**
 * Runs an untrusted script in a thread (`script-worker.ts`) and puts the outcome into words. The
 * thread ends when its time is over: a regular expression or a sort checks no clock. Rejects only
 * if the thread cannot be made.
 */
import { Worker } from 'node:worker_threads';
import { ProtocolError } from '../base/errors.ts';
import { KIB, SECOND_MS } from '../base/limits.ts';

/** Memory of the sandbox's engine: Act with it must fit into the smallest function. */
const SCRIPT_MEMORY_BYTES_MAX = 16 * 1024 * KIB;
/** Some pages of a table: more than a person reads. */
export const SCRIPT_OUTPUT_CHARS_MAX = 64 * KIB;
/** JSON of the object `state` that a script leaves: one small item of the table. */
export const SCRIPT_STATE_CHARS_MAX = 16 * KIB;
/** Interruptions of a script, each some ten thousand operations: about two seconds in all. */
const SCRIPT_STEPS_MAX = 10_000;
/** The start of the thread included. Act has more time left after its store. */
const SCRIPT_TIMEOUT_MS = 6 * SECOND_MS;

export interface ScriptInput {
  readonly code: string;
  /** Time on the script's clock, epoch milliseconds. */
  readonly now: number;
  /** Most steps; each is about ten thousand operations. */
  readonly stepsMax: number;
  readonly memoryBytesMax: number;
  readonly charsMax: number;
  /** JSON of the object `state` that the script finds; without it there is none. */
  readonly state?: string | undefined;
  readonly stateCharsMax: number;
}

export interface ScriptOptions {
  /** With the start of the thread. */
  readonly timeoutMs?: number | undefined;
  readonly state?: string | undefined;
}

/** A value or a thrown error in words, or the reason the script was ended. */
export type ScriptOutcome =
  | {
      readonly kind: 'value';
      readonly text: string;
      /** JSON of `state` as it was left; absent if there was none, or it is no object of JSON. */
      readonly state?: string;
    }
  | { readonly kind: 'fault'; readonly text: string }
  | {
      readonly kind: 'problem';
      readonly why: 'steps' | 'time' | 'memory' | 'stack' | 'syntax';
      readonly line?: number;
    };

/** Beside this file as source, beside the bundle as a file of its own (`infra/bundling.ts`). */
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './script-worker.ts' : './script-worker.mjs',
  import.meta.url,
);

/** The thread's own heap; the engine's memory is not part of it. */
const THREAD_HEAP_MB = 32;

const start = (code: string, now: number, state: string | undefined): Worker => {
  const input: ScriptInput = {
    code,
    now,
    stepsMax: SCRIPT_STEPS_MAX,
    memoryBytesMax: SCRIPT_MEMORY_BYTES_MAX,
    charsMax: SCRIPT_OUTPUT_CHARS_MAX,
    state,
    stateCharsMax: SCRIPT_STATE_CHARS_MAX,
  };
  return new Worker(WORKER_URL, {
    workerData: input,
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB, maxYoungGenerationSizeMb: 8 },
  });
};

/** @param now on the script's clock */
export const runScript = async (
  code: string,
  now: number,
  { timeoutMs = SCRIPT_TIMEOUT_MS, state }: ScriptOptions = {},
): Promise<ScriptOutcome> => {
  const { promise, resolve } = Promise.withResolvers<ScriptOutcome>();
  const worker = start(code, now, state);
  const timer = setTimeout(() => resolve({ kind: 'problem', why: 'time' }), timeoutMs);
  worker.once('message', (outcome: ScriptOutcome) => resolve(outcome));
  // WebAssembly that runs out of stack or memory ends the thread, not the process.
  worker.once('error', () => resolve({ kind: 'problem', why: 'memory' }));
  worker.once('exit', () => resolve({ kind: 'problem', why: 'memory' }));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};

const CUT = '\n(cut here: the output was longer)';

const withinBounds = (text: string): string =>
  (text.length <= SCRIPT_OUTPUT_CHARS_MAX ? text : `${text.slice(0, SCRIPT_OUTPUT_CHARS_MAX)}${CUT}`).toWellFormed();

/**
 * The outcome as a tool's output. A thrown error is output too.
 * @throws ProtocolError, in fixed words, for a script that does not parse or was ended.
 */
export const scriptOutput = (outcome: ScriptOutcome): string => {
  switch (outcome.kind) {
    case 'value':
      return withinBounds(outcome.text);
    case 'fault':
      return withinBounds(`It ended with an error. ${outcome.text}`);
    case 'problem':
      throw new ProtocolError(`the script ${problemOf(outcome.why, outcome.line)}`);
    default:
      return outcome satisfies never;
  }
};

const problemOf = (why: Extract<ScriptOutcome, { kind: 'problem' }>['why'], line: number | undefined): string => {
  switch (why) {
    case 'syntax':
      return line === undefined ? 'does not parse' : `does not parse (line ${line})`;
    case 'steps':
    case 'time':
      return 'took too long and was ended';
    case 'memory':
      return 'needed more memory than it may have and was ended';
    case 'stack':
      return 'calls itself too deeply and was ended';
    default:
      return why satisfies never;
  }
};

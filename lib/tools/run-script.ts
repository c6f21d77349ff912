/**
 * Runs a script nobody has to trust and puts what came of it into a sentence or a value (`script-worker.ts` says what the
 * script finds). The thread is ended when its time is over, whatever it is doing: a regular expression or a sort asks
 * nobody in between. Never rejects for what a script does; only where the thread cannot be made at all.
 */
import { Worker } from 'node:worker_threads';
import { ProtocolError } from '../base/errors.ts';
import { KIB, SECOND_MS } from '../base/limits.ts';

/** Memory of the sandbox's engine: Act with it must fit into the smallest function. */
const SCRIPT_MEMORY_BYTES_MAX = 16 * 1024 * KIB;
/** What a script in the sandbox may print: more than a person reads, some pages of a table. */
export const SCRIPT_OUTPUT_CHARS_MAX = 64 * KIB;
/** Interruptions of a script, some ten thousand operations apart: about two seconds, and the same on any machine. */
const SCRIPT_STEPS_MAX = 10_000;
/** A script in the sandbox, its thread's start included: well within what Act has left after its store. */
const SCRIPT_TIMEOUT_MS = 6 * SECOND_MS;

/** What the thread is given. */
export interface ScriptInput {
  readonly code: string;
  /** What the clock says, epoch milliseconds. */
  readonly now: number;
  /** Of some ten thousand operations each. */
  readonly stepsMax: number;
  readonly memoryBytesMax: number;
  readonly charsMax: number;
}

/** What the thread answers: a value or a thrown fault in words, or what it gave up on. */
export type ScriptOutcome =
  | { readonly kind: 'value'; readonly text: string }
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

/** Megabytes of the thread's own heap: the engine's memory is not part of it. */
const THREAD_HEAP_MB = 32;

const start = (code: string, now: number): Worker => {
  const input: ScriptInput = {
    code,
    now,
    stepsMax: SCRIPT_STEPS_MAX,
    memoryBytesMax: SCRIPT_MEMORY_BYTES_MAX,
    charsMax: SCRIPT_OUTPUT_CHARS_MAX,
  };
  return new Worker(WORKER_URL, {
    workerData: input,
    env: { TZ: 'UTC' },
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB, maxYoungGenerationSizeMb: 8 },
  });
};

/** @param now what the script's clock says; @param timeoutMs from here to its end, the thread's start included. */
export const runScript = async (
  code: string,
  now: number,
  timeoutMs: number = SCRIPT_TIMEOUT_MS,
): Promise<ScriptOutcome> => {
  const { promise, resolve } = Promise.withResolvers<ScriptOutcome>();
  const worker = start(code, now);
  const timer = setTimeout(() => resolve({ kind: 'problem', why: 'time' }), timeoutMs);
  worker.once('message', (outcome: ScriptOutcome) => resolve(outcome));
  // WebAssembly that runs out of its own stack or memory ends the thread, not the process.
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
 * A script's outcome as a tool's output. What it threw is its own words, and output like any other.
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

/** Runs an untrusted script in a thread of its own, and puts the outcome into words. */
import { ProtocolError } from '../base/errors.ts';
import { KIB, SECOND_MS } from '../base/limits.ts';
import { describeProblem } from './sandbox.ts';
import { startThread, type ThreadOutcome } from './thread.ts';

/** Memory of the sandbox's engine: Act with it must fit into the smallest function. */
const SCRIPT_MEMORY_BYTES_MAX = 16 * 1024 * KIB;
/** Some pages of a table: more than a person reads. */
export const SCRIPT_OUTPUT_CHARS_MAX = 64 * KIB;
/** JSON of the object `state` that a script leaves: one small item of the table. */
const SCRIPT_STATE_CHARS_MAX = 16 * KIB;
/** Each is ten thousand jumps and calls: about two seconds in all. */
const SCRIPT_STEPS_MAX = 10_000;
/** The start of the thread included. Act has more time left after its store. */
const SCRIPT_TIMEOUT_MS = 6 * SECOND_MS;

const BOUNDS = {
  stepsMax: SCRIPT_STEPS_MAX,
  memoryBytesMax: SCRIPT_MEMORY_BYTES_MAX,
  charsMax: SCRIPT_OUTPUT_CHARS_MAX,
  stateCharsMax: SCRIPT_STATE_CHARS_MAX,
};

export interface ScriptOptions {
  /** With the start of the thread. */
  readonly timeoutMs?: number | undefined;
  readonly state?: string | undefined;
}

/** @param now on the script's clock */
export const runScript = async (
  code: string,
  now: number,
  { timeoutMs = SCRIPT_TIMEOUT_MS, state }: ScriptOptions = {},
): Promise<ThreadOutcome> => {
  const thread = startThread();
  try {
    return await thread.ask({ ...BOUNDS, kind: 'program', code, now, state }, timeoutMs);
  } finally {
    await thread.end();
  }
};

const CUT = '\n(cut here: the output was longer)';

const withinBounds = (text: string): string =>
  (text.length <= SCRIPT_OUTPUT_CHARS_MAX ? text : `${text.slice(0, SCRIPT_OUTPUT_CHARS_MAX)}${CUT}`).toWellFormed();

/** A thrown error is output too. @throws ProtocolError if it does not parse or was ended */
export const scriptOutput = (outcome: ThreadOutcome): string => {
  switch (outcome.kind) {
    case 'value':
      return withinBounds(outcome.text);
    case 'fault':
      return withinBounds(`It ended with an error. ${outcome.text}`);
    case 'problem':
      throw new ProtocolError(`the script ${describeProblem(outcome)}`);
    default:
      return outcome satisfies never;
  }
};

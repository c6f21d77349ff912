/**
 * The first thing that is wrong with an export, and how the verifier's parts say so: by throwing
 * it. Imports nothing.
 */

export interface Wrong {
  /** Kind of record; or `file`, `header`, `leaf`, `tile`, `checkpoint`, `key`, `log`. */
  readonly kind: string;
  /** Its id; empty where there is none. */
  readonly id: string;
  /** Its leaf in the log, or null. */
  readonly index: number | null;
  readonly what: string;
}

export class WrongError extends Error {
  override readonly name = 'WrongError';
  readonly wrong: Wrong;
  constructor(wrong: Wrong) {
    super(`${wrong.kind} ${wrong.id}: ${wrong.what}`);
    this.wrong = wrong;
  }
}

/**
 * A declaration, so that the compiler knows that nothing comes after it. @throws WrongError always
 */
export function fail(kind: string, id: string, index: number | null, what: string): never {
  throw new WrongError({ kind, id, index, what });
}

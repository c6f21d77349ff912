/** What the command tells scripts when it ends, and the one error commands end with on purpose. */
import { PassepartoutError } from '../../lib/base/errors.ts';

export const EXIT = {
  /** Done. */
  ok: 0,
  /**
   * The thing failed, was refused, is not in order, could not be asked for, or had not ended when
   * the waiting was over.
   */
  failed: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /**
   * Evidence agrees with itself, but a part is missing, or no key or anchor from outside says that
   * it is the right one.
   */
  unproven: 3,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a code; the message says what is wrong, `advice` what to do about it. */
export class CliError extends PassepartoutError {
  override readonly name: string = 'CliError';
  readonly exitCode: ExitCode;
  readonly advice: string;
  constructor(exitCode: ExitCode, message: string, advice = '') {
    super(message, false);
    this.exitCode = exitCode;
    this.advice = advice;
  }
}

/** A step of the set-up: what it asks for, and how answers are tried before they are written. */
import type { CommandContext } from '../command.ts';
import type { Variables } from '../stack.ts';
import type { Settings } from './env-file.ts';
import type { Questions } from './questions.ts';

export interface StepCheck {
  readonly isOk: boolean;
  /** The other side says no: the values are not written. */
  readonly isRefused?: boolean;
  readonly lines: readonly string[];
}

export interface Step {
  readonly name: string;
  readonly title: string;
  /** Only whoever names it is asked. */
  readonly isAlone?: true;
  /** @param tried did not work just now. @returns new settings; undefined if all stays as it is */
  readonly ask?: (
    questions: Questions,
    variables: Variables,
    context: CommandContext,
    tried?: Settings,
  ) => Promise<Settings | undefined>;
  /** Tries the settings. @param questions absent if nobody can be asked */
  readonly check: (
    variables: Variables,
    context: CommandContext,
    questions?: Questions,
  ) => Promise<StepCheck> | StepCheck;
}

export const fine = (...lines: readonly string[]): StepCheck => ({ isOk: true, lines });
export const wrong = (...lines: readonly string[]): StepCheck => ({ isOk: false, lines });
export const refused = (...lines: readonly string[]): StepCheck => ({ isOk: false, isRefused: true, lines });

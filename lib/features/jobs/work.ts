/** The type of work that jobs may have beside a prompt: a feature performs it, step by step. */

import type { CodeContext } from '../../core/operations/code-context.ts';
import type { Mark } from '../../core/tools/marks.ts';
import type { FormContext } from '../../core/tools/tool.ts';
import type { JobDefinition, Work } from './job.ts';
import type { JobDraft } from './job-draft.ts';

declare module '../../core/operations/hooks.ts' {
  interface FeatureHooks {
    /** Lines about what a run of a job would do now, if this feature performs its work. */
    readonly dryRunJob?: (context: CodeContext, definition: JobDefinition) => Promise<readonly string[]>;
  }
}

export interface JobWork {
  readonly kinds: readonly Exclude<Work['kind'], 'prompt'>[];
  /**
   * The work that a draft names and that nothing else makes; undefined if it names none.
   * @param before the job that is changed
   * @throws ProtocolError that says what is wrong with the draft
   */
  readonly build: (
    draft: JobDraft,
    before: JobDefinition | undefined,
    context: FormContext,
  ) => Promise<Work | undefined>;
  /** Faults of a whole definition, in plain sentences. */
  readonly findProblems: (definition: JobDefinition) => readonly string[];
  /** Lines of the card and of `/jobs show` behind those of the job. */
  readonly describe: (
    definition: JobDefinition,
    context: Pick<FormContext, 'loadLookups'>,
    mark?: Mark,
  ) => Promise<readonly string[]>;
}

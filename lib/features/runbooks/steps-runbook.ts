/**
 * The steps of a job as a runbook, so that its runs are those of a runbook. The same steps always
 * give the same text and hash. A step is tried also behind one that was not done. Pure.
 */
import { canonicalJson } from '../../core/base/canonical.ts';
import type { Run } from '../../core/ledger/run.ts';
import { jobOf } from '../../core/money/day-spend.ts';
import type { RunbookWork, Step, Work } from '../jobs/job.ts';
import { sha256Of } from './begin-run.ts';
import type { RunbookSource } from './parse-runbook.ts';

/** The words of steps hold no templates: braces side by side are put in as inputs. */
const BRACES = /[{}]{2,}/g;
const INPUTS = { open: '{', close: '}' } as const;
const asInputs = (braces: string): string =>
  braces.replace(/./g, (one) => (one === INPUTS.open ? '{{inputs.open}}' : '{{inputs.close}}'));
const hasInputs = (text: string): boolean => text.includes('{{inputs.');

/** A runbook shows each of its characters, so these are spelled. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const spell = (one: string): string => `\\U${(one.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;

interface LiteralFile {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
  readonly steps: readonly object[];
  readonly 'time-limit'?: string;
}

/** The text of a runbook whose steps hold no templates, and the inputs of its runs. */
export const literalRunbook = ({
  steps,
  ...file
}: LiteralFile): { readonly text: string; readonly inputs: Readonly<Record<string, string>> } => {
  const filled: unknown = JSON.parse(JSON.stringify(steps), (_, value) =>
    typeof value === 'string' ? value.replace(BRACES, asInputs) : value,
  );
  const isFilled = hasInputs(JSON.stringify(filled));
  const inputs = isFilled ? { open: { meaning: 'A brace' }, close: { meaning: 'A brace' } } : {};
  return {
    text: canonicalJson({ ...file, inputs, steps: filled }).replace(HIDDEN, spell),
    inputs: isFilled ? INPUTS : {},
  };
};

/** As long as a run may take: cards and machines have bounds of their own. */
const LIMIT = { 'time-limit': '7d' };
// biome-ignore lint/suspicious/noThenProperty: the word of the file's form; nobody awaits it
const COMMON = { ...LIMIT, 'if-fails': { then: 'skip' } };

const runbookOf = (job: string, steps: readonly Step[]) =>
  literalRunbook({
    name: job,
    description: `The steps of the job ${job}.`,
    tools: [...new Set(steps.flatMap((step) => ('say' in step ? [] : [step.tool])))],
    steps: steps.map((step) => ({ ...('say' in step ? { text: step.say } : step), ...COMMON })),
    ...LIMIT,
  });

/** The run of a job's steps: they are a runbook of the job's name. */
export const sourceOf = ({ session, runbook }: Pick<Run, 'session' | 'runbook'>): RunbookSource =>
  jobOf(session) === runbook ? 'steps' : 'file';

/** The runbook that a job runs, with its text if no skill brings it. */
export type KnownWork = RunbookWork & { readonly text?: string };

export const asRunbook = (job: string, work: Exclude<Work, { kind: 'prompt' }>): KnownWork => {
  if (work.kind === 'runbook') return work;
  const { text, inputs } = runbookOf(job, work.steps);
  return { kind: 'runbook', runbook: job, hash: sha256Of(text), inputs, text };
};

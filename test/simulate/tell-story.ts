/** Tells one run as a short story: what was asked, what went wrong, what the outside saw. */
import type { RunResult } from './run.ts';
import type { Step } from './types.ts';

const secondsAfter = (startAt: number, at: number): string => `${((at - startAt) / 1000).toFixed(3).padStart(9)} s`;

const tellStep = (step: Step): string => {
  const when = `${(step.afterMs / 1000).toFixed(1)} s`;
  if (step.kind === 'event') return `after ${when}, ${step.source} sends the event ${step.marker}`;
  if (step.kind === 'place') return `after ${when}, the chat ${step.chat} ${step.befalls}s`;
  if (step.kind === 'order') return `after ${when}, in ${step.conversation}: ${step.text}`;
  if (step.kind === 'files') return `after ${when}, in ${step.conversation}: ${step.marker} with ${step.files.join()}`;
  const where = `by ${step.via} in ${step.conversation}`;
  if (step.kind === 'command') return `after ${when}, ${where}: ${step.command}`;
  const card = step.card === undefined ? '' : `; its card: ${step.card.answer} ${step.card.afterMs / 1000} s later`;
  return `after ${when}, ${where}: ${step.verb} ${step.marker}${card}`;
};

/** A line of the trace with its time. */
export interface TraceLine {
  readonly at: number;
  readonly text: string;
}

/** Lines that a reader needs: the others are requests to the table that went well. */
const isTold = ({ text }: TraceLine): boolean =>
  /^(fault|death|start|invoke) | https?:\/\/| answered | failed /.test(text) || /Message 200/.test(text);

export const tellStory = (result: RunResult, lines: readonly TraceLine[], isWhole: boolean): string => {
  const startAt = lines[0]?.at ?? 0;
  const told = lines.filter((line) => isWhole || isTold(line));
  return [
    `seed ${result.seed}, ${result.story.length} steps, ${result.faults.length} faults, trace ${result.traceHash}`,
    ...result.story.map((step) => `  ${tellStep(step)}`),
    ...told.map(({ at, text }) => `${secondsAfter(startAt, at)}  ${text}`),
    ...result.violations.map(({ rule, sentence }) => `broken: ${rule}: ${sentence}`),
  ].join('\n');
};

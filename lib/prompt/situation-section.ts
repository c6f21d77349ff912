/**
 * The end of a prompt: all that changes from one call to the next (clock, CONTEXT, newer messages, LOGS, a rejection), in
 * one block of the last user message, so that everything before it stays byte-identical and cacheable. Pure.
 */
import { ATTEMPTS_MAX } from '../base/limits.ts';
import { block, cleanText, REJECTED, SITUATION, showPieces } from './blocks.ts';
import type { PromptInput } from './prompt-input.ts';
import { clockText } from './system-section.ts';

/** What of the input is shown, after trimming. */
export interface Shown {
  /** Rendered memory; empty for none. */
  readonly memory: string;
  readonly logs: readonly string[];
  readonly mailbox: PromptInput['mailbox'];
}

const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

const duration = (minutes: number): string => {
  if (minutes < 2 * HOUR_MIN) return `${minutes} min`;
  return minutes < 2 * DAY_MIN ? `${Math.floor(minutes / HOUR_MIN)} h` : `${Math.floor(minutes / DAY_MIN)} days`;
};

const clock = (input: PromptInput): string => {
  const minutes = Math.max(0, Math.floor((input.now - input.sessionStartedAt) / MINUTE_MS));
  return `It is ${clockText(input.now, input.zone)}; this session began ${duration(minutes)} ago.`;
};

/** Facts of CONFIG that change from call to call. */
const live = ({ budgetLeft, grantsInForce }: PromptInput): readonly string[] => [
  ...(budgetLeft === undefined ? [] : [`Budget left: ${cleanText(budgetLeft)}.`]),
  ...(grantsInForce === undefined ? [] : [`Grants in force: ${grantsInForce}.`]),
];

export const showWaiting = (pieces: PromptInput['mailbox'][number]): string => `- ${showPieces(pieces)}`;

export const showLog = (log: string): string => `- ${cleanText(log)}`;

const rejection = (input: PromptInput): readonly string[] => {
  if (input.rejection === undefined) return [];
  const { n, reasons } = input.rejection;
  const lines = reasons.map((reason) => `- ${cleanText(reason)}`);
  const intro = `Your proposal was rejected (attempt ${n} of ${ATTEMPTS_MAX}):`;
  return [block(REJECTED, [intro, ...lines, 'Propose something else, or say plainly what cannot be done.'].join('\n'))];
};

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [[`# ${title}`, ...lines].join('\n')];

export const buildSituation = (input: PromptInput, shown: Shown): string =>
  block(
    SITUATION,
    [
      [clock(input), ...live(input)].join(' '),
      ...section('CONTEXT', shown.memory === '' ? [] : [shown.memory]),
      ...section('NEWER MESSAGES WAITING (answered in their own turn)', shown.mailbox.map(showWaiting)),
      ...section('LOGS', shown.logs.map(showLog)),
      ...rejection(input),
    ].join('\n'),
  );

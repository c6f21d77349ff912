/**
 * The running turn as messages, and the situation that ends them. Each decided proposal is followed
 * by one tool message for each of its calls, as providers demand; a later result (after an
 * approval) is a user message of its own. The situation holds all that changes with each call
 * (clock, CONTEXT, waiting messages, LOGS, a rejection), so that everything before it stays
 * cacheable. Pure.
 */
import { defined } from '../base/defined.ts';
import { ATTEMPTS_MAX } from '../base/limits.ts';
import { holdsSecret } from '../gates/rules/find-secrets.ts';
import type { ChatMessage, ToolCallText } from '../llm/chat.ts';
import type { ProposedCall } from '../signal/decision.ts';
import type { ActionResult } from '../signal/signal.ts';
import { block, cleanText, REJECTED, SITUATION, showPieces, showText } from './blocks.ts';
import type { PromptInput, TurnStep } from './prompt-input.ts';
import { clockText } from './system-section.ts';

const CUT_NOTE = '\n[shortened to fit]';

/** A long output must not push out the words it was asked for. */
const showResult = (result: ActionResult, outputCharsMax: number): string => {
  const isCut = result.output.length > outputCharsMax;
  const output = isCut ? `${result.output.slice(0, outputCharsMax)}${CUT_NOTE}` : result.output;
  return `state: ${result.state}\n${showText(output, result.origin, `result of ${result.tool ?? 'a text'}`)}`;
};

const buildCall = (call: ProposedCall): ToolCallText => ({
  id: call.callId,
  name: call.tool,
  argumentsText: cleanText(JSON.stringify({ ...call.args, explanation: call.explanation })),
});

const NO_RESULT = 'state: unknown\n[no result yet]';

/** Calls without a tool message. `first` is the first one's action number. */
interface OpenCalls {
  readonly calls: readonly ProposedCall[];
  readonly first: number;
}

const NONE: OpenCalls = { calls: [], first: 0 };

interface MessagesDraft {
  readonly messages: ChatMessage[];
  open: OpenCalls;
}

/** Gives every open call its tool message. @returns the other results, in order */
const closeCalls = (
  draft: MessagesDraft,
  results: readonly ActionResult[],
  outputCharsMax: number,
): readonly ActionResult[] => {
  const { calls, first } = draft.open;
  const left = new Set(results.filter((result) => result.tool !== undefined).toSorted((a, b) => a.n - b.n));
  calls.forEach((call, index) => {
    const own = [...left].find((result) => result.n === first + index && result.tool === call.tool);
    if (own !== undefined) left.delete(own);
    const content = own === undefined ? NO_RESULT : showResult(own, outputCharsMax);
    draft.messages.push({ role: 'tool', callId: call.callId, content });
  });
  draft.open = NONE;
  return [...left];
};

const addStep = (draft: MessagesDraft, step: TurnStep, outputCharsMax: number): void => {
  switch (step.kind) {
    case 'input':
      closeCalls(draft, [], outputCharsMax);
      draft.messages.push({ role: 'user', content: showPieces(step.pieces), ...defined({ pictures: step.pictures }) });
      return;
    case 'answer':
      closeCalls(draft, [], outputCharsMax);
      draft.messages.push({
        role: 'assistant',
        content: cleanText(step.text ?? ''),
        calls: step.calls.map(buildCall),
        ...defined({ thoughts: step.thoughts }),
      });
      draft.open = { calls: step.calls, first: step.text === undefined || step.text === '' ? 0 : 1 };
      return;
    case 'results':
      for (const late of closeCalls(draft, step.results, outputCharsMax)) {
        const content = block(`result ${late.tool ?? ''}`, showResult(late, outputCharsMax));
        draft.messages.push({ role: 'user', content });
      }
      return;
    default:
      step satisfies never;
  }
};

/** @param outputCharsMax bound of each result's output */
export const showSteps = (steps: readonly TurnStep[], outputCharsMax: number): readonly ChatMessage[] => {
  const draft: MessagesDraft = { messages: [], open: NONE };
  for (const step of steps) addStep(draft, step, outputCharsMax);
  closeCalls(draft, [], outputCharsMax);
  return draft.messages;
};

/** The parts of the input that fit. */
export interface Shown {
  /** Computed texts, and instructions of the triggered skill by their origin; empty for none. */
  readonly skill: string;
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

/** The parts of CONFIG that change from call to call. */
const liveFacts = ({ budgetLeft, grantsInForce }: PromptInput): readonly string[] => [
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
  const advice = `Propose something else${input.hasOnlyTool === true ? '' : ', or say plainly what cannot be done'}.`;
  return [block(REJECTED, [intro, ...lines, advice].join('\n'))];
};

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [[`# ${title}`, ...lines].join('\n')];

export const buildSituation = (input: PromptInput, shown: Shown): string =>
  block(
    SITUATION,
    [
      [clock(input), ...liveFacts(input)].join(' '),
      ...section('SKILL', shown.skill === '' ? [] : [shown.skill]),
      ...section('CONTEXT', shown.memory === '' ? [] : [shown.memory]),
      ...section('NEWER MESSAGES WAITING (answered in their own turn)', shown.mailbox.map(showWaiting)),
      ...section('LOGS', shown.logs.map(showLog)),
      ...rejection(input),
    ].join('\n'),
  );

export const REDACTED = '[left out: it holds what looks like a secret]';

/** An event that holds a secret is replaced whole (I11): others choose some of its ids. */
export const redactLogs = (logs: readonly string[], secrets: ReadonlyMap<string, string>): readonly string[] => {
  // Look at all of them at once: a secret is almost never there.
  if (logs.length === 0 || !holdsSecret(logs.join('\n'), secrets)) return logs;
  return logs.map((log) => (holdsSecret(log, secrets) ? REDACTED : log));
};

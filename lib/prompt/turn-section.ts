/**
 * The running turn as messages: the words that started it, then for each decided proposal its calls and their results, so
 * that tool results reach the model. Every call gets exactly one tool message, as providers demand; a result that comes
 * later (after an approval) is told in a user message of its own. Pure.
 */
import type { ChatMessage, ToolCallText } from '../llm/chat.ts';
import type { ProposedCall } from '../signal/proposal.ts';
import type { ActionResult } from '../signal/signal.ts';
import { block, cleanText, showPieces, showText } from './blocks.ts';
import type { TurnStep } from './prompt-input.ts';

const CUT_NOTE = '\n[shortened to fit]';

/** One result, its output bounded: a long output must not push out the words it was asked for. */
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

/** Calls that have no tool message yet. `first` is the action number of the first: a text before them is action 0. */
interface OpenCalls {
  readonly calls: readonly ProposedCall[];
  readonly first: number;
}

const NONE: OpenCalls = { calls: [], first: 0 };

interface Draft {
  readonly messages: ChatMessage[];
  open: OpenCalls;
}

/** Gives every open call its tool message; the results of nobody's call are given back, in the order of their actions. */
const closeCalls = (
  draft: Draft,
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

const addStep = (draft: Draft, step: TurnStep, outputCharsMax: number): void => {
  switch (step.kind) {
    case 'input':
      closeCalls(draft, [], outputCharsMax);
      draft.messages.push({ role: 'user', content: showPieces(step.pieces) });
      return;
    case 'answer':
      closeCalls(draft, [], outputCharsMax);
      draft.messages.push({ role: 'assistant', content: cleanText(step.text ?? ''), calls: step.calls.map(buildCall) });
      draft.open = { calls: step.calls, first: step.text === undefined || step.text === '' ? 0 : 1 };
      return;
    case 'results':
      for (const late of closeCalls(draft, step.results, outputCharsMax)) {
        const content = block(`result ${late.tool ?? ''}`, showResult(late, outputCharsMax));
        draft.messages.push({ role: 'user', content });
      }
      return;
    default: {
      step satisfies never;
    }
  }
};

/** `outputCharsMax` bounds each result's output. */
export const showSteps = (steps: readonly TurnStep[], outputCharsMax: number): readonly ChatMessage[] => {
  const draft: Draft = { messages: [], open: NONE };
  for (const step of steps) addStep(draft, step, outputCharsMax);
  closeCalls(draft, [], outputCharsMax);
  return draft.messages;
};

/**
 * The tools that only steps of a runbook call. `ask-person` does nothing but being asked about: the
 * card shows the question, and a yes is its output. `give-answer` takes the model's answer to a
 * question of the runbook; nothing else is offered in that turn.
 */
import * as z from 'zod/mini';
import { parseWith } from '../../core/base/json.ts';
import { quoted } from '../../core/text/quoted.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { defineTool, type ToolForm } from '../../core/tools/tool.ts';

/** A question: a few sentences on a card. */
const QUESTION_CHARS_MAX = 4_000;
/** An answer of the model, whatever the runbook allows. */
const ANSWER_CHARS_MAX = 8_000;

const words = (charsMax: number) => z.string().check(z.regex(/\S/), z.maxLength(charsMax));

const QUESTION = z.strictObject({ question: words(QUESTION_CHARS_MAX) });

/** The card shows the question as it is asked. */
const askForm: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => argumentProblems({ args: QUESTION, fields: ['question'] }, args),
  describe: async (args) => [`Question: ${parseWith('the question', args, QUESTION).question}`],
};

export const askPerson = defineTool({
  name: 'ask-person',
  description: 'Ask an approver a question of the runbook that is answered with yes or no.',
  sentence: ({ question }) => `A runbook asks: ${quoted(question)}`,
  args: QUESTION,
  tier: 'ask',
  isAlwaysAsked: true,
  isQuestion: true,
  loadForm: async () => askForm,
  onlyFor: 'run-step',
  kind: 'read',
  outputOrigin: 'clean',
  run: async () => ({ output: 'yes', origin: 'owner' }),
});

export const giveAnswer = defineTool({
  name: 'give-answer',
  description: 'Give your answer to what the runbook asks.',
  sentence: ({ text }) => `Answer ${quoted(text)}`,
  args: z.strictObject({ text: words(ANSWER_CHARS_MAX) }),
  tier: 'allow',
  onlyFor: 'run-prompt',
  kind: 'read',
  outputOrigin: 'inputs',
  run: async ({ text }) => ({ output: text, origin: 'agent' }),
});

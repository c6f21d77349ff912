/**
 * The fixed 200 turns the cost of models is compared on: ten conversations of twenty, each with
 * small talk, notes and sums that need a tool, questions to think through, a long paste and an
 * answer the rules reject. What the person writes and what the model answers are the same in every
 * run and for every model; only who is asked, and what of the prompt is cached, differs.
 */

export interface ScriptedTurn {
  readonly chat: string;
  readonly text: string;
  /**
   * What a model answers the first time it is asked, by calls or text; `rejected` is an answer the
   * rules refuse.
   */
  readonly first: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> } | 'rejected' | undefined;
  /** Its answer in words, after the tool's result or the rejection where there is one. */
  readonly answer: string;
}

const CONVERSATIONS = 10;

const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, index) => `${seed}${(index * 7) % 31}`).join(' ');

const short = (id: string): string =>
  `Certainly (${id}): it is on your list for this week, and nothing has changed since.`;
const long = (id: string): string => `Here is what speaks for either (${id}): ${words(280, 'point')}.`;

type Kind = 'easy' | 'remember' | 'recall' | 'sum' | 'hard' | 'paste' | 'rejected';

// Of twenty turns nine are small talk, six need a tool, three are hard, one is long and one runs
// into the rules.
const DAY: readonly Kind[] = [
  'easy',
  'remember',
  'easy',
  'recall',
  'easy',
  'hard',
  'easy',
  'sum',
  'easy',
  'remember',
  'rejected',
  'easy',
  'recall',
  'hard',
  'easy',
  'sum',
  'easy',
  'paste',
  'hard',
  'easy',
];

const turnOf = (kind: Kind, chat: string, id: string): ScriptedTurn => {
  switch (kind) {
    case 'easy':
      return { chat, text: `What is next for me today? (${id})`, first: undefined, answer: short(id) };
    case 'remember': {
      const text = `The boiler was serviced by the firm at number ${id}, and comes due in spring.`;
      return {
        chat,
        text: `Please remember this: ${text}`,
        first: { tool: 'remember', args: { text, explanation: 'You asked me to keep it.' } },
        answer: `Noted (${id}).`,
      };
    }
    case 'recall':
      return {
        chat,
        text: `Who serviced the boiler? (${id})`,
        first: { tool: 'recall', args: { query: 'boiler serviced', explanation: 'The answer is among the notes.' } },
        answer: short(id),
      };
    case 'sum':
      return {
        chat,
        text: `How much is 17 times ${id.replace('.', '')} and a half? (${id})`,
        first: {
          tool: 'calculate',
          args: { expression: `17 * ${id.replace('.', '')}.5`, explanation: 'The sum must be exact.' },
        },
        answer: short(id),
      };
    case 'hard':
      return { chat, text: `Compare the two offers, step by step. (${id})`, first: undefined, answer: long(id) };
    case 'paste':
      return {
        chat,
        text: `This came by mail, what does it say? (${id}) ${words(420, 'line')}`,
        first: undefined,
        answer: long(id),
      };
    case 'rejected':
      return {
        chat,
        text: `Which key did we use for the printer? (${id})`,
        first: 'rejected',
        answer: `I cannot show keys (${id}). Look into your key store.`,
      };
    default: {
      const never: never = kind;
      return never;
    }
  }
};

export const TURNS: readonly ScriptedTurn[] = Array.from({ length: CONVERSATIONS }, (_, chat) =>
  DAY.map((kind, turn) => turnOf(kind, `${chat + 1}`, `${chat + 1}.${String(turn + 1).padStart(2, '0')}`)),
).flat();

/** Looks like a provider's key, so that no rule lets it out; belongs to nobody. */
export const REJECTED_ANSWER = `It is ${'sk-proj-'}${'a1B2c3D4e5F6g7H8i9J0'.repeat(3)}.`;

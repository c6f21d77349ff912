/** Verbs that the console alone answers: Perceive has none of their code. */
import * as z from 'zod/mini';
import type { Feature } from '../../operations/feature.ts';
import type { Look } from '../../operations/operation.ts';
import { SHOWN_STATES } from '../../verbs/signals/plain-words.ts';

/** Signals of one answer. */
export const FEED_LIMIT_MAX = 100;
const WORDS_CHARS_MAX = 200;

/** An empty value of a query stands for none. */
const given = <T>(schema: z.ZodMiniType<T>) =>
  z.pipe(
    z.transform((value: unknown) => (value === '' ? undefined : value)),
    z.optional(schema),
  );
const number = (pattern: RegExp, error: string) =>
  given(z.pipe(z.string().check(z.regex(pattern, { error })), z.transform(Number)));
/** Epoch milliseconds, or micro-dollars. */
const count = number(/^\d{1,13}$/, 'must be a whole number from 0, of at most 13 digits');
const whole = given(z.string());

const text = z.string();

export const signals = {
  kind: 'look',
  name: 'signals',
  summary: 'list signals, newest first',
  args: z.strictObject({
    state: given(z.enum(SHOWN_STATES)),
    /** `true`: only signals that nothing else caused, and the steps of runbooks. */
    roots: given(z.string().check(z.regex(/^(?:true|false)$/, { error: 'must be true or false' }))),
    limit: number(/^0{0,2}(?:[1-9]\d?|100)$/, `must be a whole number from 1 to ${FEED_LIMIT_MAX}`),
    cursor: whole,
    /** In the text, the name, the id or another field. */
    words: given(
      z
        .string()
        .check(z.refine(({ length }) => length <= WORDS_CHARS_MAX, `may have at most ${WORDS_CHARS_MAX} characters`)),
    ),
    ...{ outcome: whole, channel: whole, source: whole, job: whole, tool: whole },
    ...{ from: count, to: count, cost: count },
  }),
  data: z.looseObject({
    /** As `ListedSignal` has them. */
    signals: z.array(
      z.looseObject({
        ...{ id: text, state: text, source: text, session: text, sensor: z.optional(text), receivedAt: z.int(), text },
        ...{ answeredIn: z.optional(text), outcome: z.optional(text), about: z.optional(z.unknown()) },
      }),
    ),
    /** How many that were read fit all filters but the outcome, by outcome. */
    counts: z._default(z.record(text, z.int()), {}),
    /** How many entries this release cannot read. */
    unread: z.exactOptional(z.int()),
    cursor: z.exactOptional(text),
  }),
  needs: 'owner',
  doors: ['command-line', 'http'],
} as const satisfies Look;

export const CONSOLE_VERBS: Feature = {
  name: 'console',
  operations: [signals],
  loadHandlers: async () => (await import('./lazy.ts')).CONSOLE_HANDLERS,
};

/** Verbs that the console alone answers: Perceive has none of their code. */
import * as z from 'zod/mini';
import type { Feature } from '../../operations/feature.ts';
import type { Change, Direct, Look } from '../../operations/operation.ts';
import { UsageError, usageOf } from '../../operations/read-words.ts';
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

const accepted = z.looseObject({ id: text });

export const redrive = {
  kind: 'direct',
  name: 'redrive',
  summary: 'take up a dead-lettered signal again; nothing already done is repeated',
  args: z.strictObject({ signal: text.check(z.describe('its id, or the start of it')) }),
  words: ['signal'],
  data: accepted,
  said: ({ id }) => `${id} is on its way again`,
  needs: 'approver',
  doors: ['command-line', 'http'],
} as const satisfies Direct<z.ZodMiniObject, typeof accepted>;

const resolved = z.looseObject({ id: text, n: z.int(), resolution: z.enum(['done', 'retry']) });

export const effectsResolve = {
  kind: 'direct',
  name: 'effects resolve',
  summary: 'say what became of an effect that failed or is unknown: it happened, or may be tried again',
  args: z.strictObject({ signal: text, n: z.int(), resolution: resolved.shape.resolution }),
  words: ['signal', 'n', 'resolution'],
  /** `<signal>#<n> done`, or `<signal> <n> done` */
  readWords: (rest: string) => {
    const [, signal, n, resolution] = /^([^\s#]+)[# ](\d{1,3}) (done|retry)$/.exec(rest) ?? [];
    if (signal === undefined) throw new UsageError(usageOf(effectsResolve));
    return { signal, n: Number(n), resolution };
  },
  form: '<signal>#<n> done|retry',
  data: resolved,
  said: ({ id, n, resolution }) =>
    `effect ${n} of ${id} ${resolution === 'done' ? 'counts as done' : 'will be tried again'}`,
  needs: 'approver',
  isDefault: true,
  doors: ['command-line', 'http'],
} as const satisfies Direct<z.ZodMiniObject, typeof resolved>;

/** The control function answers it too, and `resume`. */
export const stop = {
  kind: 'direct',
  name: 'stop',
  summary: 'stop every action at once',
  args: z.strictObject({}),
  data: accepted,
  said: () => 'Stopped: nothing is done until "npx passepartout resume".',
  needs: 'owner',
  doors: ['command-line', 'http'],
} as const satisfies Direct<z.ZodMiniObject, typeof accepted>;

export const resume = {
  kind: 'change',
  name: 'resume',
  summary: 'carry on after a stop',
  args: z.strictObject({
    session: z.optional(text.check(z.describe('only this conversation, such as telegram:7, that was stopped'))),
  }),
  needs: 'approver',
  doors: ['command-line', 'http'],
} as const satisfies Change;

export const CONSOLE_VERBS: Feature = {
  name: 'console',
  operations: [signals, stop, resume, redrive, effectsResolve],
  loadHandlers: async () => {
    const { GO_ON_HANDLERS, LIST_HANDLERS } = await import('./lazy.ts');
    return [...LIST_HANDLERS, ...GO_ON_HANDLERS];
  },
};

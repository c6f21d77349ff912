/**
 * Follows a turn by the console's stream, which holds only text that passed the hold-back, until
 * it ends, waits for a person, or takes too long. Its draft may be shown as it comes; the end says
 * what the answer is.
 */
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { readJson } from '../../core/base/json.ts';
import { LANGUAGES } from '../../core/base/language.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import { HttpError } from '../../core/http/function-url.ts';
import { type AskConsole, signalPath } from '../door/tools.ts';
import { responseTexts } from './texts.ts';

/** The function itself ends ten seconds later. */
export const FOLLOW_MS_MAX = 110 * SECOND_MS;
/** Pause before a turn that seems over, or cannot be streamed, is looked at again. */
const LOOK_MS = SECOND_MS;
/** A stream that gave way asks for none for so long: it would push out another. */
const GAVE_WAY_MS = 15 * SECOND_MS;
/** A silent connection of a client ends sooner or later: half a minute is the shortest bound. */
export const KEEP_ALIVE_MS = 10 * SECOND_MS;

export interface FollowDeps {
  readonly ask: AskConsole;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Address at which an approver decides. */
  readonly page: string;
}

export const Shown = z.object({
  id: z.string(),
  turn: z.enum(['running', 'waiting', 'ended']),
  isTurnClosed: z.boolean(),
  outcome: z.optional(z.enum(['done', 'failed', 'refused', 'unknown'])),
  /** Epoch milliseconds. */
  receivedAt: z.int(),
  usage: z.object({ input: z.int(), output: z.int() }),
  words: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
  conversation: z.string(),
  language: z.enum(LANGUAGES),
});
export type Shown = z.infer<typeof Shown>;

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** The console's refusal, in its words. */
export const refusalOf = (status: number, value: unknown): HttpError => {
  const { data } = Refusal.safeParse(value);
  return status < 400 || data === undefined
    ? new HttpError(503, 'unavailable', 'the console did not answer; try again')
    : new HttpError(status, data.error.code, data.error.message);
};

/** @throws HttpError with the console's status */
export const loadShown = async (ask: AskConsole, id: string): Promise<Shown> => {
  const { status, value } = await ask({ method: 'GET', path: signalPath(id).replace('/signals/', '/responses/') });
  const { data } = Shown.safeParse(value);
  if (status === 404) throw new HttpError(404, 'not_found', 'there is no such response');
  if (status !== 200 || data === undefined) throw refusalOf(status, value);
  return data;
};

/** All that a program is told of a turn, as it is now. */
export const sayShown = async (shown: Shown, page: string): Promise<string> => {
  const say = await responseTexts.in(shown.language);
  const { id, turn, words, calls, outcome = 'done' } = shown;
  const state = turn === 'waiting' ? say.waits(page, id) : turn === 'running' ? say.atWork(id) : '';
  const all = [words, state].filter((one) => one !== '').join('\n\n');
  return all === '' && calls.length === 0 ? say.ended[outcome] : all;
};

const Event = z.looseObject({
  type: z.string(),
  text: z.optional(z.string()),
  replies: z.optional(z.array(z.string())),
});

interface Draft {
  /** Answers before the one that is written. */
  before: string;
  written: string;
  lastEventId: string | undefined;
}

type Heard = 'on' | 'end' | 'gave-way';

const hear = (draft: Draft, events: string): Heard => {
  for (const block of events.split('\n\n')) {
    const { data } = Event.safeParse(readJson(/^data: (.*)$/m.exec(block)?.[1] ?? ''));
    if (data === undefined) continue;
    draft.lastEventId = /^id: (.*)$/m.exec(block)?.[1] ?? draft.lastEventId;
    if (data.type === 'end' || data.type === 'gave-way') return data.type;
    if (data.type === 'next') {
      draft.before = (data.replies ?? []).map((reply) => `${reply}\n\n`).join('');
      draft.written = '';
    }
    draft.written += data.text ?? '';
  }
  return 'on';
};

const look = async (ask: AskConsole, id: string, draft: Draft): Promise<Heard> => {
  const { lastEventId } = draft;
  const path = `${signalPath(id)}/stream`;
  const { status, text = '' } = await ask({ method: 'GET', path, ...defined({ lastEventId }) });
  return status === 200 ? hear(draft, text) : 'gave-way';
};

/**
 * @param onText takes all of the answer so far, after each look: also if nothing came
 * @throws HttpError, UnavailableError
 */
export const follow = async (
  { ask, now, sleep }: Pick<FollowDeps, 'ask' | 'now' | 'sleep'>,
  id: string,
  onText: (text: string) => void,
): Promise<Shown> => {
  const until = now() + FOLLOW_MS_MAX;
  const draft: Draft = { before: '', written: '', lastEventId: undefined };
  let streamsFrom = 0;
  for (let hasLookedTwice = false; ; ) {
    const isHeld = now() < streamsFrom;
    const heard = isHeld ? 'gave-way' : await look(ask, id, draft);
    if (heard === 'gave-way' && !isHeld) streamsFrom = now() + GAVE_WAY_MS;
    onText(draft.before + draft.written);
    if (heard === 'on' && now() < until) continue;
    const shown = await loadShown(ask, id);
    const isOver = shown.turn === 'waiting' || (shown.turn === 'ended' && (shown.isTurnClosed || hasLookedTwice));
    if (isOver || now() >= until) return shown;
    hasLookedTwice = shown.turn === 'ended';
    await sleep(LOOK_MS);
  }
};

/**
 * POST /api/responses → 202 {"id"}: the words of a program's person, with what the program adds to
 * them, which is untrusted text. Earlier turns are left out if the newest answer among them is
 * ours: the conversation holds them. GET /api/responses/<id> → what became of it, to the token
 * whose conversation it is in, and to nobody else.
 */
import * as z from 'zod/mini';
import { HISTORY_TURNS_MAX, SIGNAL_TEXT_CHARS_MAX } from '../../core/base/limits.ts';
import { buildSaid, namespaceOf, PostedMessage, wordsOf } from '../../core/channels/console/parse-message.ts';
import { payloadOfTyped, readTyped } from '../../core/channels/read-typed.ts';
import { accept, configOf } from '../../core/edge/console/messages.ts';
import {
  type ConsoleDeps,
  noSuchSignal,
  parseBody,
  parseSignalId,
  type RouteCall,
} from '../../core/edge/console/router.ts';
import type { Caller } from '../../core/edge/console/tokens.ts';
import { HttpError, type HttpResponse, respondJson } from '../../core/http/function-url.ts';
import { languageOf, loadOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { loadHead } from '../../core/ledger/session-controls.ts';
import type { Payload, TextPiece } from '../../core/signal/signal.ts';
import { loadDescendants } from '../../core/verbs/signals/load-story.ts';
import { buildTurnView } from '../../core/verbs/signals/signal-view.ts';
import { loadStoredSignal, type StoredSignal } from '../../core/verbs/signals/stored-signal.ts';
import { splitCalls } from './call-lines.ts';
import { FUNCTIONS_LABEL, offeredIn } from './functions.ts';
import { FUNCTIONS_MAX, NamedFunction, offerFunctions } from './offer.ts';

/** Turns among which the newest answer that a program knows is looked for: some were asked anew. */
const ANSWERS_COMPARED_MAX = 3;

const Text = z.string().check(z.maxLength(SIGNAL_TEXT_CHARS_MAX));
export const ResponseBody = z.strictObject({
  ...PostedMessage.shape,
  text: z.optional(PostedMessage.shape.text),
  instructions: z.optional(Text),
  results: z.optional(Text),
  functions: z.optional(z.array(NamedFunction).check(z.maxLength(FUNCTIONS_MAX))),
  /** Earlier turns, and the newest answer among them. */
  earlier: z.optional(z.object({ text: Text, last: Text })),
});
export type ResponseBody = z.infer<typeof ResponseBody>;

type Lookup = Pick<ConsoleDeps, 'table' | 'space'>;

/** A program reads no card: it is told where a person decides. */
const withoutCards = (stored: StoredSignal): StoredSignal => ({
  ...stored,
  effects: stored.effects.filter(({ n }) => stored.decision?.actions[n]?.action.card === undefined),
});

const loadAnswer = async ({ table, space }: Lookup, id: string) => {
  const load = (one: string) => loadStoredSignal(table, space, one);
  const found = await load(id);
  if (found === undefined) return undefined;
  const stored = withoutCards(found);
  const others = (await loadDescendants(load, found)).map(withoutCards);
  const view = buildTurnView(stored, others);
  const attempts = [stored, ...others].flatMap((one) => one.attempts);
  const sum = (count: 'inputTokens' | 'outputTokens') => attempts.reduce((all, one) => all + (one[count] ?? 0), 0);
  return {
    signal: stored.record.signal,
    view,
    text: view.replies.join('\n\n'),
    usage: { input: sum('inputTokens'), output: sum('outputTokens') },
  };
};

/** To take foreign words for ours only leaves them out. */
const isOurs = async (deps: Lookup, session: string, last: string): Promise<boolean> => {
  const head = await loadHead(deps.table, { space: deps.space, session });
  const newest = (head?.recent ?? []).slice(-HISTORY_TURNS_MAX).toReversed().slice(0, ANSWERS_COMPARED_MAX);
  for (const id of newest) {
    // A sentence of the door names the turn.
    if (last.includes(id) || (await loadAnswer(deps, id))?.text.trim() === last.trim()) return true;
  }
  return false;
};

/** A model speaks here, and may not approve. @returns the beginning of its conversations */
const requireScript = (caller: Caller): string => {
  if (caller.kind === 'script') return namespaceOf(caller.name);
  throw new HttpError(403, 'forbidden', "this takes no approver's token: give the program one of API_TOKENS");
};

const outside = (label: string, text = ''): readonly TextPiece[] =>
  text === '' ? [] : [{ text, origin: 'outside', label }];

const postResponse = async (deps: ConsoleDeps, call: RouteCall): Promise<HttpResponse> => {
  requireScript(call.caller);
  const { text, instructions, results, functions = [], earlier, ...said } = parseBody(call.request, ResponseBody);
  const { session: conversation = 'main', idempotencyKey } = said;
  const config = configOf(deps, call.caller);
  const build = (payload: Payload) =>
    buildSaid(config, payload, { conversation, idempotencyKey, isCommandLine: false });
  const typed = text === undefined ? undefined : payloadOfTyped(readTyped(text));
  if (typed !== undefined) return accept(deps, call, build(typed));
  const words = text === undefined ? undefined : wordsOf(text, config.speaker);
  const session = build({ sensor: 'chat-message', text: [] }).session;
  const isForeign = earlier !== undefined && !(await isOurs(deps, session, earlier.last));
  const payload: Payload = {
    sensor: 'chat-message',
    text: [
      ...(words?.sensor === 'chat-message' ? words.text : []),
      ...outside('results of functions', results),
      ...(isForeign ? outside('earlier turns', earlier.text) : []),
      ...outside('instructions of the program', instructions),
      ...outside(FUNCTIONS_LABEL, functions.length === 0 ? '' : JSON.stringify(offerFunctions(functions))),
    ],
  };
  return accept(deps, call, build(payload));
};

const showResponse = async (deps: ConsoleDeps, { caller, params }: RouteCall): Promise<HttpResponse> => {
  const own = requireScript(caller);
  const answer = await loadAnswer(deps, parseSignalId(params[0]));
  if (answer?.signal.session.startsWith(own) !== true || answer.signal.depth > 0) throw noSuchSignal();
  const { signal, view, text, usage } = answer;
  const names = new Set(offeredIn(signal.payload)?.map(({ own }) => own));
  const { id, turn, isTurnClosed, outcome, receivedAt } = view;
  return respondJson(200, {
    ...{ id, turn, isTurnClosed, outcome, receivedAt, usage },
    ...splitCalls(text, names),
    conversation: signal.session.slice(own.length),
    language: languageOf(await loadOwnerSettings(deps.table, deps.space), signal.reply),
  });
};

export const RESPONSES_CONSOLE = { postResponse, showResponse } as const;

/**
 * The signal: the one envelope everything that arrives is turned into. It is written once, at ingress, and never changed;
 * what happens to it lives beside it (state on the record, attempts, decision, effects).
 *
 * `text` in a payload comes as pieces with an origin (I13): `owner` only when the owner or a named approver typed it.
 * Nothing in an envelope can say that something was approved (I5): there is no such field, and unknown fields are refused.
 */
import * as z from 'zod/mini';
import { asText, JsonObject } from '../base/json.ts';
import { DEPTH_MAX, SIGNAL_TEXT_CHARS_MAX, SUMMARY_TURNS_MAX } from '../base/limits.ts';
import { childId } from './ids.ts';

/**
 * - `reflex`: answered by code at zero tokens, at once, without waiting for the session's running turn
 * - `reason`: goes to the model, one turn at a time per session
 * - `ingest`: changes memory or the focus and ends; nobody is answered
 * - `drop`:   recorded and ended with a reason
 */
export type Route = 'reflex' | 'reason' | 'ingest' | 'drop';

export const SENSORS = {
  'user-input': 'reason',
  'chat-message': 'reason',
  webhook: 'reason',
  'tool-output': 'reason',
  'tool-error': 'reason',
  'loop-error': 'reason',
  'approval-decided': 'reason',
  'job-due': 'reason',
  'session-summary': 'reason',
  command: 'reflex',
  interrupt: 'reflex',
  resume: 'reflex',
  'approval-decision': 'reflex',
  'send-again': 'reflex',
  'unpaired-chat': 'reflex',
  'over-quota': 'reflex',
  pairing: 'reflex',
  notice: 'reflex',
  'buffer-update': 'ingest',
  'point-update': 'ingest',
  heartbeat: 'drop',
} as const satisfies Record<string, Route>;

export type Sensor = keyof typeof SENSORS;

export const SENSOR_NAMES: readonly Sensor[] = Object.keys(SENSORS).filter((name): name is Sensor => name in SENSORS);

export const routeOf = (sensor: Sensor): Route => SENSORS[sensor];

export const SIGNAL_SCHEMA_VERSION = 1;

/** Who a piece of text comes from. Joins go to the worse: outside > agent > owner. */
export const Origin = z.enum(['owner', 'agent', 'outside']);
export type Origin = z.infer<typeof Origin>;

/** A piece of text with the person or thing it came from. `label` says what it is ("forward", "caption", "display name"). */
export const TextPiece = z.strictObject({
  text: z.string().check(z.maxLength(SIGNAL_TEXT_CHARS_MAX)),
  origin: Origin,
  label: z.optional(z.string().check(z.maxLength(64))),
});
export type TextPiece = z.infer<typeof TextPiece>;

/** Where replies to a signal go: recorded by ingress from the authenticated request, never from text. */
export const ReplyRoute = z.strictObject({
  target: z.enum(['telegram', 'console', 'system']),
  /** Telegram chat id, or console session name; empty for `system`. */
  to: z.string().check(z.maxLength(128)),
});
export type ReplyRoute = z.infer<typeof ReplyRoute>;

/** The person behind a signal, as the ingress authenticated them. */
export const Sender = z.strictObject({
  /** `telegram:<user id>`, `console-approver`, `script:<name>`, `webhook:<source>`, `system`. */
  id: z.string().check(z.maxLength(128)),
  /** May decide approvals. */
  isApprover: z.boolean(),
});
export type Sender = z.infer<typeof Sender>;

/** Result of one action of an earlier signal, as it comes back to the model. */
export const ActionResult = z.strictObject({
  /** Index of the action in the parent's decision. */
  n: z.int().check(z.nonnegative()),
  tool: z.optional(z.string()),
  state: z.enum(['done', 'failed', 'unknown', 'refused', 'suspended']),
  output: z.string(),
  origin: Origin,
});
export type ActionResult = z.infer<typeof ActionResult>;

const text = z.array(TextPiece).check(z.maxLength(16));
const approvalId = z.string().check(z.regex(/^[0-9a-f]{32}$/));

/** `<channel>:<name>`, such as `telegram:7`. */
export const SessionName = z.string().check(z.regex(/^[a-z]+:[A-Za-z0-9_.:-]{1,60}$/));

export const Payload = z.discriminatedUnion('sensor', [
  z.strictObject({ sensor: z.literal('user-input'), text }),
  z.strictObject({ sensor: z.literal('chat-message'), text }),
  z.strictObject({ sensor: z.literal('webhook'), source: z.string(), event: z.string(), body: JsonObject, text }),
  z.strictObject({ sensor: z.literal('tool-output'), results: z.array(ActionResult) }),
  z.strictObject({ sensor: z.literal('tool-error'), results: z.array(ActionResult) }),
  z.strictObject({ sensor: z.literal('loop-error'), stage: z.string(), message: z.string() }),
  z.strictObject({
    sensor: z.literal('approval-decided'),
    decision: z.enum(['denied', 'expired']),
    n: z.int(),
    results: z.array(ActionResult),
  }),
  /** A slash command, already split: `/why abc` is name `why`, rest `abc`. */
  z.strictObject({ sensor: z.literal('command'), name: z.string(), rest: z.string() }),
  z.strictObject({ sensor: z.literal('interrupt') }),
  /** Of one conversation where it names one; else of the space, and of the conversation it was said in. */
  z.strictObject({ sensor: z.literal('resume'), session: z.optional(SessionName) }),
  /** A person's decision on an approval. Who decided is the sender; where the card was shown is `card`. */
  z.strictObject({
    sensor: z.literal('approval-decision'),
    approvalId,
    decision: z.enum(['approve', 'deny', 'allow-similar', 'show-similar', 'hide-similar']),
    /** Which of the bounds that a card showed at that moment (epoch milliseconds) are granted. */
    choice: z.optional(z.strictObject({ n: z.int(), at: z.int() })),
    card: z.optional(z.strictObject({ chat: z.string(), message: z.int() })),
  }),
  /**
   * A person wants action `n` of that signal sent again, of whose last try nobody knows the
   * outcome. Tapped in this chat.
   */
  z.strictObject({
    sensor: z.literal('send-again'),
    signalId: z.string(),
    n: z.int(),
    tries: z.int(),
    chat: z.string(),
    message: z.int(),
  }),
  z.strictObject({ sensor: z.literal('unpaired-chat') }),
  /** The day's first message beyond a quota, without its words; later ones are not stored. */
  z.strictObject({
    sensor: z.literal('over-quota'),
    account: z.enum(['person', 'conversation', 'source']),
    limit: z.int(),
  }),
  z.strictObject({ sensor: z.literal('pairing'), outcome: z.enum(['paired', 'wrong-code']) }),
  /** Work a schedule asks for; `slot` is the time it was due, epoch milliseconds. */
  z.strictObject({ sensor: z.literal('job-due'), job: z.string(), slot: z.int(), text }),
  /** The oldest turns of a conversation are to be summarised: their roots, oldest first, and the summary there is. */
  z.strictObject({
    sensor: z.literal('session-summary'),
    turns: z.array(z.string().check(z.maxLength(256))).check(z.minLength(1), z.maxLength(SUMMARY_TURNS_MAX)),
    summary: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
  }),
  /** An editor's buffer as a tree, and where its cursor is. */
  z.strictObject({ sensor: z.literal('buffer-update'), tree: JsonObject }),
  z.strictObject({ sensor: z.literal('point-update'), objectId: z.string().check(z.maxLength(128)) }),
  /** A tick of the schedule; `scheduledAt` in epoch milliseconds. */
  z.strictObject({ sensor: z.literal('heartbeat'), scheduledAt: z.int() }),
  /** A text made by code from a fixed template; its decision is stored with it. */
  z.strictObject({ sensor: z.literal('notice'), template: z.string() }),
]);
export type Payload = z.infer<typeof Payload>;

export const Signal = z.strictObject({
  schemaVersion: z.literal(SIGNAL_SCHEMA_VERSION),
  id: z.string().check(z.regex(/^[a-z]+-[A-Za-z0-9_.:-]{1,80}(\/[a-z0-9-]{1,12}){0,12}$/)),
  type: z.enum(['EVENT', 'REQUEST', 'RESPONSE', 'LOG', 'STATUS']),
  source: z.string().check(z.maxLength(64)),
  space: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/)),
  session: SessionName,
  /** Id of the signal that started the turn; its own id for a root. */
  root: z.string(),
  /** Id of the signal that caused this one; absent on a root. */
  parent: z.optional(z.string()),
  depth: z.int().check(z.nonnegative(), z.maximum(DEPTH_MAX + 1)),
  /** When ingress accepted it, epoch milliseconds. */
  receivedAt: z.int(),
  sender: Sender,
  reply: ReplyRoute,
  payload: Payload,
});
export type Signal = z.infer<typeof Signal>;

/** A signal as it is stored: it never changes and is always read whole. */
export const StoredSignal = asText(Signal);

/** States of a signal's record. The first three are under way, `suspended` waits for a person, the rest are final. */
export const SignalState = z.enum([
  'received',
  'perceived',
  'reasoned',
  'suspended',
  'acted',
  'refused',
  'dropped',
  'dead-lettered',
]);
export type SignalState = z.infer<typeof SignalState>;

const FINAL_STATES: readonly SignalState[] = ['acted', 'refused', 'dropped', 'dead-lettered'];
export const isFinal = (state: SignalState): boolean => FINAL_STATES.includes(state);

/** The worst of several origins; text nobody is named for counts as the agent's own. */
export const joinOrigins = (origins: readonly Origin[]): Origin => {
  if (origins.includes('outside')) return 'outside';
  return origins.every((origin) => origin === 'owner') && origins.length > 0 ? 'owner' : 'agent';
};

/** @param suffix last part of its id, fixed by what it is, so that a repeat makes the same child; @param now epoch milliseconds. */
export const buildChild = (parent: Signal, suffix: string, payload: Payload, now: number): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id: childId(parent.id, suffix),
  type: 'EVENT',
  source: 'system',
  space: parent.space,
  session: parent.session,
  root: parent.root,
  parent: parent.id,
  depth: parent.depth + 1,
  receivedAt: now,
  sender: { id: 'system', isApprover: false },
  reply: parent.reply,
  payload,
});

/** @param rest what stands behind the word. Anything but nothing or one conversation's name is no resume: it is answered, and lifts nothing. */
export const buildResume = (rest: string): Payload => {
  const named = rest.trim();
  if (named === '') return { sensor: 'resume' };
  const session = SessionName.safeParse(named);
  return session.success
    ? { sensor: 'resume', session: session.data }
    : { sensor: 'command', name: 'resume', rest: named };
};

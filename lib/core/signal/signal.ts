/**
 * The signal: the one envelope of everything that arrives. The ingress writes it once; its states,
 * attempts, decision and effects lie beside it. Text comes in pieces with an origin (I13). No field
 * can say that something was approved (I5), and unknown fields are refused.
 */

import * as z from 'zod/mini';
import { asText, JsonObject } from '../base/json.ts';
import { DEPTH_MAX, SIGNAL_TEXT_CHARS_MAX, SUMMARY_TURNS_MAX } from '../base/limits.ts';
import { ChannelId } from './channels.ts';
import { CARRIES_NEWS, childId, isChoiceId } from './ids.ts';

/**
 * - `reflex`: code answers at once, at zero tokens, without waiting for the running turn
 * - `reason`: goes to the model, one turn at a time
 * - `ingest`: changes memory or the focus and ends; nobody is answered
 * - `drop`: recorded and ended with a reason
 */
export type Route = 'reflex' | 'reason' | 'ingest' | 'drop';

const SENSORS = {
  'chat-message': 'reason',
  webhook: 'reason',
  'tool-output': 'reason',
  'tool-error': 'reason',
  'loop-error': 'reason',
  'approval-decided': 'reason',
  'job-due': 'reason',
  'session-summary': 'reason',
  'run-prompt': 'reason',
  command: 'reflex',
  interrupt: 'reflex',
  resume: 'reflex',
  'approval-decision': 'reflex',
  'send-again': 'reflex',
  'unpaired-chat': 'reflex',
  'over-quota': 'reflex',
  pairing: 'reflex',
  notice: 'reflex',
  'skill-event': 'reflex',
  'run-step': 'reflex',
  'buffer-update': 'ingest',
  'point-update': 'ingest',
  heartbeat: 'drop',
} as const satisfies Record<string, Route>;

export type Sensor = keyof typeof SENSORS;

export const SENSOR_NAMES: readonly Sensor[] = Object.keys(SENSORS).filter((name): name is Sensor => name in SENSORS);

export const routeOf = (sensor: Sensor): Route => SENSORS[sensor];

export const SIGNAL_SCHEMA_VERSION = 1;

/** Origin of a text. The worse one wins: outside > agent > owner. */
export const Origin = z.enum(['owner', 'agent', 'outside']);
export type Origin = z.infer<typeof Origin>;

/** A text with its origin. `label` says what it is ("forward", "caption", "display name"). */
export const TextPiece = z.strictObject({
  text: z.string().check(z.maxLength(SIGNAL_TEXT_CHARS_MAX)),
  origin: Origin,
  label: z.optional(z.string().check(z.maxLength(64))),
});
export type TextPiece = z.infer<typeof TextPiece>;

/** Stands before the words of a message that corrects an earlier one. */
export const CORRECTION: TextPiece = {
  text: '[an earlier message was edited; this is how it reads now]',
  origin: 'agent',
  label: 'note',
};

/** Destination of replies: taken from the authenticated request, never from text. */
export const ReplyRoute = z.strictObject({
  target: z.enum([...ChannelId.options, 'system']),
  /** Telegram chat id, or console session name; empty for `system`. */
  to: z.string().check(z.maxLength(128)),
  /** Topic of the Telegram chat; absent outside topics. */
  topic: z.optional(z.int()),
});
export type ReplyRoute = z.infer<typeof ReplyRoute>;

/** The person behind a signal, as the ingress authenticated them. */
export const Sender = z.strictObject({
  /**
   * `telegram:<user id>`, `console-approver`, `script:<name>`, `webhook:<source>`, `job:<name>`,
   * `run:<id>`, `system`.
   */
  id: z.string().check(z.maxLength(128)),
  /** May decide approvals. */
  isApprover: z.boolean(),
});
export type Sender = z.infer<typeof Sender>;

/** Result of an earlier signal's action, as the model sees it. */
export const ActionResult = z.strictObject({
  /** Index of the action in the parent's decision. */
  n: z.int().check(z.nonnegative()),
  tool: z.optional(z.string()),
  state: z.enum(['done', 'failed', 'unknown', 'refused', 'suspended']),
  output: z.string(),
  origin: Origin,
});
export type ActionResult = z.infer<typeof ActionResult>;

/** Pieces of one message. */
export const TEXT_PIECES_MAX = 16;
const text = z.array(TextPiece).check(z.maxLength(TEXT_PIECES_MAX));
const approvalId = z.string().check(z.regex(/^[0-9a-f]{32}$/));

/** `<channel>:<name>`, such as `telegram:7`. */
export const SessionName = z.string().check(z.regex(/^[a-z]+:[A-Za-z0-9_.:@+-]{1,60}$/));

export const Payload = z.discriminatedUnion('sensor', [
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
  /** A split slash command: `/why abc` is name `why`, rest `abc`. */
  z.strictObject({ sensor: z.literal('command'), name: z.string(), rest: z.string() }),
  z.strictObject({ sensor: z.literal('interrupt') }),
  /** Resumes one named conversation; else the space and the conversation it was said in. */
  z.strictObject({ sensor: z.literal('resume'), session: z.optional(SessionName) }),
  /** A decision on an approval by the sender; `card` is the place of the card. */
  z.strictObject({
    sensor: z.literal('approval-decision'),
    approvalId,
    decision: z.enum(['approve', 'deny', 'allow-similar', 'allow-task', 'show-similar', 'hide-similar']),
    /** Bounds shown on the card at that moment, of which number `n` is granted. */
    choice: z.optional(z.strictObject({ n: z.int(), at: z.int() })),
    card: z.optional(z.strictObject({ chat: z.string(), message: z.int() })),
  }),
  /**
   * A tap below a text: it is to be sent again, because its last outcome is unknown. With
   * `CHOICE_TAP` as `tries` it is answer `n` of the question in the first action of a signal: the
   * release before reads it too, and does nothing.
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
  /** The day's first message over a quota, without its words; later ones are not stored. */
  z.strictObject({
    sensor: z.literal('over-quota'),
    account: z.enum(['person', 'conversation', 'source']),
    limit: z.int(),
  }),
  z.strictObject({ sensor: z.literal('pairing'), outcome: z.enum(['paired', 'wrong-code']) }),
  /** Scheduled work; `slot` is the time it was due, epoch milliseconds. */
  z.strictObject({ sensor: z.literal('job-due'), job: z.string(), slot: z.int(), text }),
  /** Turns to be summarised, oldest first, with the summary there is. */
  z.strictObject({
    sensor: z.literal('session-summary'),
    turns: z.array(z.string().check(z.maxLength(256))).check(z.minLength(1), z.maxLength(SUMMARY_TURNS_MAX)),
    summary: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
  }),
  /** A question of a runbook to the model, with all that the model is shown. */
  z.strictObject({ sensor: z.literal('run-prompt'), text }),
  /** Step `n` of a run, with the results of the step before. The first signal has step 0. */
  z.strictObject({
    sensor: z.literal('run-step'),
    run: z.string().check(z.maxLength(256)),
    n: z.int().check(z.nonnegative()),
    results: z.array(ActionResult),
  }),
  /** An editor's buffer as a tree, and its cursor. */
  z.strictObject({ sensor: z.literal('buffer-update'), tree: JsonObject }),
  z.strictObject({ sensor: z.literal('point-update'), objectId: z.string().check(z.maxLength(128)) }),
  /** A tick of the schedule; epoch milliseconds. */
  z.strictObject({ sensor: z.literal('heartbeat'), scheduledAt: z.int() }),
  /** Something that a handler of a skill listens to; its words stand with the parent signal. */
  z.strictObject({
    sensor: z.literal('skill-event'),
    skill: z.string().check(z.maxLength(64)),
    handler: z.string().check(z.maxLength(64)),
    on: z.string().check(z.maxLength(64)),
    /** Our own words and numbers about it. */
    report: JsonObject,
  }),
  /** A text from a template; its decision is stored with it. */
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
  /** Signal that started the turn; its own id for a root. */
  root: z.string(),
  /** Signal that caused it; absent for a root. */
  parent: z.optional(z.string()),
  depth: z.int().check(z.nonnegative(), z.maximum(DEPTH_MAX + 1)),
  /** Epoch milliseconds of acceptance. */
  receivedAt: z.int(),
  sender: Sender,
  reply: ReplyRoute,
  payload: Payload,
});
export type Signal = z.infer<typeof Signal>;

/** The note about content that cannot be read, of a message without a word; else undefined. */
export const unreadable = (payload: Payload): string | undefined => {
  const [first] = payload.sensor === 'chat-message' ? payload.text : [];
  return first?.label === 'attachment' ? first.text : undefined;
};

/** Stored as one text: it never changes and is always read whole. */
export const StoredSignal = asText(Signal);

/** The first three are under way, `suspended` waits for a person, the rest are final. */
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

/** The worst origin; without any, the agent's own. */
export const joinOrigins = (origins: readonly Origin[]): Origin => {
  if (origins.includes('outside')) return 'outside';
  return origins.every((origin) => origin === 'owner') && origins.length > 0 ? 'owner' : 'agent';
};

/** News for another system, which an approver subscribed to. */
export const carriesNews = ({ payload }: Pick<Signal, 'payload'>): boolean =>
  payload.sensor === 'notice' && payload.template === CARRIES_NEWS;

/** An approver tapped a choice that makes a job. Code wrote its command; the question said it. */
export const isChosenJob = ({ id, sender, payload }: Pick<Signal, 'id' | 'sender' | 'payload'>): boolean =>
  isChoiceId(id) && sender.isApprover && payload.sensor === 'command' && payload.name === 'jobs';

/**
 * A signal that another one causes: same turn and route, one step deeper, sent by the system.
 * @param suffix last part of its id, so that a repeat makes the same child
 * @param now epoch milliseconds
 */
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

/** `/resume` alone, or with one conversation's name; anything else is answered as a command. */
export const buildResume = (rest: string): Payload => {
  const named = rest.trim();
  if (named === '') return { sensor: 'resume' };
  const session = SessionName.safeParse(named);
  return session.success
    ? { sensor: 'resume', session: session.data }
    : { sensor: 'command', name: 'resume', rest: named };
};

/**
 * The words that the parts of the simulator share: what people and systems do (a story), what they
 * saw, and what a run found. The checker reads `Observed` and nothing else. All times are epoch
 * milliseconds of the simulated world.
 */

/**
 * Made from the schedule's seed. Every draw in a run comes from one of its streams, so that the
 * same seed gives the same run.
 */
export interface Random {
  /** An integer from 0 to `bound - 1`. */
  readonly below: (bound: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(list: readonly [T, ...T[]]) => T;
}

/** A request to a function URL or to a server outside, as it is on the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What a message asks the simulated model for. The text of a message is `<verb> <marker>`;
 * markers are unique in a run.
 * - say:   answer "<marker> said"
 * - note:  call `remember` with "<marker> noted", then answer
 * - hook:  call `call-webhook` with `{ "marker": "<marker>" }` (needs an approval), then answer
 * - call:  call `call-webhook` with `{ "round": "deploy" }`, the same for all, then answer
 * - long:  answer a text of two messages
 * - both:  call both in one answer, then answer: after the note, and after the webhook
 * - bad:   propose an action that a gate blocks, each time it is asked
 * - mute:  answer something that is no proposal, each time it is asked
 */
export type Verb = 'say' | 'note' | 'hook' | 'both' | 'call' | 'long' | 'bad' | 'mute';

/** What a person does with the card of `marker`. `similar`: allows it three more times. */
export type CardAnswer = 'approve' | 'similar' | 'deny' | 'ignore';

/** One step of a story. `afterMs` counts from the story's start. */
export type Step = StoryStep | NewsStep | FilesStep;

export type StoryStep =
  | {
      readonly kind: 'message';
      readonly afterMs: number;
      readonly via: 'telegram' | 'console';
      /** Telegram chat, or session of the console. */
      readonly conversation: string;
      readonly verb: Verb;
      readonly marker: string;
      /** For `hook`, `call` and `both`: the answer to the card, so long after the card was seen. */
      readonly card?: { readonly answer: CardAnswer; readonly afterMs: number };
    }
  | {
      readonly kind: 'event';
      readonly afterMs: number;
      /** A system sends a signed webhook; the agent tells the home chat. */
      readonly source: string;
      readonly marker: string;
    }
  | {
      readonly kind: 'command';
      readonly afterMs: number;
      readonly via: 'telegram' | 'control';
      readonly conversation: string;
      readonly command: 'stop' | 'resume';
      readonly marker: string;
    };

export type NewsStep =
  | {
      /** A command about chats or settings, whose answer no rule looks at. */
      readonly kind: 'order';
      readonly afterMs: number;
      readonly via: 'telegram';
      readonly conversation: string;
      readonly text: string;
      readonly marker: string;
    }
  | {
      /** Telegram's people block the bot, or a chat gets another id. */
      readonly kind: 'place';
      readonly afterMs: number;
      readonly chat: string;
      readonly befalls: 'block' | 'unblock' | 'move';
      readonly marker: string;
    };

/** A person sends files, each an update of its own; the first has the words `say <marker>`. */
export interface FilesStep {
  readonly kind: 'files';
  readonly afterMs: number;
  readonly via: 'telegram';
  readonly conversation: string;
  /**
   * Their ids. Telegram has none that begins with `gone`; the bytes of each other name it. `voice`
   * begins the id of a voice message, which comes alone, and `photo` that of a picture.
   */
  readonly files: readonly string[];
  readonly marker: string;
}

/** One thing a client sent, with every try of it. */
export interface Sent {
  readonly step: Step;
  /**
   * Id of its signal: `tg-<bot>-<update>`, or made from the key that the client chose. The control
   * function takes no key, so that each try makes a signal of its own: this is then the id in the
   * last answer, undefined until one came; the bodies of the answers name the others.
   */
  signalId: string | undefined;
  readonly isCardAnswer: boolean;
  readonly tries: {
    readonly at: number;
    /** Undefined when no answer came. */
    answer: { readonly at: number; readonly status: number; readonly body: string } | undefined;
  }[];
}

/** One request that a server outside received. */
export interface Received {
  readonly server: 'model' | 'telegram' | 'webhook' | 'witness';
  readonly at: number;
  readonly request: WireRequest;
  /** What the server did and answered; the answer may be lost on its way. */
  readonly answer: WireAnswer;
  /**
   * The server did what was asked. It may have done so and answered 500, or answered nothing. False
   * for a webhook's repeat: the receiver knows its `webhook-id`.
   */
  readonly isPerformed: boolean;
  /** The client did not get this answer. The world sets it. */
  isAnswerLost: boolean;
  /** The message that a Telegram chat shows since then. */
  readonly shown?: ShownMessage;
  /** The marker of the message that a model call is about, as the model read its prompt. */
  readonly about?: string;
  /** Cost of a model call in micro-dollars, by its tokens and the configured prices. */
  readonly costMicros?: number;
  /** The most that this model call may cost: a token for each byte sent, and the longest answer. */
  readonly worstMicros?: number;
}

/** A message of the bot as its chat shows it, new or edited. */
export interface ShownMessage {
  readonly at: number;
  readonly chat: string;
  /** Counts up in each chat. An edit has the id of the message it changes. */
  readonly messageId: number;
  readonly isEdit: boolean;
  readonly text: string;
  readonly buttons: readonly { readonly text: string; readonly data: string }[];
}

/**
 * Something the world did to the system: a process died or came to its time limit, a request to the
 * table or a queue failed or lost its answer, or one to a server outside was lost on its way. Only
 * these, and lost answers of servers outside, excuse an outcome nobody knows.
 */
export interface Trouble {
  readonly at: number;
  /** `late`: a write arrived long after it was sent. */
  readonly kind: 'death' | 'store' | 'late' | 'outside';
}

/** What the owner configured, as far as the checker must know it. */
export interface Configured {
  /** Values that no model, chat, webhook or export may ever be shown. */
  readonly secrets: readonly string[];
  /** Sender ids of the people who may approve: `telegram:<user>`, `console-approver`. */
  readonly approvers: readonly string[];
  /** Micro-dollars of one call of a webhook. */
  readonly hookMicros: number;
  /** The ids that chats get when they move, by those they had. */
  readonly moved?: Readonly<Record<string, string>>;
}

/** A message that a function sent to a queue. */
export interface Queued {
  readonly queue: string;
  /** The same one is the same message. */
  readonly id: string;
  readonly body: string;
}

/** All that was seen from outside in one run. */
export interface Observed {
  readonly sent: readonly Sent[];
  readonly received: readonly Received[];
  readonly troubles: readonly Trouble[];
  readonly configured: Configured;
  /** The largest error of a function's clock, milliseconds. */
  readonly skewMs: number;
  /** Of that, clocks show only multiples of it: 1 unless they are coarse. */
  readonly stepMs: number;
  /** The evidence export after the run, one JSON value a line. */
  readonly exported: string;
  /** The log's public key and the newest anchor, as their owner keeps them. */
  readonly publicKey: string;
  /** Answer of the console to a question for the day's spending, micro-dollars. */
  readonly spentMicros: number;
  /** When everything had come to rest: each message sent since then finds nothing in its way. */
  readonly restedAt: number;
  /** Set when messages were still under way at the end of the longest wait. */
  readonly isUnfinished: boolean;
  /** Answer of the console to a question for the news, if there were many. */
  readonly news?: { readonly news: readonly { readonly id: string }[]; readonly older: number };
  /** Receipts of actions that the log has, as the console gives them; `isHidden` without words. */
  readonly receipts?: readonly { readonly id: string; readonly receipt: unknown; readonly isHidden: boolean }[];
  /** Requests that a function did not wait for, though none of its event met a fault. */
  readonly left?: readonly string[];
  /** If nothing goes wrong in a run: complaints of functions, and messages that queues took. */
  readonly quiet?: { readonly complaints: readonly string[]; readonly queued: readonly Queued[] };
  /** Rows of the table at the end whose kinds the checker knows, by `<pk> <sk>`. */
  readonly rows?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A promise that does not hold in one run. */
export interface Violation {
  /** Short and fixed, such as `one-end`, `seen-once`, `I5`. */
  readonly rule: string;
  /** One sentence with the ids and times a person needs. */
  readonly sentence: string;
}

/** A job as its owner asks for it: the fields of `/jobs add`. */
export interface JobDraft {
  readonly name: string;
  /** One rule. Times are those of the zone's clock, `2026-03-29T02:30`. */
  readonly at?: string;
  /** `36h`, `7d`; with a condition, how often it is checked. */
  readonly every?: string;
  readonly cron?: string;
  /** Source of the events. */
  readonly event?: string;
  /** An expression over `facts.now`. */
  readonly condition?: string;
  readonly zone?: string;
  readonly prompt?: string;
  readonly steps?: readonly object[];
  readonly to: readonly string[];
  readonly catchUp: string;
  readonly overlap: 'skip' | 'queue';
  readonly spread?: string;
  readonly pauseAfter: number;
  readonly promises: 'reply' | 'change' | 'nothing';
}

/** Something that the owner asks for in a chat, or that a system sends. */
export type Ask =
  | { readonly at: number; readonly verb: 'add' | 'edit'; readonly name: string; readonly draft: JobDraft }
  | { readonly at: number; readonly verb: 'pause' | 'resume' | 'remove' | 'run'; readonly name: string }
  | { readonly at: number; readonly verb: 'stop' | 'resume-all'; readonly name: '' }
  | { readonly at: number; readonly verb: 'event'; readonly name: string; readonly id: string };

/** A time in which nothing ran, or a service was out, epoch milliseconds. */
export interface Gap {
  readonly from: number;
  readonly until: number;
}

/** All that was seen of jobs from outside, over a long time. */
export interface ObservedJobs extends Observed {
  /** With the time it was taken. */
  readonly asks: readonly (Ask & { readonly takenAt: number })[];
  /** Ticks that reached the heartbeat, epoch milliseconds. */
  readonly ticks: readonly number[];
  /** The stack was down, or one of its services. */
  readonly gaps: readonly Gap[];
}

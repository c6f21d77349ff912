/** Bounds that several rooms share. Each name ends in its unit; each comment gives a reason. */

export const KIB = 1024;
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const HOUR_S = HOUR_MS / SECOND_MS;

/** A deeper signal is dropped visibly, before Lambda's own loop detection stops it at about 16. */
export const DEPTH_MAX = 10;
/** Proposals the model may make for one signal before the signal is refused. */
export const ATTEMPTS_MAX = 3;
/** Providers asked about one proposal of high impact: three give a majority, and each is paid. */
export const CONSENSUS_PROVIDERS_MAX = 3;
/** Finished turns kept as history. The prompt has room for about so many; each costs a read. */
export const HISTORY_TURNS_MAX = 16;
/** Turns of one summary: those that leave history now, and those whose last summary failed. */
export const SUMMARY_TURNS_MAX = 2 * HISTORY_TURNS_MAX;
/**
 * Quotas of a person without rights, of a conversation of such people, and of a source (a webhook
 * or a script): messages, stops and notes for each UTC day, approvals open at once, and a share of
 * the day's money and tokens. A person who talks all day stays below them; a loop does not.
 */
export const QUOTAS = {
  person: { messages: 100, stops: 10, notes: 10, cards: 3, sharePercent: 20 },
  conversation: { messages: 300, stops: 30, notes: 20, cards: 6, sharePercent: 40 },
  source: { messages: 2_000, stops: 10, notes: 20, cards: 6, sharePercent: 40 },
} as const;

/** Body of one incoming request. SQS carries 1 MiB and a DynamoDB item 400 KB. */
export const BODY_BYTES_MAX = 256 * KIB;
/** An event of a service. Of a larger one than the above only a part is stored. */
export const WEBHOOK_BYTES_MAX = 1024 * KIB;
/** Text of one incoming message. Telegram sends at most 4,096; pasted logs are longer. */
export const SIGNAL_TEXT_CHARS_MAX = 64 * KIB;
/** A file of a message: what Telegram lets a bot fetch. */
export const ATTACHMENT_BYTES_MAX = 20_000_000;
/** Canonical JSON of one action. Its trace and facts need room in the same 400 KB item. */
export const ACTION_BYTES_MAX = 48 * KIB;
/** Output of one tool as the model sees it. */
export const TOOL_OUTPUT_CHARS_MAX = 16 * KIB;
/** Of a longer output the model sees these first characters, and reads on by its id. */
export const OUTPUT_HEAD_CHARS = 4 * KIB;
/** Reason of a gate in a trace: one sentence. */
export const GATE_REASON_CHARS_MAX = 300;
/** A shorter explanation of the model says nothing. */
export const EXPLANATION_CHARS_MIN = 11;
/** Nesting of JSON from outside. A table item nests at most 32 deep and adds up to 8 of its own. */
export const JSON_DEPTH_MAX = 24;

/** One whole prompt, if the model's window has room for it. A runaway tool output is shortened. */
export const PROMPT_TOKENS_MAX = 16_000;
/** Names of the agent and the owner. */
export const IDENTITY_NAME_CHARS_MAX = 60;
/** The owner's sentences on style. */
export const IDENTITY_STYLE_CHARS_MAX = 600;
/** Share of our token estimate that is reserved: providers wrap tools and roles in more tokens. */
export const PROMPT_ESTIMATE_PERCENT = 125;
/** Summary of a conversation: a quarter of the prompt's room for history. */
export const SUMMARY_CHARS_MAX = 2_400;

/** Content of one memory object. */
export const MEMORY_CONTENT_CHARS_MAX = 32 * KIB;
/** Memory objects in one answer of `recall` or `list`. */
export const MEMORY_RESULTS_MAX = 20;
/** Objects of one commit: a large outline file fits; a bigger import makes several commits. */
export const MEMORY_COMMIT_OBJECTS_MAX = 5_000;
/** Name of a snapshot: a few words. */
export const SNAPSHOT_NAME_CHARS_MAX = 64;
/** Tags of one memory object: words to find it by, not a second content. */
export const MEMORY_TAGS_MAX = 16;
/** Characters of an id that are shown, and must at least be typed: they tell notes apart. */
export const MEMORY_ID_SHOWN_CHARS = 8;
/** Changes that the card of a rollback names: a person has to see all of them. */
export const MEMORY_PLAN_LINES_MAX = 16;
/** Query of a search: longer than any question, shorter than a pasted text. */
export const MEMORY_QUERY_CHARS_MAX = 1_000;
/** Numbers in one embedding: the largest models in use give so many. */
export const VECTOR_DIMENSIONS_MAX = 4_096;

/** Deliveries of one queue message before SQS moves it to the dead-letter queue. */
export const RECEIVE_COUNT_MAX = 3;
/** Wait before a retryable failure is delivered again, by the number of deliveries so far. */
export const RETRY_BACKOFF_MS = [1 * SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS] as const;
/** Waits before the sweep publishes an unfinished signal again. SQS forgets ids after 5 minutes. */
export const SWEEP_BACKOFF_MS = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 30 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** Tries of a conditional write that keeps losing against other writers of the same item. */
export const CONFLICT_TRIES_MAX = 8;
/** Machines that may be paired. Each has a queue, which costs nothing while nobody reads it. */
export const RUNNERS_MAX = 4;
/** How long an order waits for its machine: as long as an approval waits for its person. */
export const RUNNER_WAIT_MS = HOUR_MS;
/** Credentials of a machine for its queue: the shortest that STS gives. */
export const QUEUE_ACCESS_MS = 15 * MINUTE_MS;

/** Connecting to a provider. */
export const PROVIDER_CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
/** A provider that failed is asked last for this long. */
export const PROVIDER_UNWELL_MS = 10 * MINUTE_MS;
/** One session with an MCP server, from connecting to the result: well within Act's time. */
export const MCP_TIMEOUT_MS = 20 * SECOND_MS;

/** Uses of a grant made from a card; a command may allow more. */
export const GRANT_USES_DEFAULT = 10;
/** Hours of a grant made from a card; a command may allow more. */
export const GRANT_HOURS_DEFAULT = 24;
/** Blocked actions within an hour after which a conversation is stopped: it fights the rules. */
export const BLOCKS_PER_HOUR_MAX = 10;
/** Pending approvals of one space. The conversation that asks for one more is stopped. */
export const PENDING_APPROVALS_MAX = 20;

/** Signals whose evidence is requested at once: enough to hide the network's latency. */
export const EVIDENCE_REQUESTS_MAX = 8;
/** Leaves of one log: numbers stay exact, and 1,000 a second would take 34 years. */
export const LOG_LEAVES_MAX = 2 ** 40;
/** Objects that a leaf names of one commit; a larger commit is given by one hash over all. */
export const LEAF_CHANGES_MAX = 64;
/** Longest time without a leaf for a record: the writer runs every 30 s and may take as long. */
export const MERGE_DELAY_MS = MINUTE_MS;
/** Signals in one page of the evidence export. */
export const RECORDS_PAGE_SIGNALS_MAX = 64;
/** Tombstones in one place outside the table and in one setting: some 300 bytes each. */
export const KEPT_TOMBSTONES_MAX = 100;

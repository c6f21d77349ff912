/** Bounds that many rooms share: a name ends in its unit, a comment gives the reason for the number. */

export const KIB = 1024;
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Seconds of an hour: counters per hour are kept under its number. */
export const HOUR_S = HOUR_MS / SECOND_MS;
/** A signal deeper than this is dropped visibly: under the ~16 at which Lambda's own loop detection would cut in. */
export const DEPTH_MAX = 10;
/** Proposals asked of the model for one signal before it ends in a refusal. */
export const ATTEMPTS_MAX = 3;
/** Providers asked about one proposal of high impact: three are enough for a majority, and each is paid. */
export const CONSENSUS_PROVIDERS_MAX = 3;
/** Finished turns a session remembers as history: what the prompt's share for history shows of usual ones, and each costs a read unit. */
export const HISTORY_TURNS_MAX = 16;
/** Turns one summary is asked of: those that leave at once, and those of one that failed before. */
export const SUMMARY_TURNS_MAX = 2 * HISTORY_TURNS_MAX;
/**
 * What a person without rights, a conversation of such people, or a source (a webhook, a script)
 * may take: messages, stops and notes of a day (UTC), approvals open at once, and a share of the
 * day's money and tokens. A person who talks all day stays below; a loop does not.
 */
export const QUOTAS = {
  person: { messages: 100, stops: 10, notes: 10, cards: 3, sharePercent: 20 },
  conversation: { messages: 300, stops: 30, notes: 20, cards: 6, sharePercent: 40 },
  source: { messages: 2_000, stops: 10, notes: 20, cards: 6, sharePercent: 40 },
} as const;
/** Request bodies at any ingress: SQS carries 1 MiB, a DynamoDB item 400 KB; people and webhooks send far less. */
export const BODY_BYTES_MAX = 256 * KIB;
/** Text of one incoming message kept in a signal (Telegram's own limit is 4,096; pasted logs are longer). */
export const SIGNAL_TEXT_CHARS_MAX = 64 * KIB;
/** Canonical JSON of one action: leaves room for its trace and facts inside a 400 KB item. */
export const ACTION_BYTES_MAX = 48 * KIB;
/** Output of one tool, as the model sees it. */
export const TOOL_OUTPUT_CHARS_MAX = 16 * KIB;
/** Reason texts in traces: a gate explains in a sentence. */
export const GATE_REASON_CHARS_MAX = 300;
/** Explanations written by the model: shorter ones say nothing (the original's rule), longer ones are cut on cards. */
export const EXPLANATION_CHARS_MIN = 11;
export const EXPLANATION_CHARS_MAX = 1000;
/** Nesting of any JSON taken from outside: an item of the table may nest 32 deep, and args sit up to 8 levels inside one. */
export const JSON_DEPTH_MAX = 24;
/**
 * Tokens of one prompt, all sections, where the provider's window holds as many beside its answer: room for a full belt of MCP tools
 * and a pasted page, while a runaway tool output is shortened before it becomes dear.
 */
export const PROMPT_TOKENS_MAX = 16_000;
/** The sections at the front of it; what does not fit is cut, or left out and named. TIME is one short line. */
export const TIME_TOKENS_MAX = 80;
export const CONFIG_TOKENS_MAX = 400;
/** Rules of ours, names and style of the owner's, and the mandates. */
export const IDENTITY_TOKENS_MAX = 2_200;
/** Names of agent and owner, and the owner's sentences on style. */
export const IDENTITY_NAME_CHARS_MAX = 60;
export const IDENTITY_STYLE_CHARS_MAX = 600;
/** Of our own estimate of a prompt's tokens, what is reserved for it: providers add wrappers of their own around tools and roles. */
export const PROMPT_ESTIMATE_PERCENT = 125;
/** A conversation's summary: a quarter of what history may take. And what is shown to be summarised, all turns together. */
export const SUMMARY_CHARS_MAX = 2_400;
/** Content of one memory object. */
export const MEMORY_CONTENT_CHARS_MAX = 32 * KIB;
/** Memory objects one `recall` or `list` returns. */
export const MEMORY_RESULTS_MAX = 20;
/** Objects of one commit: a large outline file whole; a bigger import is several commits. */
export const MEMORY_COMMIT_OBJECTS_MAX = 5_000;
/** A snapshot's name: a few words. One space keeps so many: a list a person can still read through. */
export const SNAPSHOT_NAME_CHARS_MAX = 64;
/** Tags of one memory object, and their length: they are words to find it by, not a second content. */
export const MEMORY_TAGS_MAX = 16;
/** Characters of an id that a person is shown, and must at least type: a space's notes differ long before. */
export const MEMORY_ID_SHOWN_CHARS = 8;
/** Changes of a rollback named on its card, which has to be seen whole. */
export const MEMORY_PLAN_LINES_MAX = 16;
/** Words to look for: longer than any question, shorter than a pasted text. */
export const MEMORY_QUERY_CHARS_MAX = 1_000;
/** Numbers in one embedding: the largest models in use give 4,096. */
export const VECTOR_DIMENSIONS_MAX = 4_096;
/** Deliveries of one queue message before SQS moves it to the dead-letter queue. */
export const RECEIVE_COUNT_MAX = 3;
/** Waits before a retryable failure is seen again, by receive count (visibility change). */
export const RETRY_BACKOFF_MS = [1 * SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS] as const;
/**
 * Provider call: connecting (the original's 10 s), and in all by tier: the longest answer at some
 * 70 tokens a second.
 */
export const PROVIDER_CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
/** A provider that failed is asked last for this long (the original's 600 s); one that tries it again then holds it this long. */
export const PROVIDER_UNWELL_MS = 10 * MINUTE_MS;
/** One session with an MCP server, from connecting to the result: well within what Act has. */
export const MCP_TIMEOUT_MS = 20 * SECOND_MS;
/** Waits before the sweep republishes an unfinished signal; SQS forgets deduplication ids after 5 minutes. */
export const SWEEP_BACKOFF_MS = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 30 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** Uses and hours of a grant made from a card; and at most, by command. */
export const GRANT_USES_DEFAULT = 10;
export const GRANT_HOURS_DEFAULT = 24;
/** Actions blocked in one conversation within an hour: past it something pushes against the rules, and it is stopped. */
export const BLOCKS_PER_HOUR_MAX = 10;
/** Pending approvals in one space: the conversation that asks for one more is stopped. */
export const PENDING_APPROVALS_MAX = 20;
/**
 * Signals whose evidence is asked for one by one, at once: enough to hide the way there and back.
 */
export const EVIDENCE_REQUESTS_MAX = 8;
/** Leaves of one log: numbers stay exact, and a thousand a second would take 34 years. */
export const LOG_LEAVES_MAX = 2 ** 40;
/** Objects one leaf of a commit names; of a larger commit the leaf holds the hash over all of them. */
export const LEAF_CHANGES_MAX = 64;
/** How long a record may be without its leaf: the log's writer runs each half minute, and may take as long itself. */
export const MERGE_DELAY_MS = MINUTE_MS;
export const RECORDS_PAGE_SIGNALS_MAX = 64;
/** Tries of a conditional write that lost a race against another writer of the same item. */
export const CONFLICT_TRIES_MAX = 8;
/** Log lines are for the last weeks' questions; evidence lives in the table. One of the values CloudWatch allows. */
export const LOG_RETENTION_DAYS = 30;
/** Tombstones kept in one place outside the table, and listed in one setting: some 300 bytes each, and the names of records. */
export const KEPT_TOMBSTONES_MAX = 100;

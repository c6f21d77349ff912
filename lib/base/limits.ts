/**
 * Every bound of the system, on one page: the name says the unit, the comment says why this number.
 * Nothing here is read from the environment: a limit that an operator could lift by accident is no limit.
 */

const KIB = 1024;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Seconds of an hour: counters per hour are kept under its number. */
export const HOUR_S = HOUR_MS / SECOND_MS;

// --- chains of signals -------------------------------------------------------------------------------------------

/** A signal deeper than this is dropped visibly: under the ~16 at which Lambda's own loop detection would cut in. */
export const DEPTH_MAX = 10;
/** `loop-error` signals are made only up to this depth: an error while handling an error tells the person instead. */
export const LOOP_ERROR_DEPTH_MAX = 2;
/** Proposals asked of the model for one signal before it ends in a refusal. */
export const ATTEMPTS_MAX = 3;
/** Providers asked about one proposal of high impact: three are enough for a majority, and each is paid. */
export const CONSENSUS_PROVIDERS_MAX = 3;
/** Tool calls taken from one answer: more is a runaway model, and the answer is rejected whole. */
export const ACTIONS_MAX = 8;
/** Times an action may be changed by `modify` verdicts before it counts as blocked: gates that fight each other. */
export const MODIFY_ROUNDS_MAX = 3;
/** Root signals waiting in one session: past it a message is refused visibly; also keeps the session item small. */
export const MAILBOX_MAX = 50;
/** Finished turns a session remembers as history: what the prompt's share for history shows of usual ones, and each costs a read unit. */
export const HISTORY_TURNS_MAX = 16;
/** What is kept of them when there would be one more: dropped one by one, each turn would begin its prompt anew for the provider's cache. */
export const HISTORY_TURNS_KEPT = 4;
/** Turns one summary is asked of: those that leave at once, and those of one that failed before. */
export const SUMMARY_TURNS_MAX = 2 * HISTORY_TURNS_MAX;

// --- quotas -----------------------------------------------------------------------------------------------------

/**
 * Of the day's money and tokens, of open approvals and of a full mailbox, the share that is kept
 * for whoever speaks as the owner: enough to be answered and asked, whatever others did.
 */
export const RESERVE_PERCENT = 20;
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

// --- bytes ------------------------------------------------------------------------------------------------------

/** Request bodies at any ingress: SQS carries 1 MiB, a DynamoDB item 400 KB; people and webhooks send far less. */
export const BODY_BYTES_MAX = 256 * KIB;
/** Text of one incoming message kept in a signal (Telegram's own limit is 4,096; pasted logs are longer). */
export const SIGNAL_TEXT_CHARS_MAX = 64 * KIB;
/** One model answer, text and tool arguments together: past it the answer is rejected, not cut. */
export const ANSWER_BYTES_MAX = 64 * KIB;
/** Bytes read from a provider's HTTP response before the connection is dropped: a hostile endpoint cannot fill memory. */
export const PROVIDER_RESPONSE_BYTES_MAX = 1024 * KIB;
/** The same of an answer that comes as a stream: each of its tokens is wrapped in some 300 bytes, those a model thinks with too. */
export const PROVIDER_STREAM_BYTES_MAX = 8 * 1024 * KIB;
/** Canonical JSON of one action: leaves room for its trace and facts inside a 400 KB item. */
export const ACTION_BYTES_MAX = 48 * KIB;
/** Output of one tool, as the model sees it. */
export const TOOL_OUTPUT_CHARS_MAX = 16 * KIB;
/** An expression to work out: a few lines. */
export const EXPRESSION_CHARS_MAX = 4 * KIB;
/** A program for the sandbox: what a person could still read before saying yes. */
export const CODE_CHARS_MAX = 16 * KIB;
/** What a script in the sandbox may print: more than a person reads, some pages of a table. */
export const SCRIPT_OUTPUT_CHARS_MAX = 64 * KIB;
/** Memory of the sandbox's engine: beside it Act has to fit into the smallest function. */
export const SCRIPT_MEMORY_BYTES_MAX = 16 * 1024 * KIB;
/** Interruptions of a script, some ten thousand operations apart: about two seconds, and the same on any machine. */
export const SCRIPT_STEPS_MAX = 10_000;
/** Of an output longer than that: what is shown at once, and with each reading on, and what is kept of it in one item. */
export const OUTPUT_HEAD_CHARS = 4 * KIB;
export const OUTPUT_PIECE_CHARS = 4 * KIB;
export const OUTPUT_KEPT_CHARS_MAX = 96 * KIB;
/** MCP servers of a space, and their tools in all: each tool is part of every prompt. */
export const MCP_SERVERS_MAX = 8;
export const MCP_TOOLS_MAX = 24;
/** What a server says of one tool: longer is not a description but a prompt. */
export const MCP_DESCRIPTION_CHARS_MAX = 2_000;
export const MCP_DESCRIPTION_SHOWN_CHARS = 300;
export const MCP_SCHEMA_CHARS_MAX = 8 * KIB;
/** The record of them all: one item of the table. */
export const MCP_CATALOGUE_CHARS_MAX = 96 * KIB;
/** Bytes taken from a server in one session, and pages of its list of tools. */
export const MCP_RESPONSE_BYTES_MAX = 1024 * KIB;
export const MCP_PAGES_MAX = 4;
/** Tries of a change of that record which meets another. */
export const MCP_CHANGE_TRIES_MAX = 5;
/** The same of the owner's settings. */
export const SETTING_CHANGE_TRIES_MAX = 5;
/** Response body of an outgoing webhook that is kept for the effect's record. */
export const WEBHOOK_RESPONSE_BYTES_MAX = 4 * KIB;
/** An incoming webhook's body as the model sees it: a prompt has no room for more, and the item holds the body besides. */
export const WEBHOOK_TEXT_CHARS_MAX = 16 * KIB;
/** Nesting of an incoming webhook's body: DynamoDB takes 32 levels, and the record around the body uses some of them. */
export const WEBHOOK_BODY_DEPTH_MAX = 24;
/** Values in an incoming webhook's body: in the table a small value takes more bytes than its text, and an item has 400 KB. */
export const WEBHOOK_BODY_VALUES_MAX = 50_000;
/** A sender's message id, and the signatures beside it (several while keys rotate): more is not a sender but a probe. */
export const WEBHOOK_ID_CHARS_MAX = 256;
export const WEBHOOK_SIGNATURES_MAX = 16;
/** What the sender calls the event; kept on the signal. */
export const WEBHOOK_EVENT_CHARS_MAX = 128;
/** Reason texts in traces: a gate explains in a sentence. */
export const GATE_REASON_CHARS_MAX = 300;
/** Rounds of undoing percent escapes in a path: honest paths need one, and a spelling that needs more is refused. */
export const PATH_DECODE_ROUNDS_MAX = 8;
/** Characters of a path: Linux takes no longer one. */
export const PATH_CHARS_MAX = 4_096;
/** Runs judged of one shell command, and words of one of them: a line a person could still review, many times over. */
export const SHELL_RUNS_MAX = 256;
export const SHELL_WORDS_MAX = 256;
/** Characters of one command, and of what a word or variable may grow to: a longer one is a file, and nobody reviews it. */
export const SHELL_COMMAND_CHARS_MAX = 16 * KIB;
export const SHELL_TEXT_CHARS_MAX = 16 * KIB;
/** Runs judged in all, scripts inside scripts included. */
export const SHELL_STEPS_MAX = 1_024;
/** Scripts inside scripts (`sh -c "sh -c …"`) that are opened: honest commands need two. */
export const SHELL_DEPTH_MAX = 6;
/** Uses of one alias in proposed YAML, what it stands for multiplied in: honest files repeat a block some dozen times. */
export const YAML_ALIASES_MAX = 1_000;
/** Explanations written by the model: shorter ones say nothing (the original's rule), longer ones are cut on cards. */
export const EXPLANATION_CHARS_MIN = 11;
export const EXPLANATION_CHARS_MAX = 1000;
/** Different letters or digits in an explanation: a row of dots or one repeated letter is long, but says nothing. */
export const EXPLANATION_LETTERS_MIN = 4;
/** Arguments longer than this are worth a word in the trace: a third of what an action may be. */
export const BLOATED_CALL_CHARS = 16 * KIB;
/** Work that repeats by itself more often than this is asked about: a person reads no report every minute. */
export const STEADY_WORK_SECONDS_MIN = 5 * 60;
/** Configured secrets shorter than this are not searched for: they would be found in ordinary words. */
export const SECRET_CHARS_MIN = 6;
/**
 * Letters and digits of a secret, as it is or encoded, below which it is only looked for exactly as
 * it is.
 */
export const SECRET_FORM_CHARS_MIN = 8;
/**
 * Letters and digits in a row that give a part of a secret away: half of one of 24. Shorter rows
 * stand in other texts by chance.
 */
export const SECRET_PIECE_CHARS = 12;
/**
 * The same for a secret of under 24 letters and digits; with a digit among them, or words would
 * count.
 */
export const SECRET_PIECE_CHARS_SHORT = 8;
/** One DynamoDB item is at most 400 KB; we refuse earlier, so that attribute names and markers always fit. */
export const ITEM_BYTES_MAX = 380 * KIB;
/** Nesting of anything that is hashed: what comes from outside (24), wrapped in our own records a few times over; ends cycles too. */
export const CANONICAL_DEPTH_MAX = 64;
/** Of the way to a value that has no canonical form, as the error tells it. */
export const CANONICAL_PATH_CHARS_MAX = 200;
/** Nesting of any JSON taken from outside: an item of the table may nest 32 deep, and args sit up to 8 levels inside one. */
export const JSON_DEPTH_MAX = 24;

// --- prompt -----------------------------------------------------------------------------------------------------

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
/** Standing mandates of all skills together: never trimmed, so a table of skills with more is refused when it is made. */
export const MANDATES_TOKENS_MAX = 400;
/** Names and schemas of tools: all of ours with 24 of other servers of the usual size. */
export const TOOLS_TOKENS_MAX = 9_000;
/** Of a small window, what tools may take: the rest is for the words. */
export const TOOLS_PERCENT_MAX = 65;
/** Earlier turns; and how much at a time is dropped of them, so that the front of the history stays for several turns. */
export const HISTORY_TOKENS_MAX = 2_500;
export const HISTORY_BLOCK_TOKENS = 1_250;
/** Messages that wait for their turn: some pages; in a group anybody fills the mailbox. */
export const WAITING_TOKENS_MAX = 2_000;
/** Ledger events: twenty lines. */
export const LOGS_TOKENS_MAX = 500;
/** Names of providers and gates shown in CONFIG, and the characters of one, and of a time zone. */
export const CONFIG_NAMES_MAX = 40;
export const CONFIG_NAME_CHARS_MAX = 48;
/** UTF-8 bytes of all names of providers, and of gates, so that CONFIG keeps to its tokens in any script. */
export const CONFIG_PROVIDERS_BYTES_MAX = 120;
export const CONFIG_GATES_BYTES_MAX = 600;
/** Names of agent and owner, and the owner's sentences on style. */
export const IDENTITY_NAME_CHARS_MAX = 60;
export const IDENTITY_STYLE_CHARS_MAX = 600;
/**
 * Tokens of one answer by tier, thinking included: some pages of text, and room to think before
 * them. All of it is reserved before a model is asked. A small window leaves its answer this share.
 */
export const ANSWER_TOKENS_MAX = { cognition: 4_096, reasoning: 16_384 } as const;
export const ANSWER_WINDOW_PERCENT_MAX = 25;
/** Of a longer answer in the history: its beginning and its end, so that it can be gone on with. */
export const HISTORY_ANSWER_START_CHARS = 1_000;
export const HISTORY_ANSWER_END_CHARS = 2_000;
/** Of our own estimate of a prompt's tokens, what is reserved for it: providers add wrappers of their own around tools and roles. */
export const PROMPT_ESTIMATE_PERCENT = 125;
/**
 * Conversations with an entry in the day's counter: one that is left by a crash stays until its
 * conversation spends again.
 */
export const SPENDING_SESSIONS_MAX = 1_500;
/** Date formatters kept: two forms for one zone, with room for tests. */
export const FORMATTERS_MAX = 8;
/** A conversation's summary: a quarter of what history may take. And what is shown to be summarised, all turns together. */
export const SUMMARY_CHARS_MAX = 2_400;
export const SUMMARY_INPUT_CHARS_MAX = 16_000;
/** Objects of memory a summary names as shown to its turns: as many as a property may list. */
export const SUMMARY_SOURCES_MAX = 256;
/** Ledger events shown in the LOGS section (the original's default). */
export const LOG_EVENTS_MAX = 20;
/** Memory objects that the words of a message bring into the CONTEXT section. */
export const CONTEXT_OBJECTS_MAX = 20;

// --- memory -----------------------------------------------------------------------------------------------------

/** Content of one memory object. */
export const MEMORY_CONTENT_CHARS_MAX = 32 * KIB;
/** Memory objects held in one process: a life's notes twice over, and some 60 MB; past it the view says that it is partial. */
export const MEMORY_SCAN_MAX = 20_000;
/** Characters of all contents held in one process: with what is built to find them, some 60 MB of the smallest function's 128. */
export const MEMORY_VIEW_CHARS_MAX = 6 * 1024 * KIB;
/** Memory objects one `recall` or `list` returns. */
export const MEMORY_RESULTS_MAX = 20;
/** Of them, places that untrusted objects get beside the owner's. */
export const MEMORY_OUTSIDE_RESULTS_MIN = 5;
/** Levels of one tree: outlines of people have ten; also bounds what one change re-hashes (design 6). */
export const MEMORY_DEPTH_MAX = 32;
/** Entries of one node before some go into a bucket: its item stays under 40 KB. */
export const MEMORY_CHILDREN_MAX = 256;
/** Entries of one bucket, and of a new one: splitting one, the object's path included, still fits a transaction. */
export const MEMORY_BUCKET_MAX = 32;
export const MEMORY_BUCKET_ENTRIES = 16;
/** Objects of one commit: a large outline file whole; a bigger import is several commits. */
export const MEMORY_COMMIT_OBJECTS_MAX = 5_000;
/** Requests that carry one tree: eight megabytes of file, read by Act at once. */
export const MEMORY_TREE_PARTS_MAX = 32;
/** Bytes of all objects of one commit: Act holds them in memory. */
export const MEMORY_COMMIT_BYTES_MAX = 16 * 1024 * KIB;
/** Writes and bytes of one transaction: DynamoDB takes 100 and 4 MB; the rest is for what our count of bytes leaves out. */
export const TRANSACTION_WRITES_MAX = 100;
export const TRANSACTION_BYTES_MAX = 3 * 1024 * KIB;
/** Changes named in one item of a commit's record: about 200 bytes each. */
export const MEMORY_RECORD_CHANGES_MAX = 1_000;
/** Tries of a commit that meets other writers; with the waits below, hardly one of ten writers at once has to come again. */
export const MEMORY_COMMIT_TRIES_MAX = 24;
/** Longest wait before such a try, drawn at random: it doubles from the first to the last of these. */
export const MEMORY_BACKOFF_MS_MIN = 8;
export const MEMORY_BACKOFF_MS_MAX = 400;
/** A big commit that shows no end after this is taken for dead: Act itself is ended by then. */
export const MEMORY_LEASE_MS = MINUTE_MS;
/** Commits a view goes forward over before it reads everything anew, and changed objects likewise. */
export const MEMORY_VIEW_STEPS_MAX = 1_000;
/** Titles, tags, properties and links of one object: what a heading of an outline has (the bounds of notes). */
export const MEMORY_TITLE_CHARS_MAX = 1_000;
export const MEMORY_OBJECT_TAGS_MAX = 256;
export const MEMORY_PROPERTIES_MAX = 256;
export const MEMORY_PROPERTY_NAME_CHARS_MAX = 128;
export const MEMORY_PROPERTY_CHARS_MAX = 4 * KIB;
export const MEMORY_LINKS_MAX = 64;
export const MEMORY_LINK_CHARS_MAX = 2 * KIB;
/** What names a node in the file or buffer it came from: a hash or a short id. */
export const MEMORY_KEY_CHARS_MAX = 256;
/** A snapshot's name: a few words. One space keeps so many: a list a person can still read through. */
export const SNAPSHOT_NAME_CHARS_MAX = 64;
export const SNAPSHOTS_MAX = 1_000;
/** Tags of one memory object, and their length: they are words to find it by, not a second content. */
export const MEMORY_TAGS_MAX = 16;
export const MEMORY_TAG_CHARS_MAX = 64;
/** Characters of an id that a person is shown, and must at least type: a space's notes differ long before. */
export const MEMORY_ID_SHOWN_CHARS = 8;
export const MEMORY_ID_START_CHARS_MIN = 6;
/** Answers about memory: one chat message, and no more lines than a person reads down. */
export const MEMORY_CHAT_CHARS_MAX = 3_400;
export const MEMORY_CHAT_LINES_MAX = 40;
/** Of a found object's text in such an answer. */
export const MEMORY_FOUND_CHARS_MAX = 240;
/** Changes of a rollback named on its card, which has to be seen whole. */
export const MEMORY_PLAN_LINES_MAX = 16;
/** Signals looked through for what showed an object: some 100 a second, within what Act and the console may take. */
export const FEED_WALK_SIGNALS_MAX = 20_000;
/** Characters of one page of objects over HTTP: a quarter of what one answer may have. */
export const MEMORY_PAGE_CHARS_MAX = 1024 * KIB;
/** Days looked back for decisions that were shown an object. */
export const SEEN_BY_DAYS_DEFAULT = 30;
export const SEEN_BY_DAYS_MAX = 3_650;
/** Decisions named in the answer to a rollback. */
export const SEEN_LINES_MAX = 10;
/** Shortest text, and line of a text, that is looked for word for word when it is forgotten; and how many. */
export const LITERAL_CHARS_MIN = 6;
export const LITERAL_LINE_CHARS_MIN = 16;
export const LITERALS_MAX = 200;
/** Share of a note's longer words that makes an answer count as made of it. */
export const LITERAL_SHARE_PERCENT = 60;
/** Commits looked through for what was forgotten while a turn ran; where there were more, all of memory is. */
export const LATE_COMMITS_MAX = 50;
/** Signals a person may name to be forgotten with a note: what one message can hold; and an id of one, as any ingress makes it. */
export const FORGET_SIGNALS_MAX = 20;
export const SIGNAL_ID_CHARS_MAX = 240;
/** Versions whose words are looked for so: each is read by itself. */
export const FORGET_VERSIONS_MAX = 300;
/** Words to look for: longer than any question, shorter than a pasted text. */
export const MEMORY_QUERY_CHARS_MAX = 1_000;

// --- retrieval and context --------------------------------------------------------------------------------------

/** Bytes of one stored segment of vectors: a 400 KB item with room to spare, and few enough to read all of them. */
export const VECTOR_SEGMENT_BYTES_MAX = 300 * KIB;
/** Segments read at once: 2.4 MB, which a small function can hold several times over. */
export const VECTOR_SEGMENTS_PER_READ = 8;
/** Numbers in one embedding: the largest models in use give 4,096. */
export const VECTOR_DIMENSIONS_MAX = 4_096;
/** Texts of one request to an embeddings endpoint, and characters of each: every endpoint in use takes as much. */
export const EMBEDDING_BATCH_TEXTS = 32;
export const EMBEDDING_TEXT_CHARS_MAX = 4_000;
/** Objects embedded by one tick: a large import is done within the hour, and a tick within its minute. */
export const EMBEDDING_TICK_OBJECTS_MAX = 256;
/** One answer: 32 vectors of 4,096 numbers in digits. */
export const EMBEDDING_RESPONSE_BYTES_MAX = 4 * 1024 * KIB;
/** One batch; and the question of a turn, which goes on without a vector after this. */
export const EMBEDDING_TIMEOUT_MS = 20_000;
export const EMBEDDING_QUESTION_TIMEOUT_MS = 1_500;
/** Waits after an endpoint failed, doubling from the first to the last. */
export const EMBEDDING_BACKOFF_MS_MIN = 60_000;
export const EMBEDDING_BACKOFF_MS_MAX = 6 * 60 * 60_000;
/** Different words of a question that count. */
export const RETRIEVAL_TERMS_MAX = 64;
/** Best objects of each kind of search that are fused: the right one is seldom further down. */
export const RETRIEVAL_CANDIDATES_MAX = 100;
/** An object this old has half the bonus of one of today. */
export const RETRIEVAL_RECENCY_HALF_LIFE_MS = 30 * DAY_MS;
/** Changed objects by which an index is moved on: beyond, building it anew is about as quick. */
export const RETRIEVAL_CHANGES_MAX = 500;
/** Tokens of the CONTEXT section: a quarter of a prompt, paid with every call. */
export const CONTEXT_TOKENS_MAX = 1_500;
/** The owner's and the agent's own notes shown in full because a message shares words with them, and the least share of it. */
export const CONTEXT_RETRIEVED_MAX = 5;
export const CONTEXT_SHARE_MIN = 0.25;
/** Notes from outside that a message brings up: a few, because each of them taints the turn. */
export const CONTEXT_OUTSIDE_MAX = 3;
/** Of the room for memory, what notes from outside may take of it beside the owner's. */
export const CONTEXT_OUTSIDE_PERCENT_MAX = 30;
/** Lines that say "a note from outside"; the rest of them is one number. */
export const CONTEXT_VEILED_MAX = 3;
/** Words a note from outside must share with a message, beside the threshold: one word is too easily shared by chance. */
export const CONTEXT_OUTSIDE_WORDS_MIN = 2;
/** Levels shown of every active project (the original's). */
export const CONTEXT_DEPTH_MAX = 2;
/** Similarity from which an object is shown in full (the original's CONTEXT_SEMANTIC_THRESHOLD). */
export const CONTEXT_SEMANTIC_THRESHOLD = 0.75;
/** A title in an outline, and the pieces a body is shown in: the next piece has to fit, or the body ends there. */
export const CONTEXT_TITLE_CHARS_MAX = 200;
export const CONTEXT_BODY_PIECE_CHARS = 600;

// --- time -------------------------------------------------------------------------------------------------------

/** What `REASON_MEMORY_MB` may be: Lambda's own range. */
export const REASON_MEMORY_MB_MIN = 128;
export const REASON_MEMORY_MB_MAX = 10_240;
/** Timeout of a stage's function; visibility is this plus 30 s (design 4.6). */
export const PERCEIVE_TIMEOUT_MS = 30 * SECOND_MS;
export const REASON_TIMEOUT_MS = 300 * SECOND_MS;
export const ACT_TIMEOUT_MS = 60 * SECOND_MS;
/** Ingress answers within the time Telegram and webhook senders wait; the store is two calls away. */
export const INGRESS_TIMEOUT_MS = 15 * SECOND_MS;
/** Reading all of memory anew, and the batches of one tick. */
export const EMBED_TIMEOUT_MS = 120 * SECOND_MS;
/** One sweep ends before the next tick is due. */
export const HEARTBEAT_TIMEOUT_MS = 50 * SECOND_MS;
/** Ten records stored and reported. */
export const DEAD_LETTER_TIMEOUT_MS = 30 * SECOND_MS;
/** The log's writer: thousands of records in one go, after a busy minute. */
export const LOG_TIMEOUT_MS = 60 * SECOND_MS;
/** Added to a stage's timeout for its queue's visibility: a crashed message is seen again only after its function is dead. */
export const VISIBILITY_MARGIN_MS = 30 * SECOND_MS;
/** Kept free of the cascade's waits, so that Reason always has time to store what it has. */
export const REASON_RESERVE_MS = 10 * SECOND_MS;
/** Deliveries of one queue message before SQS moves it to the dead-letter queue. */
export const RECEIVE_COUNT_MAX = 3;
/** Waits before a retryable failure is seen again, by receive count (visibility change). */
export const RETRY_BACKOFF_MS = [1 * SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS] as const;
/**
 * Provider call: connecting (the original's 10 s), and in all by tier: the longest answer at some
 * 70 tokens a second.
 */
export const PROVIDER_CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
export const PROVIDER_TIMEOUT_MS = { cognition: 60 * SECOND_MS, reasoning: 240 * SECOND_MS } as const;
/**
 * Longest pause inside a streamed answer, by tier: who stops this long has broken off. A model that
 * thinks sends nothing meanwhile.
 */
export const PROVIDER_STREAM_IDLE_MS = { cognition: 20 * SECOND_MS, reasoning: 120 * SECOND_MS } as const;
/** With less time than this left a provider is not asked: no model answers so fast, and the money would be spent. */
export const PROVIDER_TIMEOUT_MS_MIN = SECOND_MS;
/** A kept connection that breaks within this was dead before: no model has begun to answer by then. */
export const STALE_CONNECTION_MS_MAX = SECOND_MS;
/** A provider that failed is asked last for this long (the original's 600 s); one that tries it again then holds it this long. */
export const PROVIDER_UNWELL_MS = 10 * MINUTE_MS;
/** How long a refused embeddings key counts as refused: longer than until it is tried again, so that the mark stands as long as the refusal. */
export const EMBEDDINGS_REFUSED_MS = 2 * PROVIDER_UNWELL_MS;
export const PROVIDER_PROBE_MS = 90 * SECOND_MS;
/** Longest wait before the same provider is asked once more: with others to ask, and where it is the last. */
export const PROVIDER_RETRY_MS_MAX = SECOND_MS;
export const PROVIDER_LAST_RETRY_MS_MAX = 5 * SECOND_MS;
/** Wait before the last provider is asked once more where it did not say how long. */
export const PROVIDER_RETRY_PAUSE_MS = 500;
/** A provider's list of its models: routers list hundreds, each with a description. */
export const MODEL_LIST_BYTES_MAX = 8 * 1024 * KIB;
/** Steps of a task whose model calls a conversation's cost counts: few have more. */
export const COST_STEPS_MAX = 4;
/** Looking whether a provider is there: a person waits for all of them at once. */
export const PROVIDER_LOOK_TIMEOUT_MS = 5 * SECOND_MS;
/** Providers added by configuration: more than anybody has keys for. */
export const CONFIGURED_PROVIDERS_MAX = 16;
/** Window of a configured model whose owner names none: what nearly all have, and far more than a prompt here. */
export const PROVIDER_WINDOW_TOKENS_DEFAULT = 32_000;
/** Rules of an owner's table which model is asked, and words of one: a table a person can still read through. */
export const MODEL_RULES_MAX = 32;
export const MODEL_RULE_WORDS_MAX = 32;
/** A message longer than this is work for the large model. */
export const COGNITION_TEXT_CHARS_MAX = 2_000;
/** Steps of a task after which the large model goes on with it. */
export const COGNITION_DEPTH_MAX = 3;
/** Looking up a webhook's host: a resolver that is slower than this counts as having no answer. */
export const RESOLVE_TIMEOUT_MS = 3 * SECOND_MS;
/** Telegram and outgoing webhook calls. */
export const TELEGRAM_TIMEOUT_MS = 15 * SECOND_MS;
export const WEBHOOK_TIMEOUT_MS = 10 * SECOND_MS;
/** A script in the sandbox, its thread's start included: well within what Act has left after its store. */
export const SCRIPT_TIMEOUT_MS = 6 * SECOND_MS;
/** One session with an MCP server, from connecting to the result: well within what Act has. */
export const MCP_TIMEOUT_MS = 20 * SECOND_MS;
/** Of it, at most, for telling the server that the session is over. */
export const MCP_GOODBYE_MS = SECOND_MS;
/** Longest `Retry-After` of a webhook's receiver that is obeyed: a longer one is cut to this, so that an effect still ends. */
export const WEBHOOK_RETRY_AFTER_MS_MAX = 15 * MINUTE_MS;
/** Longest `retry_after` obeyed inside one invocation; a longer one goes back to the queue. */
export const RETRY_AFTER_INLINE_MS_MAX = 5 * SECOND_MS;
/**
 * A claim outlives its invocation's deadline by this: clocks of two functions differ by less, and
 * no message returns sooner.
 */
export const CLAIM_MARGIN_MS = 5 * SECOND_MS;
/** Webhook timestamps older or newer than this are replays (Standard Webhooks' own tolerance). */
export const WEBHOOK_TOLERANCE_MS = 5 * MINUTE_MS;
/** An approval nobody answered; a person at dinner comes back within the hour. */
export const APPROVAL_TTL_MS = HOUR_MS;
/** A pairing code is typed from one window into another. */
export const PAIRING_TTL_MS = 10 * MINUTE_MS;
/** Wrong pairing codes from one chat per day: with 40-bit codes, guessing is hopeless. */
export const PAIRING_FAILURES_MAX = 5;
/**
 * Letters of a script's token: as for every token a person may choose; 16 random ones cannot be
 * guessed.
 */
export const API_TOKEN_CHARS_MIN = 16;
/** Tokens of scripts: each request is compared with all of them. */
export const API_TOKENS_MAX = 50;
/** Secrets read from the secret store are kept this long in a warm function. */
export const SECRET_CACHE_MS = 5 * MINUTE_MS;
/** Waits before the sweep republishes an unfinished signal; SQS forgets deduplication ids after 5 minutes. */
export const SWEEP_BACKOFF_MS = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 30 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** Waits before a summary that failed is asked for again, with the end of a turn: as the sweep's, and then no more until further turns leave. */
export const SUMMARY_BACKOFF_MS = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** Unfinished signals one sweep looks at: the next minute takes the rest. */
export const SWEEP_SIGNALS_MAX = 100;
/** Pages of unfinished signals a local start takes up again: 10,000 messages accepted and not yet worked on. */
export const SWEEP_PAGES_MAX = 100;
/** The heartbeat's own schedule in the cloud is a minute; faster ticks are only for a local stack. */
export const HEARTBEAT_INTERVAL_S_DEFAULT = 60;
/** A health answer older than this without a heartbeat is degraded. */
export const HEARTBEAT_STALE_MS = 3 * MINUTE_MS;

// --- streaming --------------------------------------------------------------------------------------------------

/** Shortest beginning of an answer that is released, and what each later chunk adds at least: a short answer is not streamed. */
export const DRAFT_FIRST_CHARS_MIN = 80;
export const DRAFT_DELTA_CHARS_MIN = 24;
/** An answer that is there within this of its first word is not streamed: nobody reads so fast, and each chunk is a write. */
export const DRAFT_AFTER_MS = 150;
/** Between two chunks of one answer, and between two looks for one: a person reads some 25 characters a second. */
export const DRAFT_INTERVAL_MS = 400;
export const DRAFT_LOOK_MS = 40;
/** Chunks of one answer: half a minute of them; the rest comes with the answer. */
export const DRAFT_CHUNKS_MAX = 80;
/** A draft is gone soon after its answer is there; the table deletes it a day or two later. */
export const DRAFT_TTL_MS = HOUR_MS;
/** Between two drafts in a Telegram chat: Telegram takes about one message a second there. And one call, with the reply waiting behind it. */
export const DRAFT_SHOW_INTERVAL_MS = SECOND_MS;
export const DRAFT_SHOW_TIMEOUT_MS = 3 * SECOND_MS;
/** How long the console holds a request for what comes next of an answer, and how often it looks. */
export const STREAM_WAIT_MS_MAX = 4 * SECOND_MS;
export const STREAM_LOOK_MS = 60;
/** When a reader of a stream asks again. */
export const STREAM_RETRY_MS = 100;
/** Streams a space keeps at once. A page follows one; it may have 6 connections to one server. */
export const STREAMS_HELD_MAX = 3;
/**
 * Requests held for streams at once, those among them that newer ones pushed out and that have not
 * noticed yet: fewer than the 10 runs of a new AWS account, so that others get through.
 */
export const STREAM_REQUESTS_HELD_MAX = 6;
/** A held stream looks whether newer ones took its place once in so many looks. */
export const STREAM_PLACE_LOOKS = 4;
/**
 * When a stream that gave way may ask again: at once it would push out another, which does the
 * same.
 */
export const STREAM_GAVE_WAY_RETRY_MS = 15 * SECOND_MS;

// --- people -----------------------------------------------------------------------------------------------------

/**
 * Groups that may ever be named for memory in a space: each is a field of a record that every turn
 * reads.
 */
export const MEMORY_CHATS_MAX = 50;

/** Telegram's limit for one message, in UTF-16 units. */
export const TELEGRAM_TEXT_UNITS_MAX = 4_096;
/** Messages one reply may be split into: a longer reply is cut with a note. */
export const TELEGRAM_PARTS_MAX = 8;
/** Entities of one message: Telegram ignores those past 100, and finds some by itself. */
export const TELEGRAM_ENTITIES_MAX = 90;
/** Waiting in all that one text may cost once its first part is out: a reply cut short is worse than a slow one. */
export const TELEGRAM_MIDWAY_WAIT_MS_MAX = 20 * SECOND_MS;
/** Pause before a part is tried again whose connection was never made. */
export const TELEGRAM_RECONNECT_MS = 1 * SECOND_MS;
/** Bytes read of one Bot API answer: a batch of the largest possible updates fits. */
export const TELEGRAM_ANSWER_BYTES_MAX = 4 * 1024 * KIB;
/** Long poll: half of what the Bot API allows at most, so that proxies which cut idle connections do not. */
export const TELEGRAM_POLL_TIMEOUT_S = 25;
/** How much longer than the long poll its HTTP request may take. */
export const TELEGRAM_POLL_GRACE_MS = 10 * SECOND_MS;
/** Updates taken by one poll: few, because they are delivered one by one and only then confirmed. */
export const TELEGRAM_POLL_UPDATES_MAX = 10;
/** Waits after a poll or a delivery that failed; the last one repeats. */
export const TELEGRAM_POLL_BACKOFF_MS = [
  500,
  1 * SECOND_MS,
  2 * SECOND_MS,
  5 * SECOND_MS,
  15 * SECOND_MS,
  30 * SECOND_MS,
] as const;
/** Quoted text shown beside a message: as long as one Telegram text. */
export const TELEGRAM_QUOTE_CHARS_MAX = 4_096;
/** Display and file names: what a person still reads. */
export const TELEGRAM_NAME_CHARS_MAX = 128;
/**
 * Links of an event that one turn leaves tappable: which of many is chosen can carry something
 * away.
 */
export const EVENT_LINKS_PER_TURN_MAX = 1;
/** Unasked texts to the home chat per hour (I13). */
export const HOME_CHAT_TEXTS_PER_HOUR_MAX = 12;
/** Of them, those of one source: another one is still heard. */
export const HOME_CHAT_SOURCE_TEXTS_PER_HOUR_MAX = 8;
/** An approval card's description: one Telegram message, with room left for what became of it. */
export const CARD_CHARS_MAX = 3_600;
/** Spaces in a row that a card shows as they are: longer gaps could push what follows out of sight. */
export const CARD_GAP_CHARS_MAX = 8;
/** Words that say where outside text came from: a line on a card. */
export const TAINT_SOURCE_CHARS_MAX = 200;
/** Standing yeses in one space: a list a person still reads. */
export const GRANTS_MAX = 30;
/** Grants read to find one: those in force, and those used up whose time has not come. */
export const GRANTS_READ_MAX = 100;
/** Uses and hours of a grant made from a card; and at most, by command. */
export const GRANT_USES_DEFAULT = 10;
export const GRANT_USES_MAX = 1_000;
export const GRANT_HOURS_DEFAULT = 24;
export const GRANT_HOURS_MAX = 30 * 24;
/** Loosened arguments of one grant, and the length of a path or prefix: a bound a person can still picture. */
export const GRANT_LOOSENED_MAX = 8;
export const GRANT_PATH_CHARS_MAX = 256;
/** Actions blocked in one conversation within an hour: past it something pushes against the rules, and it is stopped. */
export const BLOCKS_PER_HOUR_MAX = 10;
/** Signals with blocked actions a conversation keeps: each has at least one, so a stop comes long before. */
export const BLOCK_ENTRIES_MAX = 32;
/** Stopped conversations that are listed: more than a person resumes one by one. */
export const STOPPED_SESSIONS_MAX = 50;
/** What people denied in one conversation, kept to recognise it: as many as can wait in a space at once. */
export const DENIALS_MAX = 20;
/** How long a person's no holds: as long as the question would have waited. */
export const DENIAL_MS = HOUR_MS;
/** Pending approvals in one space: the conversation that asks for one more is stopped. */
export const PENDING_APPROVALS_MAX = 20;

// --- policy -----------------------------------------------------------------------------------------------------

/** A policy text: hundreds of rules, and one small item. */
export const POLICY_CHARS_MAX = 32 * KIB;
/** The names of the rules that decided, as facts and traces hold them. */
export const POLICY_REASON_CHARS_MAX = 200;
/** Signals whose evidence one page holds: their decisions are one read of 100 keys. */
export const EVIDENCE_PAGE_SIGNALS_MAX = 100;
/**
 * Signals whose evidence is asked for one by one, at once: enough to hide the way there and back.
 */
export const EVIDENCE_REQUESTS_MAX = 8;

// --- console ----------------------------------------------------------------------------------------------------

/** Signals one page of the list shows: asked for, or by default. */
export const FEED_LIMIT_MAX = 100;
export const FEED_LIMIT_DEFAULT = 20;
/** Feed entries read for one page of a filtered list; the cursor goes on from there. */
export const FEED_SCAN_MAX = 500;
/** Text of a signal in a list: one line on a wide screen. */
export const FEED_TEXT_CHARS_MAX = 120;
/** Signals of one turn looked at for its replies: far more than depth and actions make in practice. */
export const TURN_SIGNALS_MAX = 64;
/** Pages read of one signal's partition: attempts, decision and effects of the largest kind fit. */
export const SIGNAL_PAGES_MAX = 16;
/** Idempotency keys of console messages: UUIDs and names, not documents. */
export const IDEMPOTENCY_KEY_CHARS_MAX = 200;
/** Newest signals a health answer looks at for dead letters, and how far back: cheap enough to ask without a token. */
export const HEALTH_SIGNALS_MAX = 25;
export const HEALTH_WINDOW_MS = HOUR_MS;
/** How long a health answer is given to everybody who shows no token. */
export const HEALTH_SHARED_MS = 2 * SECOND_MS;

// --- command line -----------------------------------------------------------------------------------------------

/** One request of the command line: longer than an ingress may take. */
export const CLI_REQUEST_TIMEOUT_MS = 20 * SECOND_MS;
/** How long `send` waits for a turn to end, unless told otherwise, and at most. */
export const CLI_WAIT_S_DEFAULT = 60;
export const CLI_WAIT_S_MAX = 3_600;
/** Looks at a running turn: often at first, because most answers are quick, then less. */
export const CLI_POLL_MS = [100, 150, 250, 400, 600, 1 * SECOND_MS] as const;
/** A turn whose tool result may still go back to the model is looked at once more after this. */
export const CLI_SECOND_LOOK_MS = 700;
/** Silence after which a person is told that something is going on. */
export const CLI_PROGRESS_AFTER_MS = 1 * SECOND_MS;
/** How long a decision on an approval is followed up. */
export const CLI_DECISION_WAIT_S = 15;

// --- notes (import and export) ------------------------------------------------------------------------------------

/** One file of notes: books are smaller, and its tree is held in memory while it is read. */
export const NOTE_FILE_BYTES_MAX = 4 * 1024 * KIB;
/** Files of one import, and folders inside folders: past it a folder is not somebody's notes. */
export const NOTE_FILES_MAX = 20_000;
export const NOTE_FOLDER_DEPTH_MAX = 32;
/** Levels of one tree, the document itself among them: as deep as memory goes, less one for long texts in parts. Deeper headings are kept on the last level. */
export const NOTE_DEPTH_MAX = MEMORY_DEPTH_MAX - 1;
/** A heading's words: a longer line is text that lost its line feed. */
export const NOTE_TITLE_CHARS_MAX = MEMORY_TITLE_CHARS_MAX;
/** Tags and properties of one node, and a property's name: as memory has them, less the properties an import adds itself. */
export const NOTE_TAGS_MAX = MEMORY_OBJECT_TAGS_MAX;
export const NOTE_PROPERTIES_MAX = MEMORY_PROPERTIES_MAX - 6;
export const NOTE_PROPERTY_NAME_CHARS_MAX = MEMORY_PROPERTY_NAME_CHARS_MAX;
/** Characters a container (quote, list in a list) may be deep in Markdown: the parser's time grows with its square. */
export const NOTE_INDENT_CHARS_MAX = 500;
/** Quotes and underlined headings of one Markdown file: the parser's time grows with their square, two seconds at this many. */
export const NOTE_COSTLY_LINES_MAX = 5_000;
/** Titles of notes that are gone which one listing names; the rest are counted. */
export const NOTE_GONE_SHOWN_MAX = 20;

// --- evidence log -------------------------------------------------------------------------------------------------

/** Leaves of one log: numbers stay exact, and a thousand a second would take 34 years. */
export const LOG_LEAVES_MAX = 2 ** 40;
/** One leaf: hashes and ids only, and an entry of a bundle has 16 bits for its length. */
export const LEAF_BYTES_MAX = 32 * KIB;
/** Objects one leaf of a commit names; of a larger commit the leaf holds the hash over all of them. */
export const LEAF_CHANGES_MAX = 64;
/** How long a record may be without its leaf: the log's writer runs each half minute, and may take as long itself. */
export const MERGE_DELAY_MS = MINUTE_MS;
/** After a tick's wake-up the log's writer runs once more: half-way to the next tick. */
export const LOG_AGAIN_MS = 30 * SECOND_MS;
/** A run that ended so late is not followed by another before the next tick: it was the second one, or took as long. */
export const LOG_AGAIN_MS_MIN = 5 * SECOND_MS;
/** Characters of the secret a signing key is made of: 128 random bits take 22. */
export const LOG_SECRET_CHARS_MIN = 20;
/** Checkpoints one page shows, and signals whose records one page holds: within what Lambda answers, unless they are huge. */
export const CHECKPOINTS_PAGE_MAX = 500;
export const RECORDS_PAGE_SIGNALS_MAX = 64;
/** Signals whose records a quick check of the log compares: a chat is answered within a second. */
export const QUICK_CHECK_SIGNALS_MAX = 20;
/** Bundles of 256 entries read to find the leaves of an object's versions: half a second of a small function. */
export const AUDIT_BUNDLES_MAX = 32;
/** How long an export waits for the log's writer to take what has just happened. */
export const EXPORT_WAIT_MS = 8 * SECOND_MS;
/** Readings of what changed while an export was made, where nobody is waited for. */
export const EXPORT_ROUNDS_MAX = 5;
/** How long an export is made anew until its parts agree: a merge delay for the log's writer, and as long for a forgetting under way. */
export const EXPORT_AGREE_MS = 2 * MINUTE_MS;
/** Between two such readings: each wakes the log's writer. */
export const EXPORT_PAUSE_MS = 500;
/** Bytes of one answer: Lambda takes 6 MB. */
export const RECORDS_PAGE_BYTES_MAX = 4 * 1024 * KIB;
/** Signals of one batch: their marks, with the head, chunks and tiles, fit a transaction of 100 items. */
export const LOG_BATCH_SIGNALS_MAX = 48;
/** Commits of one batch, and forgotten objects, unless one commit alone has more. */
export const LOG_BATCH_COMMITS_MAX = 256;
export const LOG_BATCH_TOMBSTONES_MAX = 1_000;
/** Signals read at once while a batch is put together: enough to hide the way there and back. */
export const LOG_READS_AT_ONCE = 16;
/** With less time left than this, a run begins no further batch. */
export const LOG_BATCH_MS = 15 * SECOND_MS;
/** Runs that follow each other without a new tick: Lambda stops a function that wakes itself about 16 times. */
export const LOG_ROUNDS_MAX = 8;
/** One signed checkpoint, and the signatures on it: two keys at most sign at once, and witnesses may add theirs. */
export const CHECKPOINT_BYTES_MAX = 16 * KIB;
export const CHECKPOINT_SIGNATURES_MAX = 16;
/** Origin of a log and name of a key, as they stand in checkpoints. */
export const LOG_ORIGIN_CHARS_MAX = 128;
/** One line of an evidence export: a full tile, or one record of the table whole. */
export const EXPORT_LINE_CHARS_MAX = 4 * 1024 * KIB;
/** Leaves of one export: the verifier keeps some 200 bytes of each. */
export const EXPORT_LEAVES_MAX = 4_000_000;
/**
 * How far the clocks of two functions of one stack may be apart: hosts are kept in time to
 * milliseconds, and a laptop that wakes is some seconds off until it is. What one clock stamped is
 * compared with another's only beyond it.
 */
export const CLOCK_SKEW_MS = 10 * SECOND_MS;
/**
 * How long a message waits that older code took up over newer data: three times an hour, the most a
 * queue gives it, for somebody to bring the newer code back. Its conversation waits for the rest of
 * the hour then.
 */
export const NEWER_DATA_WAIT_MS = HOUR_MS;
/**
 * How long a log may have been idle before an export whose newest leaf is older is named as one
 * that may be an old copy.
 */
export const EXPORT_IDLE_MS_MAX = HOUR_MS;
/** How far a clock may be ahead of ours before an export counts as made in the future. */
export const EXPORT_CLOCK_SKEW_MS = 5 * MINUTE_MS;

// --- retention (TTL); evidence has none ---------------------------------------------------------------------------

/** Deduplicating records live at least a week: Telegram and webhook senders retry for days, not weeks. */
export const REFUSAL_RETENTION_MS = 7 * DAY_MS;
/** A chat outside the allowlist gets one polite refusal in this time. */
export const UNPAIRED_NOTICE_INTERVAL_MS = DAY_MS;

// --- store ------------------------------------------------------------------------------------------------------

/** Rounds, one after the other, of a batch read in which the store gave not one key, before it counts as not reachable. */
export const BATCH_GET_ROUNDS_MAX = 8;
/** Tries of a conditional write that lost a race against another writer of the same item. */
export const CONFLICT_TRIES_MAX = 8;

// --- deployment -------------------------------------------------------------------------------------------------

/** Log lines are for the last weeks' questions; evidence lives in the table. One of the values CloudWatch allows. */
export const LOG_RETENTION_DAYS = 30;
/** Of the end of the file of anchors, what is read to find the last one: it may name thousands of forgotten objects. */
export const ANCHOR_TAIL_BYTES = 1024 * KIB;
/** Tombstones kept in one place outside the table, and listed in one setting: some 300 bytes each, and the names of records. */
export const KEPT_TOMBSTONES_MAX = 100;
/** What is kept is looked through from so long before the copy's log ends: clocks of functions differ. */
export const RESTORE_MARGIN_MS = 10 * MINUTE_MS;
/** How long a start on this machine waits for an older copy to be brought up to what was forgotten; then it is held, and says so. */
export const LOCAL_RESTORE_WAIT_MS = 30 * SECOND_MS;
export const LOCAL_RESTORE_POLL_MS = 200;
/** Time kept free of a run that forgets again: one object of a long history takes seconds. */
export const FORGET_AGAIN_RESERVE_MS = 20 * SECOND_MS;
/** Checkpoints go to ANCHOR_CHAT at most so often. */
export const ANCHOR_CHAT_INTERVAL_MS = HOUR_MS;
/** Leaves that sending one makes (a decision, an effect, both again when they change): for them alone no other is sent. */
export const ANCHOR_CHAT_OWN_LEAVES_MAX = 4;
/** How long an anchored checkpoint cannot be deleted by anybody. */
export const ANCHOR_RETENTION_DAYS = 365;
/** The longest SQS keeps a message: a dead letter waits for a person on holiday. */
export const DLQ_RETENTION_DAYS = 14;
/** A message older than this on a stage's queue means that stage is stuck, not slow. */
export const QUEUE_AGE_ALARM_S = 600;

// --- the local stack --------------------------------------------------------------------------------------------

/** Runs of Reason at once in one environment: so many conversations wait for a model, some MB each. */
export const LOCAL_RUNS_MAX = 64;
/**
 * Environments of one function beside it, for messages that come again: each is a thread of some 25
 * MB.
 */
export const LOCAL_REPEAT_WORKERS_MAX = 4;
/** Those are ended after so long without work. */
export const LOCAL_WORKER_IDLE_MS = 20 * SECOND_MS;
/** So is the reader of dead letters, which nearly always stands idle. */
export const LOCAL_RARE_WORKER_IDLE_MS = 2 * SECOND_MS;
/**
 * A thread that takes no event for so long is in an endless loop: no step of a function computes
 * for a second.
 */
export const LOCAL_STUCK_MS = 10 * SECOND_MS;
/** HTTP requests waiting for one function: past it the answer is 503 instead of a longer queue. */
export const LOCAL_HTTP_WAITING_MAX = 256;
/** Young generation of a worker's heap: default workers grow to hundreds of MB of garbage before collecting it. */
export const LOCAL_WORKER_YOUNG_MB = 4;
/** Running invocations get this long to end when the stack is stopped; the sweep picks up what did not. */
export const LOCAL_STOP_GRACE_MS = 3 * SECOND_MS;
/**
 * An idle connection to the local stack. Far beyond what a client is busy with itself between two requests (reading a folder):
 * one that is closed in the moment of the next request fails it.
 */
export const LOCAL_KEEP_ALIVE_MS = 5 * MINUTE_MS;
/** How long a request to the local stack may take to send its headers, and all of it. */
export const LOCAL_HEADERS_WAIT_MS = 5 * SECOND_MS;
export const LOCAL_BODY_WAIT_MS = 15 * SECOND_MS;
/**
 * A connection on which nothing moves, longer than any function runs: its reader takes nothing of
 * the answer.
 */
export const LOCAL_SOCKET_IDLE_MS = 2 * INGRESS_TIMEOUT_MS;
/** The functions' log file is turned over at this size; one older file is kept. */
export const LOCAL_LOG_BYTES_MAX = 10 * 1024 * KIB;
/** Ollama answers at once or is not there. */
export const OLLAMA_PROBE_MS = 300;

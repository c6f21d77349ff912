/**
 * Keys of the one table. A partition key begins with the kind of item and the space, so that a
 * role's permissions can list the kinds it may use. `log#<space>` is the evidence log; the leaves
 * of a signal's records stand with the signal, so that one read finds both.
 */

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const signalPartition = (space: string, id: string): string => `signal#${space}#${id}`;

/** The id of the signal whose partition this is. */
export const signalIdOf = (pk: unknown, space: string): string => String(pk).slice(`signal#${space}#`.length);

export const signalKeys = {
  partition: signalPartition,
  record: (space: string, id: string): Key => ({ pk: signalPartition(space, id), sk: 'record' }),
  attempt: (space: string, id: string, n: number): Key => ({ pk: signalPartition(space, id), sk: `attempt#${n}` }),
  decision: (space: string, id: string): Key => ({ pk: signalPartition(space, id), sk: 'decision' }),
  effect: (space: string, id: string, n: number): Key => ({ pk: signalPartition(space, id), sk: `effect#${n}` }),
  /** A long output stands beside its effect, so that forgetting finds it. */
  output: (space: string, id: string, n: number): Key => ({ pk: signalPartition(space, id), sk: `output#${n}` }),
  /** A released piece of an answer. It sorts behind the record, which a first page then holds. */
  draft: (space: string, id: string, attempt: number, n: number): Key => ({
    pk: signalPartition(space, id),
    sk: `stream#${attempt}#${n}`,
  }),
} as const;

export const sessionKey = (space: string, session: string): Key => ({ pk: `session#${space}#${session}`, sk: 'head' });
/** Variables of a conversation's programs. */
export const scriptStateKey = (space: string, session: string): Key => ({
  pk: sessionKey(space, session).pk,
  sk: 'script-state',
});
export const approvalKey = (space: string, id: string): Key => ({ pk: `approval#${space}#${id}`, sk: 'record' });
export const grantKey = (space: string, id: string): Key => ({ pk: `grant#${space}#${id}`, sk: 'record' });
export const dataVersionKey = (space: string): Key => ({ pk: `data#${space}`, sk: 'version' });
/** Six digits: a job is changed less than a million times. */
const versionDigits = (n: number): string => String(n).padStart(6, '0');

export const jobKeys = {
  partition: (space: string): string => `job#${space}`,
  record: (space: string, name: string): Key => ({ pk: `job#${space}`, sk: `job#${name}` }),
  version: (space: string, name: string, n: number): Key => ({
    pk: `job#${space}`,
    sk: `version#${name}#${versionDigits(n)}`,
  }),
  /** The occurrence of a job, or the row of a helper, stands with the signal it became. */
  occurrence: (space: string, signalId: string): Key => ({
    pk: signalPartition(space, signalId),
    sk: signalId.startsWith('task-') ? 'task' : 'occurrence',
  }),
  /** A version again, with the signal that made it: the log's writer finds it there. */
  change: (space: string, signalId: string, name: string, n: number): Key => ({
    pk: signalPartition(space, signalId),
    sk: `job#${name}#${versionDigits(n)}`,
  }),
} as const;

export const skillKeys = {
  partition: (space: string): string => `skill#${space}`,
  /** The skills in force. */
  active: (space: string): Key => ({ pk: `skill#${space}`, sk: 'active' }),
  version: (space: string, name: string, hash: string): Key => ({
    pk: `skill#${space}`,
    sk: `version#${name}#${hash}`,
  }),
  /** The bytes of one file, by their SHA-256. */
  file: (space: string, sha256: string): Key => ({ pk: `skill#${space}`, sk: `file#${sha256}` }),
  /** A change of a skill, with the signal that made it: the log's writer finds it there. */
  change: (space: string, signalId: string, name: string, hash: string): Key => ({
    pk: signalPartition(space, signalId),
    sk: `skill#${name}#${hash}`,
  }),
  /** The version that this change replaced or removed; absent if there was none. */
  former: (space: string, signalId: string, name: string): Key => ({
    pk: signalPartition(space, signalId),
    sk: `former#${name}`,
  }),
} as const;

export const runKeys = {
  partition: (space: string): string => `run#${space}`,
  /** By the signal it began with. */
  record: (space: string, id: string): Key => ({ pk: `run#${space}`, sk: `run#${id}` }),
  /** The text of a runbook, by its SHA-256. */
  text: (space: string, sha256: string): Key => ({ pk: `run#${space}`, sk: `text#${sha256}` }),
  /** Hashes of the outputs of a session's last run of a runbook. */
  last: (space: string, runbook: string, session: string): Key => ({
    pk: `run#${space}`,
    sk: `last#${runbook}#${session}`,
  }),
} as const;

export const ORDER_PREFIX = 'runner-job#';

export const runnerKeys = {
  partition: (space: string): string => `runner#${space}`,
  /** All paired runners. */
  list: (space: string): Key => ({ pk: `runner#${space}`, sk: 'list' }),
  /** A pairing code, by its SHA-256. */
  code: (space: string, sha256: string): Key => ({ pk: `runner#${space}`, sk: `code#${sha256}` }),
  /** A job that a runner waits for, has, or has ended, until Act has settled its effect. */
  job: (space: string, id: string): Key => ({ pk: `runner#${space}`, sk: `${ORDER_PREFIX}${id}` }),
  /** Evidence: job, receipt and result stand with the signal, where the log's writer finds them. */
  evidence: (space: string, signalId: string, n: number, kind: 'job' | 'receipt' | 'result'): Key => ({
    pk: signalPartition(space, signalId),
    sk: `runner#${n}#${kind}`,
  }),
} as const;

/** A gate set with gates of skills, written before anybody judges by it. */
export const gateSetKeys = {
  partition: (space: string): string => `gate-set#${space}`,
  content: (space: string, version: string): Key => ({ pk: `gate-set#${space}`, sk: version }),
} as const;

/** Settings: `kill-switch`, `heartbeat`, `owner` … */
export const settingKey = (space: string, name: string): Key => ({ pk: `setting#${space}`, sk: name });
/** MCP servers and their accepted tools. */
export const mcpKey = (space: string): Key => ({ pk: `mcp#${space}`, sk: 'catalogue' });
/** Paired chats (`chat#<id>`), codes (`code#<sha-256>`), refusals and tries of a chat's day. */
export const pairingKey = (space: string, name: string): Key => ({ pk: `pairing#${space}`, sk: name });
export const deadLetterKey = (space: string, signalId: string, messageId: string): Key => ({
  pk: `dead-letter#${space}`,
  sk: `${signalId}#${messageId}`,
});

/** Partitions of the two indexes: unfinished items (sparse), and the feed of all signals. */
export const indexPartitions = {
  unfinishedSignals: (space: string): string => `unfinished#${space}`,
  pendingApprovals: (space: string): string => `unfinished#${space}#approvals`,
  stoppedSessions: (space: string): string => `unfinished#${space}#stopped`,
  grants: (space: string): string => `unfinished#${space}#grants`,
  waitingEffects: (space: string): string => `unfinished#${space}#waiting`,
  unknownEffects: (space: string): string => `unfinished#${space}#unknown`,
  /** Jobs by the time they are next due; occurrences and runs that go on, by the next look. */
  jobs: (space: string): string => `unfinished#${space}#jobs`,
  feed: (space: string): string => `feed#${space}`,
  approvalFeed: (space: string): string => `feed#${space}#approvals`,
  /** Active jobs that wait for events of a webhook's source. */
  eventJobs: (space: string, source: string): string => `feed#${space}#events#${source}`,
  /** Runs of runbooks by the time they began. */
  runFeed: (space: string): string => `feed#${space}#runs`,
  /** Occurrences of one job by their moments. */
  jobFeed: (space: string, job: string): string => `feed#${space}#job#${job}`,
} as const;

const partition = (space: string): string => `log#${space}`;

/** As many digits as the largest log needs. */
const digits = (value: number): string => String(value).padStart(13, '0');

const ENTRIES_PREFIX = 'entries#';
const CHECKPOINT_PREFIX = 'checkpoint#';
export const KEY_PREFIX = 'key#';
export const FORGOTTEN_PREFIX = 'forgotten#';
export const GATE_SET_PREFIX = 'gate-set#';

export const logKeys = {
  partition,
  head: (space: string): Key => ({ pk: partition(space), sk: 'head' }),
  /** Partial tiles above the lowest level. */
  edge: (space: string): Key => ({ pk: partition(space), sk: 'edge' }),
  entries: (space: string, start: number): Key => ({ pk: partition(space), sk: `${ENTRIES_PREFIX}${digits(start)}` }),
  /** Chunks that begin between `first` and `last`. */
  entriesBetween: (first: number, last: number): readonly [string, string] => [
    `${ENTRIES_PREFIX}${digits(first)}`,
    `${ENTRIES_PREFIX}${digits(last)}`,
  ],
  tile: (space: string, level: number, index: number): Key => ({
    pk: partition(space),
    sk: `tile#${level}#${digits(index)}`,
  }),
  checkpoint: (space: string, size: number): Key => ({
    pk: partition(space),
    sk: `${CHECKPOINT_PREFIX}${digits(size)}`,
  }),
  /** Checkpoints of more than `size` leaves. */
  checkpointsAfter: (size: number): readonly [string, string] => [
    `${CHECKPOINT_PREFIX}${digits(size + 1)}`,
    `${CHECKPOINT_PREFIX}~`,
  ],
  key: (space: string, order: number): Key => ({ pk: partition(space), sk: `${KEY_PREFIX}${digits(order)}` }),
  /** The hashed content of a version of the gate set. */
  gateSet: (space: string, version: string): Key => ({ pk: partition(space), sk: `${GATE_SET_PREFIX}${version}` }),
  /** Hashes of the rights that have a leaf. */
  rights: (space: string): Key => ({ pk: partition(space), sk: 'rights' }),
  /** The tombstone of an object. */
  forgotten: (space: string, objectId: string): Key => ({ pk: partition(space), sk: `${FORGOTTEN_PREFIX}${objectId}` }),
  /** Leaves of a signal's records. */
  marks: (space: string, signalId: string): Key => ({ pk: signalKeys.partition(space, signalId), sk: 'log' }),
} as const;

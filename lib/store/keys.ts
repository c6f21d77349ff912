/**
 * Keys of the one table. Partition keys start with the item kind, then the space, so that each role's `LeadingKeys`
 * condition can list the kinds it may read and write. Attempts, decision and effects live under their signal.
 */

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const signalPartition = (space: string, id: string): string => `signal#${space}#${id}`;

export const signalKeys = {
  partition: signalPartition,
  record: (space: string, id: string): Key => ({ pk: signalPartition(space, id), sk: 'record' }),
  attempt: (space: string, id: string, n: number): Key => ({ pk: signalPartition(space, id), sk: `attempt#${n}` }),
  decision: (space: string, id: string): Key => ({ pk: signalPartition(space, id), sk: 'decision' }),
  effect: (space: string, id: string, n: number): Key => ({ pk: signalPartition(space, id), sk: `effect#${n}` }),
  /** An effect's long output, whole: beside the effect, so that forgetting finds it. */
  output: (space: string, id: string, n: number): Key => ({ pk: signalPartition(space, id), sk: `output#${n}` }),
  /** What was released of an answer on its way; sorts behind the record, so that who reads a signal's first items finds that. */
  draft: (space: string, id: string, attempt: number, n: number): Key => ({
    pk: signalPartition(space, id),
    sk: `stream#${attempt}#${n}`,
  }),
} as const;

export const sessionKey = (space: string, session: string): Key => ({ pk: `session#${space}#${session}`, sk: 'head' });
export const approvalKey = (space: string, id: string): Key => ({ pk: `approval#${space}#${id}`, sk: 'record' });
export const grantKey = (space: string, id: string): Key => ({ pk: `grant#${space}#${id}`, sk: 'record' });
/** Of all that stands in the table. */
export const dataVersionKey = (space: string): Key => ({ pk: `data#${space}`, sk: 'version' });
/** Settings: `kill-switch`, `heartbeat`, … */
export const settingKey = (space: string, name: string): Key => ({ pk: `setting#${space}`, sk: name });
/** MCP servers and their accepted tools. */
export const mcpKey = (space: string): Key => ({ pk: `mcp#${space}`, sk: 'catalogue' });
/** Paired chats (`chat#<id>`), pairing codes (`code#<sha-256>`), refusals and failures per chat and day. */
export const pairingKey = (space: string, name: string): Key => ({ pk: `pairing#${space}`, sk: name });
export const deadLetterKey = (space: string, signalId: string, messageId: string): Key => ({
  pk: `dead-letter#${space}`,
  sk: `${signalId}#${messageId}`,
});

/** Partition values of the sparse index of unfinished signals, of pending approvals, and of the feed of all signals. */
export const indexPartitions = {
  unfinishedSignals: (space: string): string => `unfinished#${space}`,
  pendingApprovals: (space: string): string => `unfinished#${space}#approvals`,
  stoppedSessions: (space: string): string => `unfinished#${space}#stopped`,
  grants: (space: string): string => `unfinished#${space}#grants`,
  waitingEffects: (space: string): string => `unfinished#${space}#waiting`,
  unknownEffects: (space: string): string => `unfinished#${space}#unknown`,
  feed: (space: string): string => `feed#${space}`,
  approvalFeed: (space: string): string => `feed#${space}#approvals`,
} as const;

const partition = (space: string): string => `log#${space}`;

/** As many as the largest log has. */
const digits = (value: number): string => String(value).padStart(13, '0');

export const ENTRIES_PREFIX = 'entries#';
export const CHECKPOINT_PREFIX = 'checkpoint#';
export const KEY_PREFIX = 'key#';
export const FORGOTTEN_PREFIX = 'forgotten#';
export const GATE_SET_PREFIX = 'gate-set#';

export const logKeys = {
  partition,
  head: (space: string): Key => ({ pk: partition(space), sk: 'head' }),
  /** Partial tiles above the lowest level. */
  edge: (space: string): Key => ({ pk: partition(space), sk: 'edge' }),
  entries: (space: string, start: number): Key => ({ pk: partition(space), sk: `${ENTRIES_PREFIX}${digits(start)}` }),
  /** Chunks that begin from `first` to `last`. */
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
  /** Checkpoints of more leaves than `size`. */
  checkpointsAfter: (size: number): readonly [string, string] => [
    `${CHECKPOINT_PREFIX}${digits(size + 1)}`,
    `${CHECKPOINT_PREFIX}~`,
  ],
  key: (space: string, order: number): Key => ({ pk: partition(space), sk: `${KEY_PREFIX}${digits(order)}` }),
  /** What a version of the gate set is the hash of. */
  gateSet: (space: string, version: string): Key => ({ pk: partition(space), sk: `${GATE_SET_PREFIX}${version}` }),
  /** The tombstone of an object. */
  forgotten: (space: string, objectId: string): Key => ({ pk: partition(space), sk: `${FORGOTTEN_PREFIX}${objectId}` }),
  /** Leaves that the records of a signal have. */
  marks: (space: string, signalId: string): Key => ({ pk: signalKeys.partition(space, signalId), sk: 'log' }),
} as const;

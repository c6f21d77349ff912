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

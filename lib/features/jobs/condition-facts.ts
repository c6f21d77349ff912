/** The facts that the condition of a job may use. Pure. */

export const CONDITION_FACTS = [
  /** Epoch milliseconds. */
  'now',
  'usdToday',
  'tokensToday',
  'approvalsWaiting',
  'unknownEffects',
  'stoppedConversations',
  'memoryCommits',
  /** Since the oldest change of memory that no snapshot of `auto-save` holds. */
  'unsavedMinutes',
  /** The setting MEMORY_AUTO_SAVE_MINUTES. */
  'autoSaveMinutes',
] as const;

export type ConditionFacts = Readonly<Record<(typeof CONDITION_FACTS)[number], number>>;

/** Members of `event` in the condition of a job for events. */
export const EVENT_FACTS = ['source', 'event', 'body', 'text'] as const;

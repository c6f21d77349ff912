/**
 * The log holds one hash for each record of the table: over its fixed part, which may never change.
 * Everything that the owner may have forgotten (actions, proposals, facts, outputs) stands in the
 * fixed part by its hash. The content travels beside it and can be erased. The log's writer and the
 * verifier share this file. Pure. Belongs to the offline verifier: imports canonical JSON only.
 */
import { type HashDomain, hashOf } from '../base/canonical.ts';

/** One judged action by its hashes. */
export interface FixedJudged {
  /** Canonical hash of the action. */
  readonly hash: string;
  readonly outcome: string;
  /** As it is stored: a gate that passed without a word is its name alone. */
  readonly trace: readonly unknown[];
  /** Hash of the facts of all rounds, as they are stored: without those that have their default. */
  readonly facts: string;
}

export interface FixedAttempt {
  readonly n: number;
  readonly at: number;
  readonly provider: string;
  readonly model: string;
  readonly promptHash: string;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Hash of the proposal. */
  readonly proposal?: string | undefined;
  readonly problem?: string | undefined;
  readonly judged: readonly FixedJudged[];
}

/** Reason of a decision that shows an approval card again, or its bounds: its text is withheld. */
export const CARD_REASON = 'it shows an approval card';

export interface FixedDecision {
  readonly v: 1;
  readonly signalId: string;
  readonly at: number;
  readonly outcome: string;
  readonly reason: string;
  readonly gateSet: string;
  readonly policyVersion: string;
  readonly attemptCount: number;
  /** Commit of memory that the prompt was made at, with the newest checkpoint then. */
  readonly memory?:
    | { readonly commit: number; readonly treeSize?: number | undefined; readonly rootHash?: string | undefined }
    | undefined;
  /** Objects of memory that the prompt showed, by version. */
  readonly seen?: readonly { readonly id: string; readonly version: number }[] | undefined;
  /** The added skill whose text the prompt showed, by version. */
  readonly skill?: { readonly name: string; readonly hash: string } | undefined;
  /** All attempts that are stored, the last one too. */
  readonly attempts: readonly FixedAttempt[];
  readonly actions: readonly FixedJudged[];
}

export interface FixedEffect {
  readonly v: 1;
  readonly signalId: string;
  readonly n: number;
  readonly actuator: string;
  readonly state: string;
  readonly actionHash: string;
  /** Trace of the last mile, as it is stored. */
  readonly trace: readonly unknown[];
  readonly facts: string;
  readonly tries: number;
  readonly claim?: string | undefined;
  readonly claimedAt?: number | undefined;
  readonly settledAt?: number | undefined;
  readonly isReleased?: boolean | undefined;
  /** A runner has it, and Act waits for its result. */
  readonly handedTo?: { readonly runner: string; readonly until: number } | undefined;
  /** A reference: an approval's id is a capability and never stands in evidence. */
  readonly approval?: string | undefined;
  readonly grant?: string | undefined;
  /** Hash of the output. */
  readonly output?: string | undefined;
  readonly outputOrigin?: string | undefined;
  readonly reason?: string | undefined;
  readonly resolution?: string | undefined;
}

export interface FixedApproval {
  readonly v: 1;
  readonly ref: string;
  readonly session: string;
  readonly signalId: string;
  readonly n: number;
  readonly actionHash: string;
  readonly policyVersion: string;
  readonly reasons: readonly string[];
  readonly requester?: string | undefined;
  readonly origin?: string | undefined;
  readonly state: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedBy?: string | undefined;
  readonly decider?: string | undefined;
  readonly decidedAt?: number | undefined;
  readonly endedBecause?: string | undefined;
  readonly spentAt?: number | undefined;
  /** When a yes ended unspent. */
  readonly endedAt?: number | undefined;
}

export interface FixedCommit {
  readonly v: 1;
  /** Position in the space's sequence of commits, from 1. */
  readonly number: number;
  readonly signal: string;
  readonly actor: string;
  readonly at: number;
  readonly changes: readonly { readonly id: string; readonly old: string | null; readonly new: string | null }[];
}

export interface FixedTombstone {
  readonly v: 1;
  /** The forgotten object. */
  readonly object: string;
  /** The hash that stays of it. */
  readonly hash: string;
  readonly forgottenAt: number;
  readonly signal: string;
  /** Records whose content went with the object: `decision <signal>`, `effect <signal>#<n>`. */
  readonly covers: readonly string[];
}

/** One change of a job. Its definition, which holds a person's words, stands here by its hash. */
export interface FixedJob {
  readonly v: 1;
  readonly job: string;
  /** Versions of a job are numbered from 1, without a gap. */
  readonly version: number;
  readonly state: string;
  readonly definition: string;
  /** The rule itself, without words of a condition or names of events. */
  readonly when: Readonly<Record<string, unknown>>;
  /** Moments after this one are of this version, epoch milliseconds. */
  readonly from: number;
  /** The person who made it, or `system`. */
  readonly by: string;
  readonly why: string;
  readonly signal: string;
  readonly effect: string;
}

/** One moment of a job, or a run without one, and what became of it. */
export interface FixedOccurrence {
  readonly v: 1;
  readonly job: string;
  readonly version: number;
  readonly kind: string;
  readonly instant: number;
  /** Of a `rule`: the moment before it that was accounted for. */
  readonly after?: number | undefined;
  readonly state: string;
  readonly why?: string | undefined;
  readonly lateMs?: number | undefined;
  readonly isShifted?: boolean | undefined;
  readonly at: number;
  readonly closedAt?: number | undefined;
  readonly eventId?: string | undefined;
}

/** One change of a skill. The list of its files is content; the version is a hash over it. */
export interface FixedSkill {
  readonly v: 1;
  readonly skill: string;
  /** Hash of the version that came into force, or `removed`. */
  readonly version: string;
  readonly trust: string;
  readonly by: string;
  readonly at: number;
  readonly signal: string;
}

/** A rotation and a right stand in their leaf alone: no record of an export is theirs. */
export const LEAF_ALONE = /^(rotation|right) /;

export type RecordKind =
  | 'decision'
  | 'effect'
  | 'approval'
  | 'commit'
  | 'tombstone'
  | 'rotation'
  | 'right'
  | 'occurrence'
  | 'job'
  | 'skill'
  | 'runner-job'
  | 'runner-receipt'
  | 'runner-result';

const DOMAINS: Readonly<Record<RecordKind, HashDomain>> = {
  decision: 'decision-record',
  effect: 'effect-record',
  approval: 'approval-record',
  commit: 'commit-record',
  tombstone: 'tombstone-record',
  rotation: 'rotation-record',
  right: 'right',
  occurrence: 'occurrence-record',
  job: 'job-record',
  skill: 'skill-record',
  'runner-job': 'runner-record',
  'runner-receipt': 'runner-record',
  'runner-result': 'runner-record',
};

/** The hash that a leaf holds. @throws ProtocolError */
export const recordHash = (kind: RecordKind, fixed: object): string => hashOf(DOMAINS[kind], fixed);

/** @param text the signal as it is stored, whole: words, sender, conversation and route */
export const envelopeHash = (text: string): string => hashOf('signal', text);

/** The decision as a job for a runner names it. */
export const withoutAttempts = (fixed: FixedDecision): FixedDecision => ({ ...fixed, attempts: [] });

/** Stands for an approval's id in evidence: nobody finds 128 random bits again from their hash. */
export const approvalRef = (id: string): string => hashOf('approval-id', id).slice(0, 32);

export const effectId = (signalId: string, n: number): string => `${signalId}#${n}`;

export const jobVersionId = (job: string, version: number): string => `${job}#${version}`;

/** Id of a change of a skill: the same version may come into force again by another signal. */
export const skillChangeId = (signal: string, skill: string, version: string): string =>
  `${signal}#${skill}#${version.slice(0, SKILL_ID_CHARS)}`;

/** Characters of a skill's version in its record's id. */
const SKILL_ID_CHARS = 12;

const without = (fixed: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(fixed).filter(([name]) => !names.includes(name)));

const SETTLED = [
  'handedTo',
  'settledAt',
  'isReleased',
  'waitingSince',
  'output',
  'outputOrigin',
  'reason',
  'resolution',
];
const DECIDED = ['decidedBy', 'decider', 'decidedAt', 'endedBecause', 'spentAt', 'endedAt'];

/** An occurrence while it ran: its state changes once, when it is closed. */
const openForm = (fixed: object): object => ({
  ...without(fixed, ['closedAt', 'why']),
  state: 'lateMs' in fixed ? 'late' : 'fired',
});

/**
 * Forms that the record had before: an effect while it was claimed, an approval while it was
 * approved or pending, an occurrence while it ran. A record that changed within the merge delay has
 * the leaf of one of these.
 */
export const earlierForms = (kind: RecordKind, fixed: object): readonly object[] => {
  switch (kind) {
    case 'effect':
      return [{ ...without(fixed, SETTLED), state: 'claimed' }];
    case 'approval':
      return [
        { ...without(fixed, ['spentAt', 'endedBecause', 'endedAt']), state: 'approved' },
        { ...without(fixed, DECIDED), state: 'pending' },
      ];
    case 'occurrence':
      return [openForm(fixed)];
    case 'decision':
    case 'commit':
    case 'tombstone':
    case 'rotation':
    case 'right':
    case 'job':
    case 'skill':
    case 'runner-job':
    case 'runner-receipt':
    case 'runner-result':
      return [];
    default:
      return kind satisfies never;
  }
};

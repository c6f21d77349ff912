/**
 * Evidence of an action that a runner performed: the signed job, the signed receipt and the signed
 * result, without a person's words. Command, paths and output stand in the decision and in the
 * effect; here are their hashes. Shared by the log's writer and the offline verifier.
 */

/** Act stores one of these in place of an output that holds a secret, whoever gave it. */
export const OUTPUT_HIDDEN = '[the answer is left out: it holds a configured secret]';
export const OUTPUT_WITH_KEY_HIDDEN = '[the answer is left out: it holds what looks like a key, token or password]';

/** The runner's and Act's keys, 32 bytes in base64url, and the pairing that made the two meet. */
export interface FixedPairing {
  readonly publicKey: string;
  readonly actKey: string;
  readonly pairedAt: number;
  /** Sender id of the approver. */
  readonly pairedBy: string;
}

/** The job, as Act handed it on. Its id is its effect's. */
export interface FixedOrder {
  readonly v: 1;
  /** As its `issuedAt`. */
  readonly at: number;
  /** Exactly the signed bytes. */
  readonly job: {
    readonly v: 1;
    readonly id: string;
    readonly space: string;
    readonly runner: string;
    readonly actionHash: string;
    /** The decision's record hash without its attempts, as no attempt changes what was decided. */
    readonly decisionHash: string;
    readonly traceHash: string;
    readonly consent?: { readonly kind: string; readonly id: string } | undefined;
    readonly issuedAt: number;
    readonly expiresAt: number;
    readonly nonce: string;
  };
  readonly signature: string;
  readonly pairing: FixedPairing;
}

export interface FixedRunnerReceipt {
  readonly v: 1;
  /** Id of the job's effect. */
  readonly effect: string;
  /** When Act wrote it down, epoch milliseconds; the times inside are of the machine's clock. */
  readonly at: number;
  /** Exactly the signed bytes. */
  readonly receipt: {
    readonly v: 1;
    readonly jobHash: string;
    readonly runner: string;
    readonly takenAt: number;
    readonly claim: string;
    readonly runMsMax: number;
  };
  readonly signature: string;
}

export interface FixedRunnerResult {
  readonly v: 1;
  readonly effect: string;
  readonly at: number;
  /** Exactly the signed bytes. */
  readonly result: {
    readonly v: 1;
    readonly jobHash: string;
    readonly runner: string;
    readonly claim?: string | undefined;
    readonly state: string;
    /** Hash of the plain words. */
    readonly reason: string;
    readonly exitCode?: number | undefined;
    readonly startedAt?: number | undefined;
    readonly endedAt: number;
    readonly output: { readonly sha256: string; readonly bytes: number };
    readonly shown: { readonly hash: string; readonly head: string; readonly isWhole: boolean };
    /** Hash of the list of changed files. */
    readonly changed: string;
    readonly moreChanged: number;
    readonly allowHash: string;
  };
  readonly signature: string;
}

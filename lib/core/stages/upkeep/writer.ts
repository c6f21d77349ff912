/**
 * Runs the log's writer for one message. If time was too short, it wakes itself again, a bounded
 * number of times. A tick's message comes back once, half-way to the next tick, so that no record
 * waits longer than the merge delay. Fails as `runLog` does; a key that does not fit is noted too.
 */

import { hashOf } from '../../base/canonical.ts';
import { ConfigError, ProtocolError } from '../../base/errors.ts';
import { SECOND_MS } from '../../base/limits.ts';
import type { GateSet } from '../../gates/engine/build-gate-set.ts';
import { type GateSetContent, gateSetContent } from '../../gates/engine/gate-set-content.ts';
import { type Anchors, anchorNewest } from '../../log/anchor.ts';
import type { Cosigner, LoadCosigner } from '../../log/cosigner.ts';
import { buildLogSigners } from '../../log/log-keys.ts';
import { noteAnchorProblem, noteLogProblem } from '../../log/log-problem.ts';
import { runLog } from '../../log/write-log.ts';
import type { LogMessage } from '../../signal/messages.ts';
import { logKeys } from '../../store/keys.ts';
import type { Log } from '../../store/log.ts';
import type { ReadSecrets } from '../../store/secrets.ts';
import type { Table } from '../../store/table.ts';
import type { Work } from '../batch.ts';

/** Keeps a gate set's content while it is in force, so that exports explain it. */
const keepGateSet = (table: Pick<Table, 'put'>, space: string, content: GateSetContent): Promise<void> =>
  table.put(logKeys.gateSet(space, hashOf('gate-set', content)), { schemaVersion: 1, content });

/** The second run of a tick comes half-way to the next tick. */
export const LOG_AGAIN_MS = 30 * SECOND_MS;
/** With less time than this until half-way, no second run follows. */
const LOG_AGAIN_MS_MIN = 5 * SECOND_MS;
/** With less time left than this, a run begins no further batch. */
const LOG_BATCH_MS = 15 * SECOND_MS;
/** Runs without a tick between: Lambda stops a function that wakes itself about 16 times. */
const LOG_ROUNDS_MAX = 8;

export interface WriterDeps {
  readonly table: Table;
  readonly space: string;
  readonly readSecrets: ReadSecrets;
  /** Sends the writer a message. @param round counts the runs without a tick between them */
  readonly wake: (slot: string, round: number) => Promise<void>;
  /** Absent if checkpoints are kept nowhere else. */
  readonly anchors: Anchors | undefined;
  /** Absent if nobody cosigns. */
  readonly loadCosigner?: LoadCosigner | undefined;
  /** The gates in force, stored once by each process, before it adds a leaf. */
  readonly loadGateSet: () => Promise<GateSet>;
  readonly log: Log;
  readonly now: () => number;
}

/** Keep it for as long as the process lives: it remembers what it has anchored. */
export const buildWriter = (deps: WriterDeps): Work<LogMessage> => {
  /** Size of the newest checkpoint that is known to be anchored. */
  let anchoredSize = 0;
  let isGateSetKept = false;
  let cosigner: Cosigner | undefined;
  let cosignedSize = 0;
  const write: Work<LogMessage> = async (message, remainingMs, seeAgain) => {
    const { table, space, now, log } = deps;
    if (message.space !== space) throw new ProtocolError('the message is for another space');
    const signers = buildLogSigners(space, await deps.readSecrets(now()));
    // Before any leaf: a process that died after it would leave decisions that nothing explains.
    if (!isGateSetKept) {
      await keepGateSet(table, space, gateSetContent(await deps.loadGateSet()));
      isGateSetKept = true;
    }
    const report = await runLog({
      table,
      space,
      now,
      signers,
      hasTime: () => remainingMs() > LOG_BATCH_MS,
      keepForgotten: deps.anchors?.keepForgotten,
      report: (problem) => log('error', 'log-unreadable', { problem }),
    });
    const reportRefusal = (problem: string): void => log('error', 'witness-refused', { problem });
    cosigner ??= await deps.loadCosigner?.({ table, space, now, report: reportRefusal });
    // Before it is anchored: the anchor has the cosignatures too.
    if (cosigner !== undefined && report.checkpointSize > 0 && remainingMs() > LOG_BATCH_MS)
      if (report.checkpointSize !== cosignedSize || cosigner.isDue()) {
        await cosigner.cosign(report.checkpointSize);
        cosignedSize = report.checkpointSize;
      }
    if (deps.anchors !== undefined && report.checkpointSize !== anchoredSize) {
      const { checkpoint, lastCommit: commit } = report;
      // Cosigners add to the stored one.
      const made = checkpoint === undefined || cosigner !== undefined ? undefined : { ...checkpoint, commit };
      try {
        await anchorNewest({ table, space, anchors: deps.anchors, now: now(), made });
      } catch (error) {
        await noteAnchorProblem(table, space, now());
        throw error;
      }
      anchoredSize = report.checkpointSize;
    }
    if (report.leaves > 0) log('info', 'log-written', { leaves: report.leaves, size: report.size });
    if (report.hasMore && message.round < LOG_ROUNDS_MAX) await deps.wake(`${report.size}`, message.round + 1);
    const againMs = message.tickAt === undefined ? 0 : message.tickAt + LOG_AGAIN_MS - now();
    if (againMs >= LOG_AGAIN_MS_MIN) seeAgain(Math.min(againMs, LOG_AGAIN_MS));
  };
  return async (...given) => {
    try {
      await write(...given);
    } catch (error) {
      const { table, space, now } = deps;
      if (error instanceof ConfigError) await noteLogProblem(table, space, error.problems.join('; '), now());
      throw error;
    }
  };
};

/**
 * A space whose stages, memory and log's writer run in one process over a real table; exports come
 * straight from it. For the writer's own tests and the tamper suite.
 */
import { randomBytes } from 'node:crypto';
import { renderVerifierKey } from '../../../lib/core/evidence/signed-note.ts';
import { type VerifyResult, verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { gateSetContent } from '../../../lib/core/gates/engine/gate-set-content.ts';
import { collectExport } from '../../../lib/core/log/collect-export.ts';
import { buildExportLines } from '../../../lib/core/log/export-lines.ts';
import { buildLogSigners, type LogSigners } from '../../../lib/core/log/log-keys.ts';
import { buildTableSource } from '../../../lib/core/log/source.ts';
import { type RunDeps, type RunReport, runLog } from '../../../lib/core/log/write-log.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import type { TestDynamo } from '../../support/dynamo.ts';
import { buildSimulation, ownerMessage, type SimulationOptions } from '../../support/simulation.ts';

export const SECRET = 'a-secret-of-the-tests-for-signing';
export const OTHER_SECRET = 'another-secret-of-the-tests-to-sign-with';

export const signersOf = (space: string, current = SECRET, previous?: string): LogSigners =>
  buildLogSigners(
    space,
    new Map([
      ['LOG_SIGNING_KEY', current],
      ...(previous === undefined ? [] : [['LOG_SIGNING_KEY_PREVIOUS', previous] as const]),
    ]),
  );

export interface Exported {
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}

export interface ExportOptions {
  /** Read instead of the table itself. */
  readonly table?: Table;
  readonly pause?: () => Promise<boolean>;
  /** Of the function that answers, and so of the export. */
  readonly now?: () => number;
}

export const buildLogWorld = (dynamo: TestDynamo, options: Partial<SimulationOptions> = {}) => {
  const space = `s${randomBytes(6).toString('hex')}`;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => ({ content: 'Noted.' }),
    ...options,
  });
  const memory = buildMemory(dynamo.table, space);
  let sent = 0;

  const run = (more: Partial<RunDeps> = {}): Promise<RunReport> =>
    runLog({
      table: dynamo.table,
      space,
      now: simulation.now,
      signers: signersOf(space),
      hasTime: () => true,
      report: (problem) => {
        throw new Error(problem);
      },
      ...more,
    });

  const exportLines = async ({
    table = dynamo.table,
    pause,
    now = simulation.now,
  }: ExportOptions = {}): Promise<Exported> => {
    const problems: string[] = [];
    const parts = await collectExport({
      ...(pause === undefined ? {} : { pause }),
      source: buildTableSource(table, space, now),
      gateSets: [gateSetContent(GATE_SET)],
      onProgress: () => undefined,
      onProblem: (problem) => problems.push(problem),
    });
    return { lines: [...buildExportLines(parts)], problems };
  };

  return {
    space,
    simulation,
    memory,
    run,
    exportLines,
    /** A message and everything it causes. */
    say: async (text: string, chat?: string): Promise<string> => {
      sent += 1;
      const message = ownerMessage(space, sent, text, chat, simulation.now());
      await simulation.accept(message);
      await simulation.drain();
      return message.id;
    },
    verify: async (options: { key?: string; anchor?: string } = {}): Promise<VerifyResult> =>
      verifyExport((await exportLines()).lines, { now: simulation.now(), ...options }),
  };
};
export type LogWorld = ReturnType<typeof buildLogWorld>;

export const keyOf = (space: string, secret = SECRET): string =>
  renderVerifierKey(signersOf(space, secret).current.verifier);

/**
 * A space's evidence, made of real decisions, effects and approvals: every tenth action asked for
 * an approval, every seventh signal committed to memory, the key changed half-way, and one decision
 * was forgotten. The same numbers always give the same export. Its parts can be changed and built
 * again, which is what a forger would do.
 */

import type { Approval } from '../../../lib/core/approvals/approval.ts';
import { originOf } from '../../../lib/core/evidence/checkpoint.ts';
import { buildLeafBytes, type Leaf } from '../../../lib/core/evidence/leaf.ts';
import { appendLeaves, EMPTY_RANGE, leafHash, rootOf } from '../../../lib/core/evidence/merkle.ts';
import {
  approvalRef,
  type FixedCommit,
  type FixedTombstone,
  recordHash,
} from '../../../lib/core/evidence/record-hash.ts';
import { renderVerifierKey } from '../../../lib/core/evidence/signed-note.ts';
import { buildSigningKey, type SigningKey, signCheckpoint } from '../../../lib/core/evidence/signing-key.ts';
import { growTiles, type Tile } from '../../../lib/core/evidence/tiles.ts';
import { buildApprovalRecord, buildDecisionRecord, buildEffectRecord } from '../../../lib/core/log/evidence-records.ts';
import { buildExportLines, type ExportParts, type ExportRecord } from '../../../lib/core/log/export-lines.ts';
import { type Action, actionHash } from '../../../lib/core/signal/action.ts';
import type { Decision, Effect, JudgedAction } from '../../../lib/core/signal/decision.ts';
import type { TraceEntry } from '../../../lib/core/signal/gate.ts';
import { EMPTY_EDGE } from '../../support/empty-edge.ts';
import { factsFor, NOW, POLICY_VERSION, webhookCall } from '../gates/samples.ts';

export const SPACE = 'default';
export const ORIGIN = originOf(SPACE);
export const FIRST_KEY = buildSigningKey(ORIGIN, Buffer.alloc(32, 1));
export const SECOND_KEY = buildSigningKey(ORIGIN, Buffer.alloc(32, 2));
export const FORGERS_KEY = buildSigningKey(ORIGIN, Buffer.alloc(32, 66));
export const textOf = (key: SigningKey): string => renderVerifierKey(key.verifier);

/**
 * The gates of the world's release; not those of this one, so that adding a gate changes no test
 * here.
 */
const GATE_NAMES = ['kill-switch', 'permissions', 'secret-formats', 'network'];
export const GATE_SET = {
  engine: 1,
  gates: GATE_NAMES.map((name, n): readonly [string, number, number] => [name, 100 - n, 1]),
  problem: '',
};
export const GATE_SET_VERSION = (): string =>
  JSON.parse([...buildExportLines(emptyParts([GATE_SET]))][1] as string).version as string;

const emptyParts = (gateSets: ExportParts['gateSets']): ExportParts => ({
  space: SPACE,
  origin: ORIGIN,
  exportedAt: NOW,
  size: 0,
  keys: [],
  gateSets,
  leaves: [],
  tiles: [],
  checkpoints: [],
  records: [],
});

/** All of an export, before it is hashed: what a writer, honest or not, builds a log from. */
export interface World {
  readonly exportedAt: number;
  readonly leaves: readonly Leaf[];
  /** Newest state of each record, with the leaf it has. */
  readonly records: readonly ExportRecord[];
  /** Sizes at which checkpoints were made. */
  readonly sizes: readonly number[];
}

const STEP_MS = 1_000;

const judge = (n: number, outcome: JudgedAction['outcome']): JudgedAction =>
  judgeAction(webhookCall({ args: { body: { title: `Report ${n}`, rows: [n, n + 1] } } }), outcome, NOW + n);

export const judgeAction = (action: Action, outcome: JudgedAction['outcome'], now: number): JudgedAction => {
  const trace = GATE_NAMES.map(
    (gate): TraceEntry =>
      gate === 'permissions' && outcome === 'ask'
        ? { gate, verdict: 'ask', reason: "the tool call-webhook needs a person's approval" }
        : { gate, verdict: 'pass', reason: '' },
  );
  return { action, hash: actionHash(action), outcome, trace, facts: [factsFor(action, { now })] };
};

export const decisionOf = (signalId: string, at: number, judged: JudgedAction, gateSet: string): Decision => ({
  schemaVersion: 1,
  signalId,
  at,
  outcome: 'act',
  reason: '',
  gateSet,
  policyVersion: POLICY_VERSION,
  attempt: {
    schemaVersion: 1,
    n: 1,
    at,
    provider: 'demo',
    model: 'scripted',
    promptHash: 'a'.repeat(64),
    proposal: { text: `Report ${signalId}`, calls: [] },
    judged: [],
  },
  attemptCount: 1,
  actions: [judged],
});

export const claimOf = (judged: JudgedAction, at: number, approvalId: string | undefined): Effect => ({
  schemaVersion: 1,
  n: 0,
  actuator: 'webhook',
  state: 'claimed',
  actionHash: judged.hash,
  trace: judged.trace,
  facts: judged.facts,
  claimedAt: at,
  leaseUntil: at + 90_000,
  claim: `claim-${at}`,
  tries: 1,
  ...(approvalId === undefined ? {} : { approvalId }),
});

const approvalOf = (id: string, signalId: string, at: number, judged: JudgedAction): Approval => ({
  schemaVersion: 1,
  id,
  space: SPACE,
  session: 'console:main',
  signalId,
  n: 0,
  action: judged.action,
  actionHash: judged.hash,
  policyVersion: POLICY_VERSION,
  reasons: ['the tool needs a person'],
  requester: 'console:owner',
  origin: 'owner',
  state: 'pending',
  createdAt: at,
  expiresAtMs: at + 3_600_000,
});

/**
 * @param signals some 2.6 leaves come of each
 * @param hasYoung ends with records too young for a leaf, as earlier releases exported them
 */
export const buildWorld = (signals: number, hasYoung = false): World => {
  const gateSet = GATE_SET_VERSION();
  const leaves: Leaf[] = [];
  const records = new Map<string, ExportRecord>();
  const objects = new Map<string, string>();
  const sizes: number[] = [];
  let commits = 0;

  const log = (leaf: Omit<Leaf, 'v' | 'space' | 'hash'> & object, record: Omit<ExportRecord, 'leaf'>): void => {
    const common = { v: 1, space: SPACE, hash: recordHash(record.kind, record.fixed) } as const;
    records.set(`${record.kind} ${record.id}`, { ...record, leaf: leaves.length });
    leaves.push({ ...leaf, ...common } as Leaf);
    if (leaves.length % 1_000 === 0) sizes.push(leaves.length);
  };
  const commit = (signal: string, at: number): void => {
    commits += 1;
    const id = `object-${commits % 40}`;
    const changes = [{ id, old: objects.get(id) ?? null, new: commits.toString(16).padStart(64, '0') }];
    objects.set(id, commits.toString(16).padStart(64, '0'));
    const fixed: FixedCommit = { v: 1, number: commits, signal, actor: 'console:owner', at, changes };
    const leaf = {
      kind: 'commit',
      id: String(commits),
      signal,
      actor: 'console:owner',
      at,
      count: 1,
      changes,
    } as const;
    log(leaf, { kind: 'commit', id: String(commits), fixed });
  };
  const act = (n: number, isLogged: boolean): void => {
    const signal = `con-${n}`;
    const at = NOW + n * STEP_MS;
    const isAsked = n % 10 === 3;
    const judged = judge(n, isAsked ? 'ask' : 'pass');
    const source = { signal, actor: 'console:owner', at } as const;
    const decision = buildDecisionRecord(decisionOf(signal, at, judged, gateSet), []);
    const approvalId = isAsked ? n.toString(16).padStart(32, '0') : undefined;
    const claimed = claimOf(judged, at + 20, approvalId);
    const done: Effect = {
      ...claimed,
      state: 'done',
      settledAt: at + 40,
      output: `sent ${n}`,
      outputOrigin: 'outside',
    };
    const [claim, effect] = [buildEffectRecord(signal, claimed), buildEffectRecord(signal, done)];
    if (!isLogged) {
      records.set(`decision ${signal}`, { kind: 'decision', ...decision });
      records.set(`effect ${effect.id}`, { kind: 'effect', ...effect });
      return;
    }
    log({ kind: 'decision', id: signal, ...source }, { kind: 'decision', ...decision });
    if (approvalId !== undefined) {
      const asked = approvalOf(approvalId, signal, at + 5, judged);
      const given: Approval = {
        ...asked,
        state: 'approved',
        decidedBy: `${signal}-yes`,
        decider: 'owner',
        decidedAt: at + 10,
      };
      for (const one of [asked, given, { ...given, state: 'spent', spentAt: at + 20 } as const]) {
        const leaf = { kind: 'approval', id: approvalRef(approvalId), ...source, state: one.state } as const;
        log(leaf, { kind: 'approval', ...buildApprovalRecord(one) });
      }
    }
    if (n % 5 === 0)
      log({ kind: 'effect', id: claim.id, ...source, state: 'claimed' } as never, { kind: 'effect', ...claim });
    log({ kind: 'effect', id: effect.id, ...source, state: 'done' } as never, { kind: 'effect', ...effect });
    if (n % 7 === 0) commit(signal, at + 50);
  };
  const forget = (n: number, at: number): void => {
    const covers = [`decision con-${n}`, `effect con-${n}#0`];
    const fixed: FixedTombstone = {
      v: 1,
      object: 'object-1',
      hash: 'b'.repeat(64),
      forgottenAt: at,
      signal: 'con-forget',
      covers,
    };
    const leaf = { kind: 'tombstone', id: 'object-1', signal: 'con-forget', actor: 'console:owner', at } as const;
    log(leaf, { kind: 'tombstone', id: 'object-1', fixed });
    for (const name of covers) {
      const { content: _erased, ...rest } = records.get(name) as ExportRecord;
      records.set(name, { ...rest, isForgotten: true });
    }
  };
  const rotate = (at: number): void => {
    const fixed = { v: 1, oldKey: textOf(FIRST_KEY), newKey: textOf(SECOND_KEY) } as const;
    const keys = { oldKey: fixed.oldKey, newKey: fixed.newKey };
    const leaf = { kind: 'rotation', id: SECOND_KEY.verifier.id, signal: '', actor: 'system', at, ...keys } as const;
    log(leaf, { kind: 'rotation', id: SECOND_KEY.verifier.id, fixed });
    records.delete(`rotation ${SECOND_KEY.verifier.id}`);
  };

  for (let n = 0; n < signals; n += 1) {
    act(n, true);
    if (n === Math.floor(signals / 2)) rotate(NOW + n * STEP_MS);
    if (n === Math.floor(signals / 2) + 5) forget(4, NOW + n * STEP_MS);
  }
  if (hasYoung) act(signals, false);
  if (sizes.at(-1) !== leaves.length) sizes.push(leaves.length);
  return { exportedAt: NOW + signals * STEP_MS + 30_000, leaves, records: [...records.values()], sizes };
};

/**
 * The keys in use at a size, as an honest writer signs: both at the first checkpoint after the
 * change.
 */
const signersAt = (world: World, size: number): readonly SigningKey[] => {
  const rotation = world.leaves.findIndex(({ kind }) => kind === 'rotation');
  if (rotation < 0 || size <= rotation) return [FIRST_KEY];
  const isFirst = world.sizes.find((one) => one > rotation) === size;
  return isFirst ? [FIRST_KEY, SECOND_KEY] : [SECOND_KEY];
};

export interface Built {
  readonly parts: ExportParts;
  readonly lines: readonly string[];
  /** Newest checkpoint: what would be anchored. */
  readonly anchor: string;
}

const isRotated = ({ leaves }: World): boolean => leaves.length === 0 || leaves.some(({ kind }) => kind === 'rotation');

/** Hashes, tiles and signs a world. @param signers default to the honest ones. */
export const buildExport = (world: World, signers?: readonly SigningKey[]): Built => {
  const bytes = world.leaves.map(buildLeafBytes);
  const hashes = bytes.map(leafHash);
  const { tiles } = growTiles(EMPTY_EDGE, hashes);
  const checkpoints = world.sizes.map((size) => {
    const root = rootOf(appendLeaves(EMPTY_RANGE, hashes.slice(0, size)));
    return signCheckpoint({ origin: ORIGIN, size, root }, signers ?? signersAt(world, size));
  });
  const parts: ExportParts = {
    ...emptyParts([GATE_SET]),
    exportedAt: world.exportedAt,
    size: world.leaves.length,
    keys: (isRotated(world) ? [FIRST_KEY, SECOND_KEY] : [FIRST_KEY]).map(textOf),
    leaves: bytes.map((one) => Buffer.from(one).toString()),
    tiles: inOrder(tiles),
    checkpoints,
    records: inLeafOrder(world.records),
  };
  return { parts, lines: [...buildExportLines(parts)], anchor: checkpoints.at(-1) ?? '' };
};

/** By level, then from the left. */
const inOrder = (tiles: readonly Tile[]): readonly Tile[] =>
  [...tiles].sort((a, b) => Number(a.ref.level) - Number(b.ref.level) || a.ref.index - b.ref.index);

const inLeafOrder = (records: readonly ExportRecord[]): readonly ExportRecord[] =>
  [...records].sort((a, b) => (a.leaf ?? Number.POSITIVE_INFINITY) - (b.leaf ?? Number.POSITIVE_INFINITY) || 0);

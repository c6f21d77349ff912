/**
 * What evidence costs: canonical hashing against npm `canonicalize`, appending to the log, proving
 * inclusion, verifying an export.
 */
import {
  appendLeaves,
  EMPTY_RANGE,
  type Hash,
  leafHash,
  type NodeRef,
  rootOf,
} from '../../lib/core/evidence/merkle.ts';
import { buildProof, inclusionNodes, verifyInclusion } from '../../lib/core/evidence/proofs.ts';
import { verifyExport } from '../../lib/core/evidence/verifier/verify-export.ts';
import { buildExport, buildWorld, FIRST_KEY, textOf } from '../core/evidence/export-world.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import { measureHash } from './measure-evidence-hash.ts';

const HASH_RATIO_MIN = 1.5;
const APPENDS_PER_SECOND_MIN = 250_000;
const INCLUSION_US_MAX = 30;
const VERIFY_S_MAX = 5;
const LEAVES = 262_144;
const APPEND_ROUNDS = 5;
const PROOFS = 2_000;
/** Some 100,000 leaves. */
const SIGNALS = 38_000;
const EXPORT_LEAVES = 100_000;

/** Processor time of this process: what else a shared machine does is not counted. */
const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** Leaves of 300 bytes, as the log's are, hashed and added one by one. */
const measureAppend = (): number => {
  const entries = Array.from({ length: 1_000 }, (_, n) => Buffer.from(`leaf ${n} `.padEnd(300, 'x')));
  const rates = Array.from({ length: APPEND_ROUNDS }, () => {
    let range = EMPTY_RANGE;
    const startedAt = processorSeconds();
    for (let n = 0; n < LEAVES; n += 1)
      range = appendLeaves(range, [leafHash(entries[n % entries.length] ?? Buffer.of())]);
    return LEAVES / (processorSeconds() - startedAt);
  });
  return median(rates);
};

const measureInclusion = (): number => {
  const nodes = new Map<number, Hash[]>();
  const leaves = Array.from({ length: LEAVES }, (_, n) => leafHash(Buffer.from(`leaf ${n}`)));
  const root = rootOf(
    appendLeaves(EMPTY_RANGE, leaves, (level, index, hash) => {
      const row = nodes.get(level) ?? [];
      row[index] = hash;
      nodes.set(level, row);
    }),
  );
  const hashAt = ({ level, index }: NodeRef): Hash => nodes.get(level)?.[index] ?? Buffer.of();
  const timesUs = Array.from({ length: PROOFS }, (_, n) => {
    const index = (n * 7_919) % LEAVES;
    const proof = buildProof(inclusionNodes(index, LEAVES), hashAt);
    const leaf = leaves[index] ?? Buffer.of();
    const startedAt = performance.now();
    if (!verifyInclusion(leaf, index, LEAVES, proof, root)) throw new Error('a proof does not verify');
    return (performance.now() - startedAt) * 1000;
  });
  return median(timesUs);
};

const measureVerify = async (): Promise<{
  readonly leaves: number;
  readonly seconds: number;
  readonly growthMb: number;
}> => {
  const world = buildWorld(SIGNALS);
  const { lines, anchor } = buildExport(world);
  const before = process.memoryUsage().heapUsed;
  let mostUsed = before;
  const onLine = (count: number): void => {
    if (count % 5_000 === 0) mostUsed = Math.max(mostUsed, process.memoryUsage().heapUsed);
  };
  const startedAt = processorSeconds();
  const result = await verifyExport(lines, { key: textOf(FIRST_KEY), anchor, now: world.exportedAt, onLine });
  const seconds = processorSeconds() - startedAt;
  if (result.status !== 'verified') throw new Error('the export does not verify');
  return { leaves: result.leaves, seconds, growthMb: (mostUsed - before) / 2 ** 20 };
};

export const measureEvidence: Measure = async (context) => {
  context.progress('evidence');
  const group = 'evidence';
  const hash = measureHash();
  const perSecond = measureAppend();
  const inclusionUs = measureInclusion();
  context.progress('evidence: an export of 100,000 leaves');
  const { leaves, seconds, growthMb } = await measureVerify();
  const scaled = (seconds * EXPORT_LEAVES) / leaves;
  const note = `processor time; ${leaves} leaves, scaled`;
  return [
    { group, name: 'canonical hash of 1 KB', value: hash.ownUs, unit: 'µs' },
    {
      group,
      name: 'its rate, against npm canonicalize and SHA-256',
      value: hash.ratio,
      unit: '×',
      goal: { is: '≥', value: HASH_RATIO_MIN },
    },
    {
      group,
      name: 'leaves appended',
      note: 'processor time',
      value: perSecond,
      unit: '/s',
      goal: { is: '≥', value: APPENDS_PER_SECOND_MIN },
    },
    {
      group,
      name: 'inclusion verified at 262,144 leaves, p50',
      value: inclusionUs,
      unit: 'µs',
      goal: { is: '≤', value: INCLUSION_US_MAX },
    },
    {
      group,
      name: 'export of 100,000 leaves verified',
      value: scaled,
      unit: 's',
      goal: { is: '≤', value: VERIFY_S_MAX },
      note,
    },
    { group, name: 'heap it took at most, garbage included', value: growthMb, unit: 'MB' },
  ];
};

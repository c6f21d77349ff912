/**
 * Leaves: one spelling each, and the verifier's reading by hand takes exactly what the schema
 * takes.
 */

import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../lib/core/base/canonical.ts';
import { buildLeafBytes, Leaf, parseLeafBytes } from '../../../lib/core/evidence/leaf.ts';
import type { RecordKind } from '../../../lib/core/evidence/record-hash.ts';
import { readLeaf } from '../../../lib/core/evidence/verifier/read-leaf.ts';
import { EVIDENCE_KINDS } from '../../../lib/core/language/evidence-german.ts';
import { fc } from '../../support/fast-check.ts';

const HASH = 'a'.repeat(64);
const common = {
  v: 1,
  space: 'default',
  id: 'con-1',
  hash: HASH,
  signal: 'con-1',
  actor: 'console:owner',
  at: 1,
} as const;
/**
 * A new kind needs a sample here, a case in `read-leaf.ts`, and more:
 * `lib/core/evidence/README.md`.
 */
const SAMPLES: Readonly<Record<Leaf['kind'] | RecordKind, readonly Leaf[]>> = {
  decision: [
    { kind: 'decision', ...common },
    { kind: 'decision', ...common, v: 2, envelope: HASH },
  ],
  effect: [{ kind: 'effect', ...common, state: 'claimed' }],
  approval: [{ kind: 'approval', ...common, state: 'spent' }],
  commit: [
    { kind: 'commit', ...common, count: 1, changes: [{ id: 'x', old: null, new: HASH }] },
    { kind: 'commit', ...common, count: 5_000 },
  ],
  rotation: [{ kind: 'rotation', ...common, oldKey: 'a', newKey: 'b' }],
  tombstone: [{ kind: 'tombstone', ...common, signal: '' }],
  right: [{ kind: 'right', ...common, signal: '' }],
  occurrence: [
    { kind: 'occurrence', ...common, state: 'did-nothing' },
    { kind: 'occurrence', ...common, state: 'stopped' },
  ],
  job: [{ kind: 'job', ...common, state: 'paused' }],
  skill: [{ kind: 'skill', ...common }],
  'runner-job': [{ kind: 'runner-job', ...common }],
  'runner-receipt': [{ kind: 'runner-receipt', ...common }],
  'runner-result': [{ kind: 'runner-result', ...common }],
};
const LEAVES = Object.values(SAMPLES).flat();

describe('a kind of leaf', () => {
  it.each(Object.entries(SAMPLES))('%s has samples of its own, and a German word', (kind, samples) => {
    expect([...new Set(samples.map((leaf) => leaf.kind))]).toStrictEqual([kind]);
    const words = EVIDENCE_KINDS.map(([stored]) => stored);
    expect(words, 'it needs a row of EVIDENCE_KINDS in lib/core/language/evidence-german.ts').toContain(kind);
  });
});

describe('buildLeafBytes', () => {
  it.each(LEAVES.map((leaf) => [leaf.kind, leaf] as const))(
    'writes a %s that is read again, by both readers',
    (_, leaf) => {
      const bytes = buildLeafBytes(leaf);
      expect(parseLeafBytes(bytes)).toStrictEqual(leaf);
      expect(readLeaf(Buffer.from(bytes).toString())).toMatchObject({
        kind: leaf.kind,
        id: leaf.id,
        hash: HASH,
        at: 1,
      });
    },
  );

  it.each<[string, object]>([
    ['another version', { v: 2 }],
    ['a short hash', { hash: 'a' }],
    ['no id', { id: '' }],
    ['content beside it', { text: 'secret' }],
    ['a fraction of a millisecond', { at: 0.5 }],
    ['a space that is none', { space: 'Not One' }],
  ])('refuses %s', (_, change) => {
    expect(() => buildLeafBytes({ ...LEAVES[0], ...change } as Leaf)).toThrowError(/^a leaf does not fit/);
  });
});

describe('parseLeafBytes', () => {
  const text = Buffer.from(buildLeafBytes(LEAVES[0] as Leaf)).toString();
  it.each<[string, string]>([
    ['no JSON', '{'],
    ['a space', text.replace(',', ', ')],
    ['another order', text.replace('{"actor":"console:owner",', '{').replace(/}$/, ',"actor":"console:owner"}')],
    ['a member twice', text.replace('{', '{"v":1,')],
    ['a longer spelling of a letter', text.replace('owner', '\\u006fwner')],
  ])('refuses %s', (_, spelling) => {
    expect(() => parseLeafBytes(Buffer.from(spelling))).toThrowError(
      expect.objectContaining({ name: 'ProtocolError' }),
    );
    expect(readLeaf(spelling)).toBeUndefined();
  });
});

describe('readLeaf', () => {
  it('takes exactly what the schema takes', () => {
    const names = [
      'v',
      'kind',
      'space',
      'id',
      'hash',
      'signal',
      'actor',
      'at',
      'state',
      'count',
      'changes',
      'oldKey',
      'newKey',
      'x',
    ];
    const value = fc.constantFrom<unknown>(
      0,
      1,
      -1,
      0.5,
      '',
      'a',
      'done',
      'spent',
      'missed',
      'removed',
      'decision',
      'commit',
      HASH,
      null,
      true,
      [],
      {},
      [{ id: 'a', old: null, new: null }],
      [{ id: 'a', old: 'b', new: null }],
      'x'.repeat(300),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...LEAVES),
        fc.constantFrom(...names),
        value,
        fc.boolean(),
        (leaf, name, change, isRemoved) => {
          const members = Object.entries(leaf).filter(([one]) => !(isRemoved && one === name));
          const changed = Object.fromEntries(isRemoved ? members : [...members, [name, change]]);
          expect(readLeaf(canonicalJson(changed)) !== undefined).toBe(Leaf.safeParse(changed).success);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

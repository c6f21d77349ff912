/**
 * An auditor of the offline verifier reads all files of this list. None of them can come to depend
 * on more unnoticed.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';

/** `from '…'`, `import '…'`, `import('…')`; not `Buffer.from('…')`. */
const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g;

/** Files and packages reached from a file, types included. */
const reachedFrom = (entry: string): readonly string[] => {
  const seen = new Set([entry]);
  for (const file of seen) {
    if (!file.endsWith('.ts')) continue;
    for (const [, target = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT))
      seen.add(target.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), target)) : target);
  }
  return [...seen].sort();
};

describe('the verifier', () => {
  it('is these files, and depends on node:crypto alone', () => {
    expect(reachedFrom('lib/evidence/verifier/verify-export.ts')).toStrictEqual([
      'lib/base/canonical.ts',
      'lib/base/errors.ts',
      'lib/base/limits.ts',
      'lib/evidence/checkpoint.ts',
      'lib/evidence/cosignature.ts',
      'lib/evidence/limits.ts',
      'lib/evidence/merkle.ts',
      'lib/evidence/proofs.ts',
      'lib/evidence/record-hash.ts',
      'lib/evidence/runner-records.ts',
      'lib/evidence/signed-hash.ts',
      'lib/evidence/signed-note.ts',
      'lib/evidence/tiles.ts',
      'lib/evidence/verifier/checkpoints.ts',
      'lib/evidence/verifier/content.ts',
      'lib/evidence/verifier/effects.ts',
      'lib/evidence/verifier/fields.ts',
      'lib/evidence/verifier/gate-sets.ts',
      'lib/evidence/verifier/hash-tiles.ts',
      'lib/evidence/verifier/job-checks.ts',
      'lib/evidence/verifier/job-moments.ts',
      'lib/evidence/verifier/job-summary.ts',
      'lib/evidence/verifier/leaves.ts',
      'lib/evidence/verifier/read-leaf.ts',
      'lib/evidence/verifier/record-forms.ts',
      'lib/evidence/verifier/record-state.ts',
      'lib/evidence/verifier/records.ts',
      'lib/evidence/verifier/runner-checks.ts',
      'lib/evidence/verifier/runner-summary.ts',
      'lib/evidence/verifier/verify-export.ts',
      'lib/signal/changing-tools.ts',
      'lib/signal/runner-tools.ts',
      'node:crypto',
    ]);
  });

  it('of receipts needs no other file', () => {
    const whole = new Set([...reachedFrom('lib/evidence/verifier/verify-export.ts')]);
    const more = reachedFrom('lib/evidence/verifier/verify-receipt.ts').filter((file) => !whole.has(file));
    expect(more).toStrictEqual(['lib/evidence/verifier/verify-receipt.ts']);
  });
});

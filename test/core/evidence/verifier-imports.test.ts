/**
 * An auditor of the offline verifier reads all files of this list. None of them can come to depend
 * on more unnoticed.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';

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
    expect(reachedFrom('lib/core/evidence/verifier/verify-export.ts')).toStrictEqual([
      'lib/core/base/canonical.ts',
      'lib/core/base/errors.ts',
      'lib/core/base/limits.ts',
      'lib/core/evidence/checkpoint.ts',
      'lib/core/evidence/cosignature.ts',
      'lib/core/evidence/limits.ts',
      'lib/core/evidence/merkle.ts',
      'lib/core/evidence/proofs.ts',
      'lib/core/evidence/record-hash.ts',
      'lib/core/evidence/runner-records.ts',
      'lib/core/evidence/signed-hash.ts',
      'lib/core/evidence/signed-note.ts',
      'lib/core/evidence/tiles.ts',
      'lib/core/evidence/verifier/checkpoints.ts',
      'lib/core/evidence/verifier/content.ts',
      'lib/core/evidence/verifier/effects.ts',
      'lib/core/evidence/verifier/fields.ts',
      'lib/core/evidence/verifier/gate-sets.ts',
      'lib/core/evidence/verifier/hash-tiles.ts',
      'lib/core/evidence/verifier/job-checks.ts',
      'lib/core/evidence/verifier/job-moments.ts',
      'lib/core/evidence/verifier/job-summary.ts',
      'lib/core/evidence/verifier/leaves.ts',
      'lib/core/evidence/verifier/read-leaf.ts',
      'lib/core/evidence/verifier/record-forms.ts',
      'lib/core/evidence/verifier/record-state.ts',
      'lib/core/evidence/verifier/records.ts',
      'lib/core/evidence/verifier/runner-checks.ts',
      'lib/core/evidence/verifier/runner-summary.ts',
      'lib/core/evidence/verifier/verify-export.ts',
      'lib/core/signal/changing-tools.ts',
      'lib/core/signal/runner-tools.ts',
      'node:crypto',
    ]);
  });

  it('of receipts needs no other file', () => {
    const whole = new Set([...reachedFrom('lib/core/evidence/verifier/verify-export.ts')]);
    const more = reachedFrom('lib/core/evidence/verifier/verify-receipt.ts').filter((file) => !whole.has(file));
    expect(more).toStrictEqual(['lib/core/evidence/verifier/verify-receipt.ts']);
  });
});

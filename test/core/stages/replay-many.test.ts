/**
 * I9 over many decisions; a million of them: `node test/support/generated-decisions.ts --runs
 * 1000000`.
 */
import { describe, expect, it } from 'vitest';
import { replayGenerated } from '../../support/generated-decisions.ts';

const RUNS = 10_000;
const SEED = 20_261;

describe('replayEvidence', () => {
  it('finds no difference in 10,000 generated decisions (I9)', async () => {
    const { judgements, outcomes, modified, differences } = await replayGenerated(SEED, RUNS);
    expect(differences).toStrictEqual([]);
    expect([...outcomes].sort()).toStrictEqual(['ask', 'block', 'pass']);
    expect(judgements).toBeGreaterThan(RUNS);
    expect(modified).toBeGreaterThan(0);
  });
});

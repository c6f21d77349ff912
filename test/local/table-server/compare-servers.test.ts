/**
 * The embedded table server against the reference: a sample of what `compare-servers.ts` runs in
 * hundreds of thousands.
 */
import { describe, expect, it } from 'vitest';
import { SEED } from '../../support/seed.ts';
import { compareServers, findReference } from './compare-servers.ts';

const OPERATIONS = 3_000;

describe('the engine beside the reference server', () => {
  it('gives the same answers, errors and returned rows', async () => {
    const program = findReference();
    // Its package is for Linux on x64 alone, and optional.
    if (program === undefined) return console.log(`no reference server for ${process.platform}-${process.arch}`);
    const { operations, byOutcome, differences } = await compareServers(program, OPERATIONS, SEED);
    expect(differences, `TEST_SEED=${SEED}`).toStrictEqual([]);
    expect(operations).toBe(OPERATIONS);
    // The draw reaches every operation, done and refused.
    expect(Object.keys(byOutcome)).toEqual(
      expect.arrayContaining([
        'PutItem done',
        'PutItem ConditionalCheckFailedException',
        'UpdateItem done',
        'UpdateItem ValidationException',
        'DeleteItem done',
        'TransactWriteItems done',
        'TransactWriteItems TransactionCanceledException',
        'Query done',
        'BatchGetItem done',
      ]),
    );
  });
});

/** One database for a describe block or a file, and a fresh space in it for each test. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Table } from '../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from './dynamo.ts';

/** @param use told of them before each test */
export const eachSpace = (
  prefix: string,
  use: (here: { readonly table: Table; readonly space: string }) => void,
): void => {
  let dynamo: TestDynamo;
  let spaces = 0;
  beforeAll(async () => {
    dynamo = await startDynamo();
  });
  afterAll(() => dynamo?.stop());
  beforeEach(() => {
    spaces += 1;
    use({ table: dynamo.table, space: `${prefix}-${spaces}` });
  });
};

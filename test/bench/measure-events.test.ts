/** Events of services keep to their goals: tokens in a prompt, and requests beside a plain turn. */
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { measureEventCosts } from './measure-events.ts';
import { isMet } from './report.ts';

it('an event costs two requests more than a plain turn, a form few tokens, and what is told no model', async () => {
  const rows = await measureEventCosts({
    progress: () => undefined,
    keep: () => undefined,
    parts: [],
    memoryMb: undefined,
    scratch: tmpdir(),
    cacheDir: tmpdir(),
  });
  expect(rows.filter((row) => isMet(row) === false)).toStrictEqual([]);
  expect(rows.filter((row) => isMet(row) === true)).toHaveLength(3);
});

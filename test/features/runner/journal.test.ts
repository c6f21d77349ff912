/** The chain of a machine's journal: what it writes, and what the verifier finds of changes. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openJournal } from '../../../infra/runner/journal.ts';
import { compareWithJournal } from '../../../infra/runner/journal-check.ts';
import type { JournalLine } from '../../../lib/features/runner/journal-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const receipt = (n: number): JournalLine => ({
  kind: 'receipt',
  at: n,
  signed: {
    receipt: {
      v: 1,
      jobHash: String(n).repeat(64),
      runner: 'den',
      takenAt: n,
      claim: 'a'.repeat(32),
      runMsMax: 1,
    },
    signature: 'x',
  },
});

let files = 0;
/** Five lines, of three starts; the first `old` of them as an earlier release wrote them. */
const writeLines = async (old = 0): Promise<readonly string[]> => {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  writeFileSync(path, Array.from({ length: old }, (_, n) => `${JSON.stringify(receipt(n + 1))}\n`).join(''));
  for (const group of [[1], [2, 3], [4, 5]]) {
    const { journal } = await openJournal(path);
    journal.append(...group.filter((n) => n > old).map(receipt));
    journal.close();
  }
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
};

async function* each(lines: readonly string[]) {
  yield* lines;
}
const check = async (lines: readonly string[]) => {
  const { differences, unchained } = await compareWithJournal(each([]), each(lines), 0);
  return { differences, unchained };
};
const breakAt = (line: number) =>
  `line ${line} of the journal does not follow the one before: a line was changed, removed or added`;

describe('the journal of a machine', () => {
  it('names in each line the hash of the line before, over restarts and lines that were cut off', async () => {
    const lines = await writeLines();
    expect(lines).toHaveLength(5);
    expect(await check(lines)).toStrictEqual({ differences: [], unchained: 0 });
    expect(await check(lines.toSpliced(2, 0, '{"kind":"rec'))).toStrictEqual({ differences: [], unchained: 0 });
  });

  it.each<[string, (lines: readonly string[]) => readonly string[], readonly number[]]>([
    ['removed', (lines) => lines.toSpliced(1, 1), [2]],
    ['removed at the beginning', (lines) => lines.slice(1), [1]],
    ['changed', (lines) => lines.with(2, (lines[2] ?? '').replace('"at":3', '"at":9')), [4]],
    ['written twice', (lines) => lines.toSpliced(2, 0, lines[1] ?? ''), [3]],
    ['moved', (lines) => lines.with(1, lines[2] ?? '').with(2, lines[1] ?? ''), [2, 3, 4]],
    ['added without a hash', (lines) => [...lines, JSON.stringify(receipt(6))], [6]],
  ])('shows a line that was %s', async (_, change, at) => {
    expect((await check(change(await writeLines()))).differences).toStrictEqual(at.map(breakAt));
  });

  it('is refused with the way out when it is too large to be read', async () => {
    const path = join(folder, 'large.jsonl');
    writeFileSync(path, '');
    truncateSync(path, 1024 ** 3 + 1);
    await expect(openJournal(path)).rejects.toThrow(/has more than 1024 MiB: .* pair the machine again/);
  });

  it('stays readable if an earlier release began it, and says so', async () => {
    const lines = await writeLines(3);
    expect(await check(lines)).toStrictEqual({ differences: [], unchained: 3 });
    expect((await check(lines.toSpliced(2, 1))).differences).toStrictEqual([breakAt(3)]);
  });
});

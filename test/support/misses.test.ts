import { describe, expect, it } from 'vitest';
import { missesOf, missesOfAsync } from './misses.ts';

const refuse = (row: number): void => {
  if (row > 1) throw new Error(`${row} is too many\nand more`);
};
const MISSES = ['2: 2 is too many', '3: 3 is too many'];

describe('missesOf', () => {
  it('lists each row that misses with the first line of its reason, and no other', () => {
    expect(missesOf([0, 2, 1, 3], refuse)).toStrictEqual(MISSES);
    expect(missesOf([0, 1], refuse)).toStrictEqual([]);
  });
});

describe('missesOfAsync', () => {
  it('lists the same of a check that waits', async () => {
    expect(await missesOfAsync([0, 2, 1, 3], async (row) => refuse(row))).toStrictEqual(MISSES);
    expect(await missesOfAsync([0, 1], async (row) => refuse(row))).toStrictEqual([]);
  });
});

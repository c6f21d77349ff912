import { describe, expect, it } from 'vitest';
import { changeUnits, indexUnits, itemBytes, readUnits, valueBytes, type WireItem, writeUnits } from './item-size.ts';

const KEY: WireItem = { pk: { S: 'signal#s#1' }, sk: { S: 'record' } };
const LISTED: WireItem = { ...KEY, feedSpace: { S: 'feed#s' }, feedAt: { N: '1' } };

describe('valueBytes', () => {
  it.each([
    [{ S: 'é' }, 2],
    [{ N: '0' }, 1],
    [{ N: '1234' }, 3],
    [{ N: '-12' }, 3],
    [{ BOOL: true }, 1],
    [{ NULL: true }, 1],
    [{ B: 'AAAA' }, 3],
    [{ SS: ['ab', 'c'] }, 3],
    [{ L: [] }, 3],
    [{ L: [{ S: 'ab' }] }, 6],
    [{ M: { a: { S: 'b' } } }, 6],
  ])('counts %j as %i', (value, bytes) => {
    expect(valueBytes(value)).toBe(bytes);
  });

  it('refuses a type it does not know', () => {
    expect(() => valueBytes({ X: 'y' })).toThrow('type X');
  });
});

describe('writeUnits and readUnits', () => {
  it.each([
    [0, 1, 1],
    [1024, 1, 1],
    [1025, 2, 1],
    [4097, 5, 2],
  ])('charges %i bytes as %i and %i', (bytes, writes, reads) => {
    expect([writeUnits(bytes), readUnits(bytes)]).toStrictEqual([writes, reads]);
  });
});

describe('indexUnits', () => {
  it.each([
    ['an entry that appears', undefined, LISTED, 1],
    ['an entry that goes', LISTED, KEY, 1],
    ['an entry that moves', LISTED, { ...LISTED, feedAt: { N: '2' } }, 2],
    ['an entry that stays', LISTED, { ...LISTED, state: { S: 'acted' } }, 0],
    ['an item without one', undefined, KEY, 0],
  ] as const)('charges %s', (_, before, after, units) => {
    expect(indexUnits(before, after)).toBe(units);
  });
});

describe('changeUnits', () => {
  it('charges the larger of the old and the new item, and the indexes', () => {
    const large: WireItem = { ...KEY, text: { S: 'x'.repeat(3_000) } };
    expect(itemBytes(KEY)).toBe(20);
    expect(changeUnits(large, KEY)).toBe(3);
    expect(changeUnits(KEY, LISTED)).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import {
  DEFAULT_PERMISSIONS,
  defaultTier,
  isAlwaysDenied,
  type Permission,
  strictest,
} from '../../../lib/judge/policy/default-permissions.ts';
import { TOOLS } from '../../../lib/tools/catalogue.ts';

const ROWS: readonly Permission[] = [
  { effect: 'ask', tool: 'shell' },
  { effect: 'allow', tool: 'shell', args: { cmd: ['date'] } },
  { effect: 'deny', tool: 'shell', args: { cmd: ['reboot'] } },
  { effect: 'allow', tool: 'pay' },
  { effect: 'deny', tool: 'pay' },
];

describe('defaultTier', () => {
  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['the bare row of the tool', 'shell', { cmd: 'ls' }, 'ask'],
    ['a row whose values fit', 'shell', { cmd: 'date' }, 'allow'],
    ['values exactly, not in part', 'shell', { cmd: 'date; ls' }, 'ask'],
    ['values as they are, not by another case', 'shell', { cmd: 'DATE' }, 'ask'],
    ['a denied value', 'shell', { cmd: 'reboot' }, 'deny'],
    ['no value at all', 'shell', {}, 'ask'],
    ['the strictest of equal rows', 'pay', {}, 'deny'],
    ['the tier the tool names itself', 'forget', {}, 'ask'],
    ['nothing for a tool nobody knows', 'unknown-tool', {}, 'deny'],
  ])('takes %s', (_, tool, args, tier) => {
    expect(defaultTier(tool, args, ROWS)).toBe(tier);
  });

  it('asks about every tool that leaves the space', () => {
    const leaving = TOOLS.filter((tool) => tool.target === 'webhook').map(({ name }) => defaultTier(name, {}));
    expect(new Set(leaving)).toStrictEqual(new Set(['ask']));
  });

  it('agrees with the tier each tool names itself', () => {
    expect(TOOLS.map(({ name }) => [name, defaultTier(name, {})])).toStrictEqual(
      TOOLS.map(({ name, tier }) => [name, tier]),
    );
  });
});

describe('isAlwaysDenied', () => {
  it('is true only where no call can pass', () => {
    expect(['shell', 'pay', 'forget'].map((tool) => isAlwaysDenied(tool, ROWS))).toStrictEqual([false, false, false]);
    expect(isAlwaysDenied('shell', [{ effect: 'deny', tool: 'shell' }])).toBe(true);
    expect(isAlwaysDenied('shell', [{ effect: 'deny', tool: 'shell', args: { cmd: ['a'] } }])).toBe(false);
    expect(TOOLS.filter(({ name }) => isAlwaysDenied(name, DEFAULT_PERMISSIONS))).toStrictEqual([]);
  });
});

describe('strictest', () => {
  it('gives the strictest, or nothing of nothing', () => {
    expect([strictest([]), strictest(['allow', 'ask']), strictest(['deny', 'allow'])]).toStrictEqual([
      undefined,
      'ask',
      'deny',
    ]);
  });
});

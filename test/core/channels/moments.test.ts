/** A reader's own clock, and no word of a quotation. The zone is that of the process. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { utcMinute } from '../../../lib/core/base/utc-minute.ts';
import { onReadersClock } from '../../../lib/core/channels/moments.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it.each([
  ['until 2026-11-27 23:51 UTC.', 'until 2026-11-28 00:51.'],
  ['since 16:51 UTC', 'since 17:51'],
  ['(08:51 UTC): put', '(09:51): put'],
  ['“2026-11-27 16:51 UTC” · until 2026-06-27 16:51 UTC', '“2026-11-27 16:51 UTC” · until 2026-06-27 18:51'],
  ['with {"a":"16:51 UTC"}', 'with {"a":"16:51 UTC"}'],
  ['on 2026-13-27 16:51 UTC', 'on 2026-13-27 16:51 UTC'],
  ['at 16:51:30 UTC', 'at 16:51:30 UTC'],
  ['at 25:61 UTC', 'at 25:61 UTC'],
])('%s is read as %s', (line, shown) => {
  process.env.TZ = 'Europe/Berlin';
  expect(onReadersClock(line, Date.UTC(2026, 10, 27))).toBe(shown);
});

it('reads what code writes, and code writes no time of day without its day', () => {
  process.env.TZ = 'Europe/Berlin';
  expect(onReadersClock(utcMinute(Date.UTC(2026, 10, 27, 23, 51)), 0)).toBe('2026-11-28 00:51');
  const files = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const bare = files.filter((file) => /toISOString\(\)\.slice\(11/.test(readFileSync(join(ROOT, 'lib', file), 'utf8')));
  expect(bare).toStrictEqual([]);
});

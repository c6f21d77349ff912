/** A reader's own clock, and no word of a quotation. The zone is that of the process. */
import { afterEach, expect, it } from 'vitest';
import { onReadersClock } from '../../lib/channels/moments.ts';

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
])('%s is read as %s', (line, shown) => {
  process.env.TZ = 'Europe/Berlin';
  expect(onReadersClock(line, Date.UTC(2026, 10, 27))).toBe(shown);
});

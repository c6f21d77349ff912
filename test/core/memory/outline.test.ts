import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import type { LiveObject } from '../../../lib/core/memory/object.ts';
import { byNewest, pageOf } from '../../../lib/core/memory/outline.ts';
import { fc } from '../../support/fast-check.ts';
import { anObject } from './notes.ts';

describe('pageOf', () => {
  it('shows every object once, newest first, whatever the page size', () => {
    const objects = fc
      .array(fc.nat(4), { maxLength: 15 })
      .map((times) => times.map((now, n) => anObject(`note ${n}`, n, { now })));
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 6 }), (all, limit) => {
        const seen: LiveObject[] = [];
        let cursor: string | undefined;
        do {
          const page = pageOf(all, limit, cursor);
          expect(page.objects.length).toBeLessThanOrEqual(limit);
          seen.push(...page.objects);
          cursor = page.cursor;
        } while (cursor !== undefined);
        expect(seen).toStrictEqual([...all].sort(byNewest));
      }),
    );
  });

  it.each([['not base64'], ['bm90IGpzb24'], [Buffer.from('[1,"x"]').toString('base64url')]])(
    'refuses a cursor it did not give: %s',
    (cursor) => {
      expect(() => pageOf([], 5, cursor)).toThrow(new ProtocolError('the cursor is none that this list gave'));
    },
  );
});

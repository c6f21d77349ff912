import { describe, expect, it } from 'vitest';
import { asSeen } from '../../../lib/core/text/as-seen.ts';

describe('asSeen', () => {
  it.each([
    ['plain', 'plain'],
    ['\u001b[31mre\u001b[0md', 'red'],
    [String.raw`\\u001b[31mre\x1b[0md`, 'red'],
    ['^[[1mbold^[[0m', 'bold'],
    ['a<b>b</b>c', 'abc'],
    ['ax\u0008bc', 'abc'],
    ['\u{e0061}\u{e0062}', 'ab'],
  ])('shows %j as %j', (text, seen) => {
    expect(asSeen(text)).toBe(seen);
  });

  // Each of these took minutes if a run were searched again from each of its characters.
  it.each(['\\', '<a', '^[]', '\u001b[0', '%1b]', '&#x1b;', '\u001b]\\'])('reads a long run of %j once', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(asSeen(text).length).toBeLessThanOrEqual(text.length);
  });
});

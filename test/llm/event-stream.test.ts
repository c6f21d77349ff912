import { describe, expect, it } from 'vitest';
import { buildReadEvents } from '../../lib/llm/event-stream.ts';
import { fc } from '../support/fast-check.ts';
import { GROWTH_MAX, growthOf } from '../support/growth.ts';

const readAll = (pieces: readonly string[]): readonly string[] => {
  const read = buildReadEvents();
  return pieces.flatMap((piece) => read(piece));
};

describe('buildReadEvents', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['one event', 'data: a\n\n', ['a']],
    ['all three line ends', 'data: a\r\n\r\ndata: b\r\rdata: c\n\n', ['a', 'b', 'c']],
    ['several lines of one event', 'data: a\ndata: b\n\n', ['a\nb']],
    ['only the first space is left out', 'data:  a\ndata:b\n\n', [' a\nb']],
    ['an empty line of data', 'data\n\n', ['']],
    ['no comments and no other fields', ': busy\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
    ['no event that never ended', 'data: a\n\ndata: b\n', ['a']],
    ['nothing of what only looks like it', 'dat: a\n\n data: b\n\ndatax: c\n\n', []],
  ])('reads %s', (_, text, events) => {
    expect(readAll([text])).toStrictEqual(events);
  });

  it('gives the same however the text is cut', () => {
    const line = fc.constantFrom('data: a', 'data:', 'data: {"b": 1}', ': c', 'id: 4', '', '');
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const text = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(200)), (whole, cuts) => {
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const pieces = places.slice(1).map((to, index) => whole.slice(places[index], to));
        expect(readAll(pieces)).toStrictEqual(readAll([whole]));
      }),
    );
  });

  it('takes no longer for half a megabyte in pieces of one character than its length asks for', () => {
    const readLetters = (count: number): void => {
      const read = buildReadEvents();
      for (let at = 0; at < count; at += 1) read('x');
    };
    expect(growthOf(512 * 1024, readLetters)).toBeLessThan(GROWTH_MAX);
  });
});

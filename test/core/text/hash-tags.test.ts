import { describe, expect, it } from 'vitest';
import { splitHashTags } from '../../../lib/core/text/hash-tags.ts';

describe('splitHashTags', () => {
  it.each([
    ['buy milk', 'buy milk', []],
    ['buy milk #home #todo', 'buy milk', ['home', 'todo']],
    ['#home buy milk', '#home buy milk', ['home']],
    ['ask #anna about it #work', 'ask #anna about it', ['anna', 'work']],
    ['twice #a #a', 'twice', ['a']],
    ['see https://x.example/page#part', 'see https://x.example/page#part', []],
    ['learn C#', 'learn C#', []],
    ['learn C# #code', 'learn C#', ['code']],
    ['issue #42', 'issue #42', []],
    ['# heading', '# heading', []],
    ['a ## b', 'a ## b', []],
    ['a#b', 'a#b', []],
    ['#a#b', '#a#b', []],
    ['(#aside) stays', '(#aside) stays', ['aside']],
    ['über #größe/XL', 'über', ['größe/XL']],
    ['decomposed #cafe\u0301', 'decomposed', ['caf\u00e9']],
    [`long #${'x'.repeat(64)}`, 'long', ['x'.repeat(64)]],
    [`too long #${'x'.repeat(65)}`, `too long #${'x'.repeat(65)}`, []],
    [`astral #${'\u{1d4d0}'.repeat(40)}`, `astral #${'\u{1d4d0}'.repeat(40)}`, []],
    ['#home', '', ['home']],
  ])('reads %j', (line, text, tags) => {
    expect(splitHashTags(line)).toStrictEqual({ text, tags });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankByWords } from '../../lib/memory/rank.ts';
import { wordsOf } from '../../lib/memory/words.ts';
import { anObject } from './notes.ts';

describe('wordsOf', () => {
  it.each([
    ['case and accents', 'Zürich CAFÉ', ['zurich', 'cafe']],
    ['composed and decomposed letters alike', 'e\u0301t\u00e9', ['ete']],
    ['full-width forms', 'Ｐａｓｓ１', ['pass1']],
    ['sharp s', 'Straße', ['strasse']],
    ['Turkish dotted capitals', 'İstanbul', ['istanbul']],
    ['punctuation between words', 'one,two;three-four', ['one', 'two', 'three', 'four']],
    ['scripts without spaces', '東京3番', ['東', '京', '3', '番']],
    ['no words at all', ' …!? ', []],
  ])('folds %s', (_, text, words) => {
    expect([...wordsOf(text)]).toStrictEqual(words);
  });

  it('gives the same words for any case of a text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('Grüße', 'ÅNGSTRÖM', 'naïve', 'ΣΟΦΟΣ', 'ﬁn')), (parts) => {
        const text = parts.join(' ');
        expect(wordsOf(text.toUpperCase())).toStrictEqual(wordsOf(text.toLowerCase().toUpperCase()));
        expect(wordsOf(text)).toStrictEqual(wordsOf(text.normalize('NFD')));
      }),
    );
  });
});

describe('rankByWords', () => {
  const contentsOf = (query: string, texts: readonly string[]) =>
    rankByWords(
      query,
      texts.map((text, n) => anObject(text, n, { tags: [] })),
    ).map((object) => object.content);

  it('puts the object that shares more words first and leaves out those that share none', () => {
    expect(contentsOf('blue spare key', ['the sky is blue', 'spare key: blue pot', 'milk'])).toStrictEqual([
      'spare key: blue pot',
      'the sky is blue',
    ]);
  });

  it('lets a rare word outweigh a common one', () => {
    expect(contentsOf('my dentist', ['my car', 'my dog', 'my cat', 'call the dentist'])[0]).toBe('call the dentist');
  });

  it('looks into tags too', () => {
    const tagged = anObject('milk', 1, { tags: ['Einkäufe'] });
    expect(rankByWords('einkaufe', [anObject('bread', 2), tagged])).toStrictEqual([tagged]);
  });

  it('puts the newest first among equals', () => {
    expect(contentsOf('key', ['key one', 'key two'])).toStrictEqual(['key two', 'key one']);
  });

  it('finds nothing for a question without words', () => {
    expect(contentsOf('?!', ['key'])).toStrictEqual([]);
  });

  it('gives one order whatever order the objects come in', () => {
    const word = fc.constantFrom('key', 'pot', 'blue', 'house', 'Zoë', 'the');
    const objects = fc
      .array(fc.tuple(fc.array(word, { minLength: 1, maxLength: 5 }), fc.nat(3)), { maxLength: 12 })
      .map((rows) => rows.map(([words, at], n) => anObject(words.join(' '), n, { now: at })));
    const shuffled = objects.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.array(word, { maxLength: 4 }), ([list, other], query) => {
        expect(rankByWords(query.join(' '), other)).toStrictEqual(rankByWords(query.join(' '), list));
      }),
    );
  });
});

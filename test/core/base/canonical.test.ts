/**
 * Canonical JSON against the vectors of RFC 8785, rebuilt from its text, and against the
 * implementation by its authors.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { CANONICAL_DEPTH_MAX, canonicalJson, hashOf } from '../../../lib/core/base/canonical.ts';
import { fc } from '../../support/fast-check.ts';
import { missesOf } from '../../support/misses.ts';

/** The number whose IEEE 754 bits these are. */
const numberOf = (hex: string): number => Buffer.from(hex, 'hex').readDoubleBE();

/** Appendix B. */
const NUMBERS: readonly (readonly [hex: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

class Thing {
  readonly a = 1;
}
const cyclicObject: Record<string, unknown> = {};
cyclicObject.self = cyclicObject;
const cyclicArray: unknown[] = [];
cyclicArray.push([cyclicArray]);
const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

describe('canonicalJson', () => {
  it('writes numbers as RFC 8785 does (appendix B)', () => {
    const misses = missesOf(NUMBERS, ([hex, text]) => {
      expect(canonicalJson(numberOf(hex))).toBe(text);
    });
    expect(misses).toEqual([]);
  });

  it('writes literals, numbers and strings as section 3.2.2 does, to the byte of section 3.2.4', () => {
    const text = canonicalJson({
      // biome-ignore lint/correctness/noPrecisionLoss: the standard's own example
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    });
    expect(Buffer.from(text).toString('hex')).toBe(
      [
        '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b',
        '3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c',
        '22737472696e67223a22e282ac245c75303030665c6e412742',
        '5c225c5c5c5c5c222f227d',
      ].join(''),
    );
  });

  it('sorts members by UTF-16 code units (section 3.2.3)', () => {
    const unsorted = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(canonicalJson(unsorted)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it('knows no locale: French words stay in the order of their code units', () => {
    expect(
      canonicalJson({ sin: 'ignore locale', pêche: 'but must', péché: 'is wrong in French', peach: 'this order' }),
    ).toBe('{"peach":"this order","péché":"is wrong in French","pêche":"but must","sin":"ignore locale"}');
  });

  it('does not normalise text: a composed and a decomposed letter stay two', () => {
    expect(canonicalJson(['\u00c5', 'A\u030a'])).toBe('["\u00c5","A\u030a"]');
  });

  it.each<[string, unknown, string]>([
    ['an empty object', {}, '{}'],
    ['an empty array', [], '[]'],
    ['nested ones', { b: [{}, []], a: {} }, '{"a":{},"b":[{},[]]}'],
    ['keys of digits, by text and not by number', { 10: 1, 9: 2, 1: 3 }, '{"1":3,"10":1,"9":2}'],
    ['a key that is a prototype elsewhere', JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
    ['an object without a prototype', Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
    [
      'more keys than are sorted by hand',
      Object.fromEntries([...'zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA9876'].map((key) => [key, 0])),
      `{${[...'6789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map((key) => `"${key}":0`).join(',')}}`,
    ],
    ['a long text', 'é'.repeat(500), `"${'é'.repeat(500)}"`],
    ['every control character', '\b\t\n\f\r\u0000\u001f\u007f', '"\\b\\t\\n\\f\\r\\u0000\\u001f\u007f"'],
    ['the deepest allowed', nested(CANONICAL_DEPTH_MAX), JSON.stringify(nested(CANONICAL_DEPTH_MAX))],
  ])('writes %s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each<[string, unknown, string]>([
    ['NaN', numberOf('7fffffffffffffff'), 'value is not a finite number'],
    ['infinity', { a: [numberOf('7ff0000000000000')] }, 'value.a[0] is not a finite number'],
    ['minus infinity', [-Infinity], 'value[0] is not a finite number'],
    ['a BigInt', { a: 1n }, 'value.a is a bigint, which JSON cannot say'],
    ['undefined', undefined, 'value is undefined, which JSON cannot say'],
    ['an undefined member', { a: { b: undefined } }, 'value.a.b is undefined, which JSON cannot say'],
    ['a hole', new Array(3), 'value[0] is undefined, which JSON cannot say'],
    ['a function', { a: () => 1 }, 'value.a is a function, which JSON cannot say'],
    ['a symbol', [Symbol('a')], 'value[0] is a symbol, which JSON cannot say'],
    ['a symbol for a key', { [Symbol('a')]: 1 }, 'value has a symbol for a key'],
    ['a lone high surrogate', { a: 'x\ud800' }, 'value.a holds a lone surrogate'],
    ['a lone low surrogate in a long text', `${'x'.repeat(200)}\udc00`, 'value holds a lone surrogate'],
    ['a key with a lone surrogate', { a: { '\udead': 1 } }, 'value.a has a key with a lone surrogate'],
    ['a toJSON member', { toJSON: () => 1 }, 'value has a toJSON member'],
    ['a date', { at: new Date(0) }, 'value.at is not plain data'],
    ['a map', new Map([['a', 1]]), 'value is not plain data'],
    ['an object with a class', [new Thing()], 'value[0] is not plain data'],
    ['a boxed number', Object(1), 'value is not plain data'],
    ['bytes', new Uint8Array(2), 'value is not plain data'],
  ])('refuses %s', (_, value, problem) => {
    expect(() => canonicalJson(value)).toThrowError(expect.objectContaining({ name: 'ProtocolError', problem }));
  });

  it.each<[string, unknown]>([
    ['an object within itself', cyclicObject],
    ['an array within itself', cyclicArray],
    ['one level too many', nested(CANONICAL_DEPTH_MAX + 1)],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrowError(/is nested deeper than 64 levels, or within itself$/);
  });

  it('agrees with the implementation by the authors of the standard on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('agrees with it on any text and any number', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (text, number) => {
          const value = { [text]: [text, number] };
          expect(canonicalJson(value)).toBe(canonicalize(value));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('gives one text for one value, however its members were put in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.infiniteStream(fc.nat()), (members, order) => {
        const shuffled = Object.entries(members)
          .map((entry) => [order.next().value, entry] as const)
          .sort(([left], [right]) => left - right)
          .map(([, entry]) => entry);
        expect(canonicalJson(Object.fromEntries(shuffled))).toBe(canonicalJson(members));
      }),
    );
  });
});

describe('hashOf', () => {
  it('keeps the hashes of earlier releases: SHA-256 over domain, line feed and RFC 8785 text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const old = createHash('sha256')
          .update('passepartout/action\n')
          .update(canonicalize(value) ?? '')
          .digest('hex');
        expect(hashOf('action', value)).toBe(old);
      }),
    );
    expect(hashOf('action', { b: [1, 'ü'], a: null })).toBe(
      createHash('sha256').update('passepartout/action\n{"a":null,"b":[1,"ü"]}').digest('hex'),
    );
  });

  it('keeps domains apart', () => {
    expect(hashOf('trace', {})).not.toBe(hashOf('facts', {}));
  });
});

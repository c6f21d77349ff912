/** Hosts as a person would see them: the samples of RFC 3492 and what is none. */
import { describe, expect, it } from 'vitest';
import { decodeLabel } from '../../lib/text/punycode.ts';

describe('decodeLabel', () => {
  it.each([
    ['xn--mnchen-3ya', 'münchen'],
    ['xn--bcher-kva', 'bücher'],
    ['xn--fiqs8s', '中国'],
    ['xn--p1ai', 'рф'],
    ['xn--e1afmkfd', 'пример'],
    ['xn--80ak6aa92e', 'аррӏе'],
    ['xn--ihqwcrb4cv8a8dqg056pqjye', '他们为什么不说中文'],
    ['xn--egbpdaj6bu4bxfgehfvwxn', 'ليهمابتكلموشعربي؟'],
    ['xn--4dbcagdahymbxekheh6e0a7fei0b', 'למההםפשוטלאמדבריםעברית'],
    ['xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa', 'なぜみんな日本語を話してくれないのか'],
    ['xn--porqunopuedensimplementehablarenespaol-fmd56a', 'porquénopuedensimplementehablarenespañol'],
    ['xn--3b-ww4c5e180e575a65lsy2b', '3年b組金八先生'],
    ['xn--e28h', '😀'],
    ['xn--ls8h', '💩'],
    ['xn--dn32g', '\u{10ffff}'],
    ['xn--tda', 'ü'],
    ['xn--a-', 'a'],
    ['xn---', '-'.slice(1)],
    ['xn--', ''],
  ])('reads %s as %s', (label, letters) => {
    expect(decodeLabel(label)).toBe(letters);
  });

  it.each([
    'plain',
    'xn-mnchen-3ya',
    'XN--mnchen-3ya',
    'axn--mnchen-3ya',
    'xn--a-é',
    'xn--mnchen-3y',
    'xn--mnchen-3yA',
    'xn--99999999',
    'xn--en32g',
    'xn--zzzzzz99',
    `xn--${'a'.repeat(60)}`,
  ])('gives %s back as it is', (label) => {
    expect(decodeLabel(label)).toBe(label);
  });

  it('reads a label of 63 characters and none longer', () => {
    const longest = `xn--${'a'.repeat(55)}-tda`;
    expect(longest).toHaveLength(63);
    expect(decodeLabel(longest)).not.toBe(longest);
    expect(decodeLabel(`xn--${'a'.repeat(56)}-tda`)).toBe(`xn--${'a'.repeat(56)}-tda`);
  });
});

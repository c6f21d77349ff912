import { beforeAll, describe, expect, it } from 'vitest';
import { replaceHidden, withoutHidden } from '../../../lib/core/base/hidden-text.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { verify, verifyFully } from '../../../lib/core/gates/engine/verify.ts';
import { buildPrompt } from '../../../lib/core/prompt/build-prompt.ts';
import { fc } from '../../support/fast-check.ts';
import { SEED } from '../../support/seed.ts';
import { outside, owner, promptInput } from '../prompt/prompt-fixtures.ts';
import { factsFor, notice, reply, toolCall, webhookCall } from './samples.ts';

const CASES = 10_000;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

describe('withoutHidden', () => {
  it.each([
    ['German', 'Grüße – naïve „Anführung“, 5 €'],
    ['Persian', 'می‌خواهم کتاب‌ها را، PDF‌ها، ۵‌تایی'],
    ['a Persian date', '۱۴۰۲ ه‍.ش'],
    ['Hindi', 'क्षमा क्‍ष क्‌ष हिन्दी'],
    ['Bengali', 'র‍্যাব'],
    ['Sinhala', 'ශ්‍රී ලංකා'],
    ['Malayalam', 'അവന്‍'],
    ['Mongolian', 'ᠰᠠ᠋'],
    ['Arabic with its number sign', '\u0600١٢'],
    ['Japanese, Korean, Thai', '日本語 한국어 ภาษาไทย'],
    ['a family', '👨‍👩‍👧‍👦 👩‍❤️‍💋‍👨 🧑🏻‍🤝‍🧑🏿'],
    ['work and sport', '👩🏽‍🚀 🏃‍♀️‍➡️ 👨‍⚕️'],
    ['an emoji spelled without its selectors', '❤‍🔥 👁‍🗨 🏳‍🌈'],
    ['hearts, watches and keys', '❤️ ☺️ ⌚️ 1️⃣ #️⃣ ☎︎'],
    ['skin', '👍🏽 ☝️🏽'],
    ['flags', '🇩🇪 🏳️‍🌈 🏴‍☠️ 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['code', 'const a = "b";\n\tif (a) {\r\n}'],
  ])('leaves %s as it is', (_, text) => {
    expect(withoutHidden(text)).toBe(text);
    expect(replaceHidden(text, () => '?')).toBe(text);
  });

  it.each([
    ['tag characters', 'yes\u{e0073}\u{e0065}\u{e006e}\u{e0064}', 'yes'],
    ['unassigned tag characters', 'a\u{e0002}\u{e0080}\u{e0fff}b', 'ab'],
    ['tags after the black flag that are no flag', '🏴\u{e0061}\u{e0062}\u{e007f}', '🏴'],
    ['a flag of tags that goes on', '🏴󠁧󠁢󠁳󠁣󠁴󠁿\u{e0061}\u{e007f}', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['selectors after letters', 'a\ufe0fb\u{e0100}c\u{e01ef}', 'abc'],
    ['selectors after digits', '1\ufe0f2\ufe0e', '12'],
    ['bytes in selectors after an emoji', '😀\u{e0158}\u{e0155}\u{e015f}', '😀'],
    ['several selectors after an emoji', '❤\ufe0f\ufe0e\ufe0f', '❤'],
    ['selectors of Chinese letters', '葛\u{e0100}', '葛'],
    ['zero-width bits', 'a\u200b\u200c\u200d\u2060\ufeffb', 'ab'],
    ['joiners between emoji that are no emoji', '😀\u200d😀', '😀😀'],
    ['joiners in a row between Persian letters', 'می\u200c\u200d\u200cخواهم', 'میخواهم'],
    ['joiners between Hindi letters that have no use for them', 'क\u200cष', 'कष'],
    ['joiners between Latin letters', 'pass\u200dword', 'password'],
    ['bidirectional controls', '\u202eabc\u202c \u2066d\u2069 \u200e\u200f\u061c', 'abc d '],
    ['soft hyphens', 'co\u00adop', 'coop'],
    ['fillers', 'a\u115f\u1160\u3164\uffa0b', 'ab'],
    ['invisible mathematics and annotation', 'a\u2061\u2062\u2063\u2064\ufff9b\ufffac\ufffb', 'abc'],
    ['controls', 'a\u0000\u001b[31mb\u007f\u0085', 'a[31mb'],
    ['other line ends', 'a\u2028b\u2029c', 'a\nb\nc'],
  ])('drops %s', (_, text, expected) => {
    expect(withoutHidden(text)).toBe(expected);
  });

  it('takes long texts in linear time', () => {
    const unit = 'می‌خواهم 👨‍👩‍👧‍👦 क्‍ष 🏴\u{e0061} \u200b\u200d❤️ 1️⃣ ';
    const long = unit.repeat(10_000);
    expect(withoutHidden(long)).toBe(withoutHidden(unit).repeat(10_000));
    for (const one of ['\u200d', '\u{e0061}', '😀\u200d', '🏴\u{e0061}', 'م\u200c', '1\ufe0f'])
      expect(withoutHidden(one.repeat(200_000)).length).toBeLessThan(800_001);
  });
});

/** Ways to write a byte so that nobody sees it. */
const ENCODINGS: readonly ((byte: number) => string)[] = [
  (byte) => String.fromCodePoint(0xe0000 + (byte & 0x7f)),
  (byte) => String.fromCodePoint(0xe0080 + (byte & 0x7f)),
  (byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16),
  (byte) => byte.toString(2).replaceAll('0', '\u200b').replaceAll('1', '\u200c'),
  (byte) => byte.toString(2).replaceAll('0', '\u200c').replaceAll('1', '\u200d'),
  (byte) => byte.toString(2).replaceAll('0', '\u2060').replaceAll('1', '\ufeff'),
  (byte) => byte.toString(4).replace(/./g, (digit) => '\u2061\u2062\u2063\u2064'[Number(digit)] ?? ''),
  (byte) => byte.toString(4).replace(/./g, (digit) => '\u00ad\u034f\u115f\u3164'[Number(digit)] ?? ''),
  (byte) => byte.toString(4).replace(/./g, (digit) => '\u202a\u202e\u2066\u2069'[Number(digit)] ?? ''),
  (byte) => byte.toString(4).replace(/./g, (digit) => '\u0001\u001b\u0085\ufff9'[Number(digit)] ?? ''),
  (byte) => String.fromCodePoint(0xe01f0 + byte),
];

/** Texts in which nothing is to be kept, with a payload in runs at several places. */
const smuggled = fc
  .tuple(
    fc.array(fc.constantFrom('Yes', ' ', 'the', 'backup', 'läuft', '.', '7', '日本', 'да', '\n', 'x'), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.array(fc.tuple(fc.nat(12), fc.nat(ENCODINGS.length - 1), fc.uint8Array({ minLength: 1, maxLength: 6 })), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([words, payloads]) => {
    const parts: string[] = [...words];
    for (const [at, encoding, bytes] of payloads)
      parts.splice(at, 0, [...bytes].map((byte) => ENCODINGS[encoding]?.(byte) ?? '').join(''));
    return { clean: words.join(''), text: parts.join('') };
  });

/** Texts that keep some: emoji and joined scripts, with the same payloads. */
const mixed = fc
  .array(
    fc.oneof(
      fc.constantFrom('👨', '👩', '❤', '😀', '🏴', '🏳', '🌈', 'می', 'خواهم', 'क्', 'ष', 'ᠰ', '1', '\u20e3', 'ok', ' '),
      fc
        .tuple(fc.nat(ENCODINGS.length - 1), fc.uint8Array({ minLength: 1, maxLength: 4 }))
        .map(([encoding, bytes]) => [...bytes].map((byte) => ENCODINGS[encoding]?.(byte) ?? '').join('')),
    ),
    { minLength: 1, maxLength: 16 },
  )
  .map((parts) => parts.join(''));

describe('hidden payloads', () => {
  beforeAll(() => console.log(`hidden payloads: seed ${SEED}, ${CASES} cases each`));

  it('leave nothing of themselves in a text that has no use for such characters', () => {
    fc.assert(
      fc.property(smuggled, ({ clean, text }) => {
        expect(withoutHidden(text)).toBe(clean);
      }),
      { numRuns: CASES },
    );
  });

  it('leave no run, no tag and no byte in a text that has use for some, and what is seen stays', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const out = withoutHidden(text);
        const left = out.replaceAll('🏴󠁧󠁢󠁳󠁣󠁴󠁿', '').match(IGNORABLE) ?? [];
        expect(left.filter((one) => !/\u200c|\u200d|\ufe0e|\ufe0f|[\u180b-\u180f]/.test(one))).toStrictEqual([]);
        expect(/[\u200c\u200d]{2}|[\ufe0e\ufe0f]{2}|[\u180b-\u180f]{2}/.test(out)).toBe(false);
        expect(left.length).toBeLessThanOrEqual([...out.replace(IGNORABLE, '')].length);
        const seen = (one: string) => one.replace(IGNORABLE, '').replace(/[\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}/gu, '');
        expect(seen(out)).toBe(seen(text));
        expect(withoutHidden(out)).toBe(out);
      }),
      { numRuns: CASES },
    );
  });

  it('do not reach a prompt, whoever wrote them', () => {
    fc.assert(
      fc.property(smuggled, ({ clean, text }) => {
        const prompt = buildPrompt(
          promptInput({
            assistant: text,
            user: text,
            style: text,
            mandates: [text],
            history: [
              {
                user: [outside(text)],
                agent: [{ text, origin: 'agent' }],
                tools: [],
              },
            ],
            mailbox: [[outside(text)]],
            turn: [
              { kind: 'input', pieces: [owner(text), outside(text)] },
              {
                kind: 'answer',
                calls: [{ callId: 'call-1', tool: 'recall', args: { query: text }, explanation: text }],
                origin: 'owner',
              },
              { kind: 'results', results: [{ n: 0, tool: 'recall', state: 'done', output: text, origin: 'outside' }] },
            ],
            rejection: { n: 1, reasons: [text] },
          }),
        );
        if (prompt.kind !== 'prompt') throw new Error('too long');
        const all = JSON.stringify([prompt.system, prompt.messages]);
        expect(withoutHidden(all)).toBe(all);
        expect(all.replace(/\\n/g, '\n')).toContain(clean.trim());
      }),
      { numRuns: CASES },
    );
  });

  it('leave in no reply, notice, webhook or note', () => {
    fc.assert(
      fc.property(smuggled, ({ clean, text }) => {
        for (const action of [
          reply({ text: `Hi. ${text}` }),
          notice({ text: `Hi. ${text}` }),
          toolCall({ args: { content: `Hi. ${text}` } }),
          webhookCall({ args: { body: { title: [`Hi. ${text}`] } } }),
        ]) {
          const { outcome, action: changed } = verify(GATE_SET, action, factsFor(action));
          const isClean = clean === text;
          expect(outcome).toBe(isClean ? 'pass' : 'modify');
          expect(changed.text ?? Object.values(changed.args ?? {})[0]).toStrictEqual(
            action.target === 'webhook' ? { title: [`Hi. ${clean}`] } : `Hi. ${clean}`,
          );
        }
      }),
      { numRuns: CASES },
    );
  });
});

describe('checkHiddenCharacters', () => {
  it('lets the changed action pass, and says in the trace that it was changed', async () => {
    const action = reply({ text: 'Done\u{e0041}. 👨‍👩‍👧‍👦 می‌خواهم' });
    const judged = await verifyFully(GATE_SET, action, (one) => Promise.resolve(factsFor(one)));
    expect(judged).toMatchObject({ outcome: 'pass', action: { text: 'Done. 👨‍👩‍👧‍👦 می‌خواهم' } });
    expect(judged.trace).toContainEqual({
      gate: 'hidden-characters',
      verdict: 'modify',
      reason: 'it holds characters that nobody sees; they are left out',
    });
  });

  it('stops an argument whose name holds some', () => {
    const action = webhookCall({ args: { body: { 'ti\u200btle': 'x' } } });
    expect(verify(GATE_SET, action, factsFor(action))).toMatchObject({
      outcome: 'block',
      reason: 'the name of an argument holds characters that nobody sees',
    });
  });

  it('stops what would have to be changed at the last mile', () => {
    const action = reply({ text: 'Done\u{e0041}.' });
    expect(verify(GATE_SET, action, factsFor(action, { stage: 'act' })).outcome).toBe('block');
  });
});

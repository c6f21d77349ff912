/**
 * Notes and checkpoints: against the example everybody knows, round trips, and every malformed
 * spelling refused.
 */

import { describe, expect, it } from 'vitest';
import { originOf, parseCheckpoint, renderCheckpoint } from '../../../lib/core/evidence/checkpoint.ts';
import {
  buildVerifierKey,
  parseNote,
  parseVerifierKey,
  renderNote,
  renderVerifierKey,
  signersOf,
} from '../../../lib/core/evidence/signed-note.ts';
import { buildSigningKey, parseSigningKey, signCheckpoint } from '../../../lib/core/evidence/signing-key.ts';
import { fc } from '../../support/fast-check.ts';

const keyOf = (n: number, name = 'passepartout/default') => buildSigningKey(name, Buffer.alloc(32, n));
const [one, two, three] = [keyOf(1), keyOf(2), keyOf(3)];
const ROOT = Buffer.alloc(32, 7);
const CHECKPOINT = { origin: 'passepartout/default', size: 4321, root: ROOT };

/** The key and the note in the documentation of Go's note package. */
const PETER_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const PETER_NOTE =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';

describe('signersOf', () => {
  it('knows a published note by its published key, and by no changed letter of either', () => {
    const key = parseVerifierKey(PETER_KEY);
    expect(signersOf(parseNote(PETER_NOTE), [key])).toStrictEqual([key]);
    expect(renderVerifierKey(key)).toBe(PETER_KEY);
    expect(renderNote(parseNote(PETER_NOTE))).toBe(PETER_NOTE);
    const changed = PETER_NOTE.replace('the answer', 'an answer');
    expect(() => signersOf(parseNote(changed), [key])).toThrowError('the signature of the key c74f20a3 does not fit');
  });

  it('ignores keys it does not know, and names all it knows', () => {
    const note = parseNote(signCheckpoint(CHECKPOINT, [one, two]));
    expect(signersOf(note, [two.verifier])).toStrictEqual([two.verifier]);
    expect(signersOf(note, [one.verifier, two.verifier, three.verifier])).toStrictEqual([one.verifier, two.verifier]);
    expect(signersOf(note, [three.verifier])).toStrictEqual([]);
  });

  it('ignores a key of the same bytes under another name', () => {
    const note = parseNote(signCheckpoint(CHECKPOINT, [one]));
    expect(signersOf(note, [keyOf(1, 'elsewhere').verifier])).toStrictEqual([]);
  });

  it('refuses a note one of the known keys did not sign, though another did', () => {
    const text = renderCheckpoint(CHECKPOINT);
    const forged = { ...two.sign(text), signature: three.sign(text).signature };
    const note = parseNote(renderNote({ text, signatures: [one.sign(text), forged] }));
    expect(() => signersOf(note, [one.verifier, two.verifier])).toThrowError(/does not fit/);
  });

  it('refuses a key that signed twice, and a signature of another length', () => {
    const text = renderCheckpoint(CHECKPOINT);
    const twice = parseNote(renderNote({ text, signatures: [one.sign(text), one.sign(text)] }));
    expect(() => signersOf(twice, [one.verifier])).toThrowError(/signed twice/);
    const short = { ...one.sign(text), signature: one.sign(text).signature.subarray(1) };
    expect(() => signersOf(parseNote(renderNote({ text, signatures: [short] })), [one.verifier])).toThrowError(
      /not fit/,
    );
  });

  it('takes no changed bit of what was signed', () => {
    const note = signCheckpoint(CHECKPOINT, [one]);
    fc.assert(
      fc.property(fc.nat({ max: note.length - 1 }), fc.nat({ max: 6 }), (at, bit) => {
        const changed = note.slice(0, at) + String.fromCharCode(note.charCodeAt(at) ^ (1 << bit)) + note.slice(at + 1);
        let signers: readonly unknown[] = [];
        try {
          signers = signersOf(parseCheckpoint(changed).note, [one.verifier]);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ProtocolError' });
        }
        expect(signers).toStrictEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('parseVerifierKey', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['no key', 'PeterNeumann+c74f20a3'],
    ['another id', PETER_KEY.replace('c74f20a3', 'c74f20a4')],
    ['another name', PETER_KEY.replace('Peter', 'Petra')],
    ['capital hex', PETER_KEY.replace('c74f20a3', 'C74F20A3')],
    ['another algorithm', PETER_KEY.replace('ARpc', 'Ahpc')],
    ['a space', PETER_KEY.replace('PeterNeumann', 'Peter Neumann')],
    ['a line feed', `${PETER_KEY}\n`],
    ['a short key', `${PETER_KEY.slice(0, -4)}`],
    ['loose base64', PETER_KEY.replace('/LDE', '_LDE')],
  ])('refuses %s', (_, text) => {
    expect(() => parseVerifierKey(text)).toThrowError(expect.objectContaining({ name: 'ProtocolError' }));
  });

  it('reads what buildVerifierKey makes of any key and name', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.stringMatching(/^[\w./-]{1,40}$/),
        (bytes, name) => {
          const key = buildVerifierKey(name, bytes);
          expect(renderVerifierKey(parseVerifierKey(renderVerifierKey(key)))).toBe(renderVerifierKey(key));
        },
      ),
    );
  });

  it('has no name with a space or a plus in it', () => {
    expect(() => buildVerifierKey('a b', Buffer.alloc(32))).toThrowError('a key has no usable name');
    expect(() => buildVerifierKey('a+b', Buffer.alloc(32))).toThrowError('a key has no usable name');
    expect(() => buildVerifierKey('', Buffer.alloc(32))).toThrowError('a key has no usable name');
  });
});

describe('parseSigningKey', () => {
  it('reads a key that was kept, and it signs the same', () => {
    const read = parseSigningKey(one.render());
    expect(read.verifier).toStrictEqual(one.verifier);
    expect(read.sign('a\n')).toStrictEqual(one.sign('a\n'));
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a public key', PETER_KEY],
    ['another id', one.render().replace(one.verifier.id, '00000000')],
    ['a short key', one.render().slice(0, -8)],
  ])('refuses %s without quoting it', (_, text) => {
    expect(() => parseSigningKey(text)).toThrowError(/^(this is not|a signing key)/);
  });
});

describe('parseCheckpoint', () => {
  const good = signCheckpoint(CHECKPOINT, [one]);
  const encoded = ROOT.toString('base64');

  it('reads what was signed', () => {
    const { note: _note, ...checkpoint } = parseCheckpoint(good);
    expect(checkpoint).toStrictEqual(CHECKPOINT);
    expect(parseCheckpoint(good).note.text).toBe(`passepartout/default\n4321\n${encoded}\n`);
    expect(originOf('default')).toBe('passepartout/default');
  });

  it.each<[string, string]>([
    ['no signature', good.slice(0, good.indexOf('—'))],
    ['an empty line for a signature', `${good}\n`],
    ['a size with a zero before it', good.replace('4321', '04321')],
    ['a negative size', good.replace('4321', '-1')],
    ['a size with a fraction', good.replace('4321', '43.21')],
    ['a size past all bounds', good.replace('4321', '9999999999999999')],
    ['a short root', good.replace(encoded, encoded.slice(4))],
    ['loose base64', good.replace(encoded, encoded.replace('=', ''))],
    ['another line', good.replace('4321\n', '4321\nextra\n')],
    ['an extension', good.replace(`${encoded}\n`, `${encoded}\nextension\n`)],
    ['a line too few', good.replace('4321\n', '')],
    ['an origin with a space', good.replace('passepartout/default\n4', 'passe partout\n4')],
    ['no origin', good.replace('passepartout/default\n4', '\n4')],
    ['carriage returns', good.replaceAll('\n', '\r\n')],
    ['a control character', good.replace('4321', '4321\u0000')],
    ['a hyphen for the dash', good.replace('—', '-')],
    ['no last line feed', good.slice(0, -1)],
    ['too many signatures', good + `${good.slice(good.indexOf('—'))}`.repeat(16)],
    ['too many bytes', `${'x'.repeat(17_000)}\n${good}`],
    ['a signature line that is too short', `${good.slice(0, good.indexOf('—'))}— a AAAA\n`],
  ])('refuses %s', (_, note) => {
    expect(() => parseCheckpoint(note)).toThrowError(expect.objectContaining({ name: 'ProtocolError' }));
  });
});

/**
 * The verifier in a browser hashes, signs and reads bytes as Node does: whatever is given to both.
 */
import * as node from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Buffer as Bytes } from '../../../lib/features/page/app/verifier/buffer.ts';
import * as browser from '../../../lib/features/page/app/verifier/node-crypto.ts';

const bytes = fc.uint8Array({ maxLength: 300 });
const text = fc.string({ unit: 'binary', maxLength: 200 });
const ENCODINGS = ['utf8', 'hex', 'base64', 'base64url', 'latin1'] as const;

describe('Buffer', () => {
  it('writes bytes as texts, and reads them again', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom(...ENCODINGS), (given, encoding) => {
        const written = Buffer.from(given).toString(encoding);
        expect(Bytes.from(given).toString(encoding)).toBe(written);
        if (encoding !== 'utf8') expect([...Bytes.from(written, encoding)]).toStrictEqual([...given]);
      }),
    );
  });

  it('reads a text as UTF-8, with what is no letter in it', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect([...Bytes.from(given)]).toStrictEqual([...Buffer.from(given)]);
        expect(Bytes.byteLength(given)).toBe(Buffer.byteLength(given));
        expect(Bytes.from(given).toString()).toBe(Buffer.from(given).toString());
      }),
    );
    expect([...Bytes.from('\ud800a')]).toStrictEqual([...Buffer.from('\ud800a')]);
  });

  it('gives for a broken text nothing that would be written the same', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('base64', 'base64url', 'hex'), (given, encoding) => {
        const isSame = Bytes.from(given, encoding).toString(encoding) === given;
        expect(isSame).toBe(Buffer.from(given, encoding).toString(encoding) === given);
      }),
    );
  });

  it('joins, compares and counts', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        expect([...Bytes.concat([one, other])]).toStrictEqual([...Buffer.concat([one, other])]);
        expect(Math.sign(Bytes.compare(one, other))).toBe(Buffer.compare(one, other));
      }),
    );
    const [given, whole] = [Bytes.from([9, 1, 2, 3, 4, 5, 6, 7, 8]), Buffer.from([9, 1, 2, 3, 4, 5, 6, 7, 8])];
    expect([given.readUInt16BE(3), Bytes.from(given.buffer, 1, 8).readBigUInt64BE()]).toStrictEqual([
      whole.readUInt16BE(3),
      whole.subarray(1).readBigUInt64BE(),
    ]);
    expect([...Bytes.from(given.buffer, 2, 3), ...Bytes.of(7), ...Bytes.alloc(2)]).toStrictEqual([2, 3, 4, 7, 0, 0]);
  });
});

describe('node:crypto', () => {
  it('hashes texts and bytes', () => {
    fc.assert(
      fc.property(fc.oneof(text, bytes), (given) => {
        expect(browser.hash('sha256', given)).toBe(node.hash('sha256', given));
        expect(browser.hash('sha256', given, 'binary')).toBe(node.hash('sha256', given, 'binary'));
        expect(browser.createHash('sha256').update('a').update(given).digest('base64url')).toBe(
          node.createHash('sha256').update('a').update(given).digest('base64url'),
        );
      }),
    );
  });

  it('hashes and writes long texts and bytes as short ones, one after the other', () => {
    for (const length of [3, 21_844, 21_845, 21_846, 70_000, 3]) {
      const given = '€'.repeat(length);
      expect(browser.hash('sha256', given)).toBe(node.hash('sha256', given));
      const whole = Buffer.from(given);
      for (const encoding of ENCODINGS) expect(Bytes.from(whole).toString(encoding)).toBe(whole.toString(encoding));
    }
  });

  it('takes a signature, and none of another key, text or form', () => {
    const { publicKey, privateKey } = node.generateKeyPairSync('ed25519');
    const key = browser.createPublicKey({ key: publicKey.export({ format: 'der', type: 'spki' }) });
    fc.assert(
      fc.property(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, change) => {
        const signature = node.sign(null, given, privateKey);
        expect(browser.verify(null, given, key, signature)).toBe(true);
        const changed = Uint8Array.from(signature);
        changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ change;
        expect(browser.verify(null, given, key, changed)).toBe(node.verify(null, given, publicKey, changed));
        expect(browser.verify(null, Buffer.concat([given, given, Buffer.of(1)]), key, signature)).toBe(false);
        expect(browser.verify(null, given, key, signature.subarray(1))).toBe(false);
      }),
      { numRuns: 30 },
    );
  });
});

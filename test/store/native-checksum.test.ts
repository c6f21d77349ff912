/** Our stand-ins for the SDK's checksums, against the SDK's own. */
import * as sdk from '@smithy/core/checksum';
import { describe, expect, it } from 'vitest';
import { Md5, Sha256 } from '../../lib/store/native-checksum.ts';
import { fc } from '../support/fast-check.ts';

const data = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array()), { maxLength: 4 });
const key = fc.oneof(fc.constant(undefined), fc.string(), fc.uint8Array());

interface Checksum {
  readonly digestLength?: number;
  update: (data: string | Uint8Array) => void;
  digest: () => Promise<Uint8Array>;
  reset: () => void;
}

/** Digests of the data, and of the data again after a reset. */
const digestsOf = async (checksum: Checksum, parts: readonly (string | Uint8Array)[]): Promise<readonly string[]> => {
  const digests: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    for (const part of parts) checksum.update(part);
    digests.push(Buffer.from(await checksum.digest()).toString('hex'));
    checksum.reset();
  }
  return digests;
};

describe('Sha256 and Md5', () => {
  it('give what the SDK gives, with a key and without', async () => {
    await fc.assert(
      fc.asyncProperty(key, data, async (secret, parts) => {
        const theirs = await digestsOf(new sdk.Sha256(secret) as Checksum, parts);
        expect(await digestsOf(new Sha256(secret), parts)).toStrictEqual(theirs);
        expect(await digestsOf(new Md5(), parts)).toStrictEqual(await digestsOf(new sdk.Md5() as Checksum, parts));
      }),
    );
  });

  it('give a digest without a key as often as it is asked for', async () => {
    const checksum = new Sha256();
    checksum.update('a');
    expect(await checksum.digest()).toStrictEqual(await checksum.digest());
    expect([checksum.digestLength, new Md5().digestLength]).toStrictEqual([32, 16]);
  });
});

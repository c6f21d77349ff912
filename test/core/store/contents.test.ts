/** The content store, in a folder and in a bucket of a server that speaks S3. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/core/base/errors.ts';
import { buildContents, CONTENT_DAYS, type Contents } from '../../../lib/core/store/contents.ts';

const BYTES = new Uint8Array(Buffer.from('\x89PNG', 'latin1'));
const HASH = createHash('sha256').update(BYTES).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'passepartout-contents-'));
const app = buildApp({ logger: false, host: '127.0.0.1' });
const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
let endpoint = '';
beforeAll(async () => {
  Object.assign(process.env, credentials);
  endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
  await new S3Client({ endpoint, forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: 'contents' }));
});
afterAll(async () => {
  for (const name of Object.keys(credentials)) Reflect.deleteProperty(process.env, name);
  rmSync(folder, { recursive: true });
  await app.close();
});

const PLACES: readonly (readonly [string, () => Contents | undefined])[] = [
  ['a folder', () => buildContents({ SPACE: 'home', CONTENT_DIR: folder })],
  ['a bucket', () => buildContents({ SPACE: 'home', CONTENT_BUCKET: 'contents' }, endpoint)],
];

describe.each(PLACES)('buildContents, over %s', (_name, build) => {
  it('keeps bytes under their hash, again and again, until they are erased', async () => {
    const contents = build();
    expect(await contents?.keep(BYTES)).toBe(HASH);
    expect(await contents?.keep(BYTES)).toBe(HASH);
    expect(Buffer.from((await contents?.load(HASH)) ?? [])).toStrictEqual(Buffer.from(BYTES));
    expect(await contents?.loadText(HASH)).toBeUndefined();
    await contents?.keepText(HASH, 'four cups ☕');
    expect(await contents?.loadText(HASH)).toBe('four cups ☕');
    await contents?.erase(HASH);
    await contents?.erase(HASH);
    expect(await contents?.load(HASH)).toBeUndefined();
    expect(await contents?.loadText(HASH)).toBeUndefined();
  });
});

describe.each(PLACES)('ofSkills, over %s', (_name, build) => {
  it('takes what was kept, and gives it until it is erased', async () => {
    const contents = build();
    const skills = contents?.ofSkills;
    const [bytes, other] = [new Uint8Array([9, 9]), new Uint8Array([8])];
    const [hash = '', unknown] = [await contents?.keep(bytes), '0'.repeat(64)];
    expect(await skills?.load(hash)).toBeUndefined();
    expect([await skills?.take(hash), await skills?.take(unknown)]).toStrictEqual([2, undefined]);
    await contents?.erase(hash);
    expect([await skills?.load(hash), await skills?.take(hash)]).toStrictEqual([bytes, 2]);
    const own = (await skills?.keep(other)) ?? '';
    expect([await skills?.load(own), await contents?.load(own)]).toStrictEqual([other, undefined]);
    for (const one of [hash, hash, own]) await skills?.erase(one);
    expect([await skills?.load(hash), await skills?.take(own)]).toStrictEqual([undefined, undefined]);
  });
});

describe('buildContents', () => {
  it('keeps the files of skills in a folder whatever their age', async () => {
    const contents = buildContents({ SPACE: 'aged', CONTENT_DIR: folder });
    const hash = (await contents?.ofSkills.keep(new Uint8Array([1]))) ?? '';
    const old = Date.now() / 1000 - (CONTENT_DAYS + 1) * 24 * 3600;
    utimesSync(join(folder, 'aged.skills', hash), old, old);
    await contents?.ofSkills.keep(BYTES);
    await contents?.keep(BYTES);
    expect(await contents?.ofSkills.load(hash)).toStrictEqual(new Uint8Array([1]));
  });

  it('is no store if no place is set', () => {
    expect(buildContents({ SPACE: 'home' })).toBeUndefined();
  });

  it('keeps files for their user alone, and gives none that is not what its name says', async () => {
    const contents = buildContents({ SPACE: 'own', CONTENT_DIR: folder });
    await contents?.keep(BYTES);
    expect(statSync(join(folder, 'own')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'own', HASH)).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, 'own', HASH), 'something else');
    expect(await contents?.load(HASH)).toBeUndefined();
  });

  it('removes what is older than the bucket would keep it', async () => {
    const contents = buildContents({ SPACE: 'old', CONTENT_DIR: folder });
    await contents?.keep(new Uint8Array([1]));
    const old = Date.now() / 1000 - (CONTENT_DAYS + 1) * 24 * 3600;
    utimesSync(join(folder, 'old', readdirSync(join(folder, 'old'))[0] ?? ''), old, old);
    await contents?.keep(BYTES);
    expect(readdirSync(join(folder, 'old'))).toStrictEqual([HASH]);
  });

  it('says that it did not answer, and may be asked again', async () => {
    const away = buildContents({ SPACE: 'home', CONTENT_BUCKET: 'no-such-bucket' }, endpoint);
    await expect(away?.keep(BYTES)).rejects.toThrow(UnavailableError);
  });
});

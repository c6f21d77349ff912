/**
 * Both places checkpoints are anchored in, against one contract: a folder, and a server that speaks
 * S3.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnchoredCheckpoint,
  type Anchors,
  buildFileAnchors,
  type KeptForgotten,
  readAnchorFile,
} from '../../../lib/core/log/anchor.ts';
import { buildBucketAnchors } from '../../../lib/core/log/anchor-bucket.ts';

const folder = mkdtempSync(join(tmpdir(), 'passepartout-anchors-'));
const app = buildApp({ logger: false, host: '127.0.0.1' });
const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
let endpoint = '';
beforeAll(async () => {
  Object.assign(process.env, credentials);
  endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
  await new S3Client({ endpoint, forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: 'anchors' }));
});
afterAll(async () => {
  for (const name of Object.keys(credentials)) Reflect.deleteProperty(process.env, name);
  rmSync(folder, { recursive: true });
  await app.close();
});

const anchorOf = (size: number): AnchoredCheckpoint => ({
  v: 1,
  size,
  commit: size * 2,
  at: 1,
  note: `note ${size}\n`,
});

const tombstoneAt = (at: number, commit: number): KeptForgotten => ({
  v: 1,
  at,
  commit,
  tombstones: [
    { v: 1, object: `o${commit}`, hash: 'ab'.repeat(32), forgottenAt: at, signal: 'con-1', covers: ['decision con-1'] },
  ],
});

describe.each<[string, (space: string) => Anchors]>([
  ['buildFileAnchors', (space) => buildFileAnchors(folder, space)],
  ['buildBucketAnchors', (space) => buildBucketAnchors('anchors', space, endpoint)],
])('%s', (_name, build) => {
  it('tells the anchor of the most leaves, of its own space', async () => {
    const [anchors, other] = [build('default'), build('other')];
    expect(await anchors.newest()).toBeUndefined();
    for (const size of [5, 70, 300, 1_000]) await anchors.save(anchorOf(size));
    await other.save(anchorOf(2_000));
    expect(await build('default').newest()).toMatchObject({ size: 1_000, commit: 2_000 });
  });

  it('gives back what was forgotten since a time, of its own space, beside the anchors', async () => {
    const [anchors, other] = [build('forgets'), build('others')];
    expect(await anchors.forgottenSince(0)).toStrictEqual([]);
    const tombstones = [900, 1_000, 70_000, 1_790_000_000_000].map((at, n) => tombstoneAt(at, n));
    for (const one of tombstones) await anchors.keepForgotten(one);
    await other.keepForgotten(tombstoneAt(80_000, 9));
    expect(await build('forgets').forgottenSince(0)).toStrictEqual(tombstones);
    expect(await anchors.forgottenSince(1_000)).toStrictEqual(tombstones.slice(1));
    expect(await anchors.forgottenSince(70_001)).toStrictEqual(tombstones.slice(3));
    expect(await anchors.newest()).toBeUndefined();
    await anchors.save(anchorOf(5));
    expect(await anchors.newest()).toMatchObject({ size: 5 });
  });
});

describe('readAnchorFile', () => {
  it('leaves out a last line whose writer died', async () => {
    appendFileSync(join(folder, 'default.jsonl'), '{"v":1,"size":5');
    expect((await readAnchorFile(folder, 'default')).map(({ size }) => size)).toStrictEqual([5, 70, 300, 1_000]);
    const anchors = buildFileAnchors(folder, 'default');
    expect(await anchors.newest()).toMatchObject({ size: 1_000 });
    await anchors.save(anchorOf(1_001));
    expect(await anchors.newest()).toMatchObject({ size: 1_001 });
  });
});

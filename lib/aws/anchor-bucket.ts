/**
 * Anchors in a bucket whose objects cannot be changed or deleted for their time (Object Lock). The client comes with Lambda's
 * runtime and is loaded when the first checkpoint is anchored, so no bundle carries it. Keys count downwards, because a bucket
 * is listed from the smallest: the first one listed is the anchor of the most leaves, and its name says all that is asked.
 */
import { UnavailableError } from '../errors.ts';
import type { Anchors } from '../evidence-log/anchor.ts';
import { LOG_LEAVES_MAX } from '../limits.ts';

const DIGITS = 13;
const LAST = LOG_LEAVES_MAX;

const prefixOf = (space: string): string => `${space}/`;
const keyOf = (space: string, size: number, commit: number): string =>
  `${prefixOf(space)}${String(LAST - size).padStart(DIGITS, '0')}-${commit}`;

const parseKey = (space: string, key: string) => {
  const [, left, commit] = /^(\d{13})-(\d+)$/.exec(key.slice(prefixOf(space).length)) ?? [];
  return left === undefined ? undefined : { size: LAST - Number(left), commit: Number(commit) };
};

/** @param endpoint of a server that speaks S3; for tests */
export const buildBucketAnchors = (bucket: string, space: string, endpoint?: string): Anchors => {
  const load = () => import('@aws-sdk/client-s3');
  let client: InstanceType<Awaited<ReturnType<typeof load>>['S3Client']> | undefined;
  const guarded = async <T>(send: (sdk: Awaited<ReturnType<typeof load>>) => Promise<T>): Promise<T> => {
    try {
      return await send(await load());
    } catch (error) {
      throw new UnavailableError('the bucket of anchors', { cause: error });
    }
  };
  return {
    save: (anchored) =>
      guarded(async ({ S3Client, PutObjectCommand }) => {
        client ??= new S3Client({
          maxAttempts: 3,
          ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
        });
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: keyOf(space, anchored.size, anchored.commit),
            Body: JSON.stringify(anchored),
            ContentType: 'application/json',
            // Buckets with Object Lock take nothing without a checksum.
            ChecksumAlgorithm: 'SHA256',
          }),
        );
      }),
    newest: () =>
      guarded(async ({ S3Client, ListObjectsV2Command }) => {
        client ??= new S3Client({
          maxAttempts: 3,
          ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
        });
        const listed = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefixOf(space), MaxKeys: 1 }),
        );
        const key = listed.Contents?.[0]?.Key;
        return key === undefined ? undefined : parseKey(space, key);
      }),
  };
};

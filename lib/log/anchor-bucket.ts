/**
 * Anchors in a bucket whose objects cannot be changed or deleted for their time (Object Lock). The client comes with Lambda's
 * runtime and is loaded when the first checkpoint is anchored, so no bundle carries it. Keys count downwards, because a bucket
 * is listed from the smallest: the first one listed is the anchor of the most leaves, and its name says all that is asked. What was
 * forgotten has names after them all, by the time it was kept.
 */
import { StoredItemError, UnavailableError } from '../base/errors.ts';
import { LOG_LEAVES_MAX } from '../base/limits.ts';
import { loadS3 } from '../store/clients.ts';
import { type Anchors, parseKept } from './anchor.ts';

const DIGITS = 13;
const LAST = LOG_LEAVES_MAX;

const prefixOf = (space: string): string => `${space}/`;
const keyOf = (space: string, size: number, commit: number): string =>
  `${prefixOf(space)}${String(LAST - size).padStart(DIGITS, '0')}-${commit}`;

const keptKey = (space: string, at: number, commit: number): string =>
  `${prefixOf(space)}forgotten/${String(at).padStart(DIGITS, '0')}-${commit}`;

/** Read at once: enough to hide the way there and back. */
const READS_AT_ONCE = 16;

const parseKey = (space: string, key: string) => {
  const [, left, commit] = /^(\d{13})-(\d+)$/.exec(key.slice(prefixOf(space).length)) ?? [];
  return left === undefined ? undefined : { size: LAST - Number(left), commit: Number(commit) };
};

type S3 = Awaited<ReturnType<typeof loadS3>>;

/** @param endpoint of a server that speaks S3; for tests */
export const buildBucketAnchors = (bucket: string, space: string, endpoint?: string): Anchors => {
  let client: InstanceType<S3['S3Client']> | undefined;
  const connect = ({ S3Client }: S3) => {
    client ??= new S3Client({ maxAttempts: 3, ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }) });
    return client;
  };
  const guarded = async <T>(send: (sdk: S3) => Promise<T>): Promise<T> => {
    try {
      return await send(await loadS3());
    } catch (error) {
      if (error instanceof StoredItemError) throw error;
      throw new UnavailableError('The bucket of anchors did not answer.', { cause: error });
    }
  };
  const put = (key: string, body: object): Promise<void> =>
    guarded(async (sdk) => {
      await connect(sdk).send(
        new sdk.PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: JSON.stringify(body),
          ContentType: 'application/json',
          // Buckets with Object Lock take nothing without a checksum.
          ChecksumAlgorithm: 'SHA256',
        }),
      );
    });
  const listKept = async (sdk: S3, since: number): Promise<readonly string[]> => {
    const keys: string[] = [];
    let token: string | undefined;
    do {
      const page = await connect(sdk).send(
        new sdk.ListObjectsV2Command({
          Bucket: bucket,
          Prefix: `${prefixOf(space)}forgotten/`,
          StartAfter: keptKey(space, since, 0).slice(0, -2),
          ContinuationToken: token,
        }),
      );
      keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      token = page.NextContinuationToken;
    } while (token !== undefined);
    return keys;
  };
  return {
    save: (anchored) => put(keyOf(space, anchored.size, anchored.commit), anchored),
    keepForgotten: (kept) => put(keptKey(space, kept.at, kept.commit), kept),
    forgottenSince: (since) =>
      guarded(async (sdk) => {
        const read = async (key: string) => {
          const { Body } = await connect(sdk).send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
          return parseKept((await Body?.transformToString()) ?? '', key);
        };
        const keys = await listKept(sdk, since);
        const kept = [];
        for (let first = 0; first < keys.length; first += READS_AT_ONCE)
          kept.push(...(await Promise.all(keys.slice(first, first + READS_AT_ONCE).map(read))));
        return kept;
      }),
    newest: () =>
      guarded(async (sdk) => {
        const listed = await connect(sdk).send(
          new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefixOf(space), MaxKeys: 1 }),
        );
        const key = listed.Contents?.[0]?.Key;
        return key === undefined ? undefined : parseKey(space, key);
      }),
  };
};

/**
 * Anchors in a bucket whose objects cannot be changed or deleted for a year (Object Lock). Keys
 * count downwards, because a bucket lists its smallest key first: that is the anchor with the most
 * leaves. Keys of forgotten objects follow after all of those, by time. The S3 client comes with
 * Lambda's runtime and is loaded for the first checkpoint.
 */
import { defined } from '../base/defined.ts';
import { StoredItemError, UnavailableError } from '../base/errors.ts';
import { LOG_LEAVES_MAX } from '../base/limits.ts';
import { loadS3 } from '../store/clients.ts';
import { type Anchors, buildFileAnchors, type KeptForgotten, parseKept } from './anchor.ts';

const DIGITS = 13;
/** Objects read at once: enough to hide the time of one request. */
const READS_AT_ONCE = 16;

type S3 = Awaited<ReturnType<typeof loadS3>>;

interface Bucket {
  readonly name: string;
  readonly space: string;
  /** Of a server that speaks S3; for tests. */
  readonly endpoint: string | undefined;
  client?: InstanceType<S3['S3Client']>;
}

const prefixOf = ({ space }: Bucket): string => `${space}/`;
const anchorKey = (bucket: Bucket, size: number, commit: number): string =>
  `${prefixOf(bucket)}${String(LOG_LEAVES_MAX - size).padStart(DIGITS, '0')}-${commit}`;
const forgottenPrefix = (bucket: Bucket): string => `${prefixOf(bucket)}forgotten/`;
const forgottenTime = (at: number): string => String(at).padStart(DIGITS, '0');

const parseAnchorKey = (bucket: Bucket, key: string) => {
  const [, left, commit] = /^(\d{13})-(\d+)$/.exec(key.slice(prefixOf(bucket).length)) ?? [];
  return left === undefined ? undefined : { size: LOG_LEAVES_MAX - Number(left), commit: Number(commit) };
};

/** @throws UnavailableError, and StoredItemError as the work raised it */
const withClient = async <T>(
  bucket: Bucket,
  work: (sdk: S3, client: InstanceType<S3['S3Client']>) => Promise<T>,
): Promise<T> => {
  try {
    const sdk = await loadS3();
    const { endpoint } = bucket;
    bucket.client ??= new sdk.S3Client({
      maxAttempts: 3,
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    });
    return await work(sdk, bucket.client);
  } catch (error) {
    if (error instanceof StoredItemError) throw error;
    throw new UnavailableError('The bucket of anchors did not answer. Try again later.', { cause: error });
  }
};

const put = (bucket: Bucket, key: string, content: object): Promise<void> =>
  withClient(bucket, async ({ PutObjectCommand }, client) => {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket.name,
        Key: key,
        Body: JSON.stringify(content),
        ContentType: 'application/json',
        // A bucket with Object Lock takes nothing without a checksum.
        ChecksumAlgorithm: 'SHA256',
      }),
    );
  });

const findNewest = (bucket: Bucket): ReturnType<Anchors['newest']> =>
  withClient(bucket, async ({ ListObjectsV2Command }, client) => {
    const command = new ListObjectsV2Command({ Bucket: bucket.name, Prefix: prefixOf(bucket), MaxKeys: 1 });
    const key = (await client.send(command)).Contents?.[0]?.Key;
    return key === undefined ? undefined : parseAnchorKey(bucket, key);
  });

const listForgotten = (bucket: Bucket, since: number): Promise<readonly string[]> =>
  withClient(bucket, async ({ ListObjectsV2Command }, client) => {
    const keys: string[] = [];
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket.name,
          Prefix: forgottenPrefix(bucket),
          StartAfter: `${forgottenPrefix(bucket)}${forgottenTime(since)}`,
          ...defined({ ContinuationToken: token }),
        }),
      );
      keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      token = page.NextContinuationToken;
    } while (token !== undefined);
    return keys;
  });

const readForgotten = (bucket: Bucket, key: string): Promise<KeptForgotten> =>
  withClient(bucket, async ({ GetObjectCommand }, client) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket.name, Key: key }));
    return parseKept((await Body?.transformToString()) ?? '', key);
  });

const loadForgottenSince = async (bucket: Bucket, since: number): Promise<readonly KeptForgotten[]> => {
  const keys = await listForgotten(bucket, since);
  const kept: KeptForgotten[] = [];
  for (let first = 0; first < keys.length; first += READS_AT_ONCE) {
    const reads = keys.slice(first, first + READS_AT_ONCE).map((key) => readForgotten(bucket, key));
    kept.push(...(await Promise.all(reads)));
  }
  return kept;
};

/** @param endpoint of a server that speaks S3; for tests */
export const buildBucketAnchors = (name: string, space: string, endpoint?: string): Anchors => {
  const bucket: Bucket = { name, space, endpoint };
  return {
    save: (anchored) => put(bucket, anchorKey(bucket, anchored.size, anchored.commit), anchored),
    newest: () => findNewest(bucket),
    keepForgotten: (kept) => put(bucket, `${forgottenPrefix(bucket)}${forgottenTime(kept.at)}-${kept.commit}`, kept),
    forgottenSince: (since) => loadForgottenSince(bucket, since),
  };
};

/** The place of a function's anchors: a folder on this machine, or a bucket. */
export const findAnchors = (env: {
  readonly SPACE: string;
  readonly ANCHOR_DIR?: string | undefined;
  readonly ANCHOR_BUCKET?: string | undefined;
}): Anchors | undefined => {
  if (env.ANCHOR_DIR !== undefined && env.ANCHOR_DIR !== '') return buildFileAnchors(env.ANCHOR_DIR, env.SPACE);
  if (env.ANCHOR_BUCKET !== undefined && env.ANCHOR_BUCKET !== '')
    return buildBucketAnchors(env.ANCHOR_BUCKET, env.SPACE);
  return undefined;
};

/**
 * Bytes that are not text: pictures and documents that people sent, and files of skills for a
 * machine. Each is named by the SHA-256 of its bytes, and lies in a bucket in the cloud, in a
 * folder on a machine; never in the table or a queue. Act keeps and erases; Act, Reason and the
 * reader of documents read. A file older than 30 days is removed: by the bucket's own rule, and
 * with the next one in a folder. Beside a document lies its text, as it was read; a backup leaves
 * that out, because it is read again. A file of a skill lies apart and stays as long as the skill.
 * @throws UnavailableError if the store does not answer
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnavailableError } from '../base/errors.ts';
import { DAY_MS } from '../base/limits.ts';
import { loadS3 } from './clients.ts';

/** The bucket's rule says the same. */
export const CONTENT_DAYS = 30;

export interface Contents {
  /** @returns its name */
  readonly keep: (bytes: Uint8Array) => Promise<string>;
  /** @returns undefined if it is gone, or is not what its name says */
  readonly load: (hash: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Keeps the text of a document beside its bytes. */
  readonly keepText: (hash: string, text: string) => Promise<void>;
  /** @returns undefined if it is gone, or was never read */
  readonly loadText: (hash: string) => Promise<string | undefined>;
  /** Both the bytes and their text. */
  readonly erase: (hash: string) => Promise<void>;
  /** The files of added skills. */
  readonly ofSkills: SkillContents;
}

export interface SkillContents {
  /**
   * Keeps for a skill what `Contents.keep` has. @returns how many bytes it has; undefined if
   * nothing of this name is kept, here or there
   */
  readonly take: (hash: string) => Promise<number | undefined>;
  readonly keep: Contents['keep'];
  readonly load: Contents['load'];
  readonly erase: (hash: string) => Promise<void>;
}

/** The place of the files of a space's skills. No space has a dot: no rule of a space covers it. */
export const skillPlace = (space: string): string => `${space}.skills`;

const textName = (hash: string): string => `${hash}.text`;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A bucket says "AccessDenied" of what is gone to a role that may not list it. */
const GONE: readonly unknown[] = ['ENOENT', 'NoSuchKey', 'AccessDenied'];
const isMissing = (error: unknown): boolean =>
  error instanceof Error && (GONE.includes(error.name) || ('code' in error && GONE.includes(error.code)));

const orUndefined = (error: unknown): undefined => {
  if (!isMissing(error)) throw error;
};

/** The three requests of a place. */
interface ContentPlace {
  readonly put: (name: string, bytes: Uint8Array) => Promise<unknown>;
  readonly get: (name: string) => Promise<Uint8Array | undefined>;
  readonly remove: (name: string) => Promise<unknown>;
}

const removeOld = async (folder: string): Promise<void> => {
  const now = Date.now();
  for (const old of await readdir(folder)) {
    const { mtimeMs = now } = (await stat(join(folder, old)).catch(orUndefined)) ?? {};
    if (now - mtimeMs > CONTENT_DAYS * DAY_MS) await rm(join(folder, old), { force: true });
  }
};

const buildFolder = (folder: string, isLasting: boolean): ContentPlace => ({
  put: async (name, bytes) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!isLasting) await removeOld(folder);
    // A reader gets all of it or nothing.
    await writeFile(join(folder, `${name}.draft`), bytes, { mode: 0o600 });
    await rename(join(folder, `${name}.draft`), join(folder, name));
  },
  get: (name) => readFile(join(folder, name)).catch(orUndefined),
  remove: (name) => rm(join(folder, name), { force: true }),
});

/** @param endpoint of a server that speaks S3; for tests */
const buildBucket = (bucket: string, endpoint?: string): ((prefix: string) => ContentPlace) => {
  const load = async () => {
    const sdk = await loadS3();
    const local = endpoint === undefined ? {} : { endpoint, forcePathStyle: true };
    return { sdk, client: new sdk.S3Client({ maxAttempts: 3, ...local }) };
  };
  let loaded: ReturnType<typeof load> | undefined;
  const open = () => {
    loaded ??= load();
    return loaded;
  };
  return (prefix) => {
    const at = (name: string) => ({ Bucket: bucket, Key: `${prefix}/${name}` });
    return {
      put: async (name, bytes) => {
        const { sdk, client } = await open();
        await client.send(new sdk.PutObjectCommand({ ...at(name), Body: bytes }));
      },
      get: async (name) => {
        const { sdk, client } = await open();
        const answer = await client.send(new sdk.GetObjectCommand(at(name))).catch(orUndefined);
        return answer?.Body?.transformToByteArray();
      },
      remove: async (name) => {
        const { sdk, client } = await open();
        await client.send(new sdk.DeleteObjectCommand(at(name)));
      },
    };
  };
};

const surely = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw new UnavailableError('The store of files did not answer. Try again later.', { cause: error });
  }
};

const byHash = (place: ContentPlace): Pick<Contents, 'keep' | 'load'> => ({
  keep: async (bytes) => {
    const hash = hashOf(bytes);
    await surely(place.put(hash, bytes));
    return hash;
  },
  load: async (hash) => {
    const bytes = await surely(place.get(hash));
    return bytes === undefined || hashOf(bytes) !== hash ? undefined : new Uint8Array(bytes);
  },
});

export interface ContentEnv {
  readonly SPACE: string;
  readonly CONTENT_DIR?: string | undefined;
  readonly CONTENT_BUCKET?: string | undefined;
}

/** @returns undefined if no place is set */
export const buildContents = (
  { SPACE: space, CONTENT_DIR: folder = '', CONTENT_BUCKET: bucket = '' }: ContentEnv,
  endpoint?: string,
): Contents | undefined => {
  if (folder === '' && bucket === '') return undefined;
  const inBucket = buildBucket(bucket, endpoint);
  const placeOf = (name: string, isLasting: boolean): ContentPlace =>
    folder === '' ? inBucket(name) : buildFolder(join(folder, name), isLasting);
  const [place, apart] = [placeOf(space, false), placeOf(skillPlace(space), true)];
  const { keep, load } = byHash(place);
  const ofSkills = byHash(apart);
  return {
    keep,
    load,
    ofSkills: {
      ...ofSkills,
      take: async (hash) => {
        const known = await ofSkills.load(hash);
        if (known !== undefined) return known.length;
        const bytes = await load(hash);
        if (bytes !== undefined) await ofSkills.keep(bytes);
        return bytes?.length;
      },
      erase: (hash) => surely(apart.remove(hash)).then(() => {}),
    },
    keepText: async (hash, text) => {
      await surely(place.put(textName(hash), Buffer.from(text)));
    },
    loadText: async (hash) => {
      const bytes = await surely(place.get(textName(hash)));
      return bytes && Buffer.from(bytes).toString('utf8');
    },
    erase: async (hash) => {
      await surely(place.remove(textName(hash)));
      await surely(place.remove(hash));
    },
  };
};

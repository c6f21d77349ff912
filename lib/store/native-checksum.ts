/**
 * Stands in a bundle for the AWS SDK's checksums: the same two, by Node's own crypto, without the copies in JavaScript that the
 * SDK brings for machines that have none (5 KB, in every function). Same names and shapes as what they stand for; classes,
 * because the SDK calls them with `new`.
 */
import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';

type Bytes = string | Uint8Array;

const bytesOf = (digest: Buffer): Uint8Array => new Uint8Array(digest.buffer, digest.byteOffset, digest.byteLength);

/** SHA-256, or HMAC-SHA-256 where there is a key; a digest may be asked for more than once. */
export class Sha256 {
  readonly digestLength = 32;
  /** A key object: with bytes, Node takes three times as long. */
  readonly #secret: string | KeyObject | undefined;
  #hash: Hash | undefined;
  #hmac: Hmac | undefined;
  constructor(secret?: Bytes) {
    if (typeof secret === 'string') this.#secret = secret === '' ? undefined : secret;
    else this.#secret = secret === undefined ? undefined : createSecretKey(secret);
    this.reset();
  }
  update(data: Bytes): void {
    this.#hash?.update(data);
    this.#hmac?.update(data);
  }
  digest(): Promise<Uint8Array> {
    const digest = this.#hmac?.digest() ?? this.#hash?.copy().digest() ?? Buffer.alloc(0);
    return Promise.resolve(bytesOf(digest));
  }
  reset(): void {
    this.#hmac = this.#secret === undefined ? undefined : createHmac('sha256', this.#secret);
    this.#hash = this.#secret === undefined ? createHash('sha256') : undefined;
  }
}

/** MD5, as SQS gives it with a message. */
export class Md5 {
  readonly digestLength = 16;
  #hash = createHash('md5');
  update(data: Bytes): void {
    this.#hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(bytesOf(this.#hash.copy().digest()));
  }
  reset(): void {
    this.#hash = createHash('md5');
  }
}

/**
 * The keys that sign a space's checkpoints, made from secrets that the log's writer alone holds.
 * Any text can be such a secret: the key is made of its hash. A changed secret is a new key; the
 * previous one is needed once more, because the next checkpoint carries both signatures. Pure.
 */
import { hash } from 'node:crypto';
import { ConfigError } from '../base/errors.ts';
import { originOf } from '../evidence/checkpoint.ts';
import { buildSigningKey, parseSigningKey, type SigningKey } from '../evidence/signing-key.ts';

/** Fewest characters of such a secret: 128 random bits take 22. */
const LOG_SECRET_CHARS_MIN = 20;

export interface LogSigners {
  readonly current: SigningKey;
  readonly previous: SigningKey | undefined;
}

const PRIVATE_KEY = 'PRIVATE+KEY+';

const keyOf = (space: string, name: string, secret: string): SigningKey => {
  const origin = originOf(space);
  if (secret.length < LOG_SECRET_CHARS_MIN)
    throw new ConfigError([`${name} must have at least ${LOG_SECRET_CHARS_MIN} characters`]);
  if (!secret.startsWith(PRIVATE_KEY))
    return buildSigningKey(origin, Buffer.from(hash('sha256', `passepartout/log-key\n${origin}\n${secret}`), 'hex'));
  try {
    const key = parseSigningKey(secret);
    if (key.verifier.name === origin) return key;
  } catch {
    // Reported below, without the secret.
  }
  throw new ConfigError([`${name} is not a signing key of ${origin}`]);
};

/** @throws ConfigError if no key can be made of the secret, which it never holds */
export const buildLogSigners = (space: string, secrets: ReadonlyMap<string, string>): LogSigners => {
  const [current, previous] = [secrets.get('LOG_SIGNING_KEY'), secrets.get('LOG_SIGNING_KEY_PREVIOUS')];
  if (current === undefined) throw new ConfigError(['LOG_SIGNING_KEY is missing']);
  return {
    current: keyOf(space, 'LOG_SIGNING_KEY', current),
    previous: previous === undefined ? undefined : keyOf(space, 'LOG_SIGNING_KEY_PREVIOUS', previous),
  };
};

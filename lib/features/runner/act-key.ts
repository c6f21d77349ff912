/**
 * The key that signs orders for runners, made of the hash of a secret that Act alone holds. With
 * another secret each machine must be paired again. Pure.
 */
import { hash } from 'node:crypto';
import { ConfigError } from '../../core/base/errors.ts';
import { buildSigner, type Signer } from './sign.ts';

/** Fewest characters of the secret: 128 random bits take 22. */
const RUNNER_SECRET_CHARS_MIN = 20;

/** @param secret undefined if none is set. @throws ConfigError that never holds the secret */
export const buildActSigner = (space: string, secret: string | undefined): Signer => {
  if (secret === undefined) throw new ConfigError(['RUNNER_SIGNING_KEY is missing: no runner can be given an order']);
  if (secret.length < RUNNER_SECRET_CHARS_MIN)
    throw new ConfigError([`RUNNER_SIGNING_KEY must have at least ${RUNNER_SECRET_CHARS_MIN} characters`]);
  return buildSigner(Buffer.from(hash('sha256', `passepartout/runner-key\n${space}\n${secret}`), 'hex'));
};

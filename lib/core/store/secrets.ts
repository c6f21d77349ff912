/**
 * Secrets of one function. In the cloud they are one Secrets Manager secret for each role
 * (`SECRET_ID`), a JSON object; on a local stack they are environment variables. Values go only to
 * the client that needs them and to the check that they never leave (I11).
 */
import * as z from 'zod/mini';
import { ConfigError, UnavailableError } from '../base/errors.ts';
import { readJson } from '../base/json.ts';
import { MINUTE_MS } from '../base/limits.ts';

/** Reads a secret. The client is loaded only now: a local stack has no secret to read. */
export const loadSecretString = async (secretId: string): Promise<string> => {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const command = new GetSecretValueCommand({ SecretId: secretId });
  const answer = await new SecretsManagerClient({ maxAttempts: 3 }).send(command);
  return answer.SecretString ?? '';
};

/** How long a warm function keeps the secrets it read. */
const SECRET_CACHE_MS = 5 * MINUTE_MS;

export type Secrets = ReadonlyMap<string, string>;

/** Gives those of the secrets that are set. */
export type ReadSecrets = (now: number) => Promise<Secrets>;

const SecretJson = z.record(z.string(), z.string());

const pick = (names: readonly string[], values: Readonly<Record<string, string | undefined>>): Secrets =>
  new Map(
    names.flatMap((name): [string, string][] =>
      values[name] === undefined || values[name] === '' ? [] : [[name, values[name]]],
    ),
  );

const fetchSecret = async (secretId: string): Promise<string> => {
  try {
    return await loadSecretString(secretId);
  } catch (error) {
    throw new UnavailableError('The secret store did not answer. Try again later.', { cause: error });
  }
};

/** @param names the secrets this role may hold */
export const buildReadSecrets = (
  names: readonly string[],
  source: Readonly<Record<string, string | undefined>> = process.env,
): ReadSecrets => {
  const secretId = source.SECRET_ID;
  if (secretId === undefined || secretId === '') {
    const fixed = pick(names, source);
    return () => Promise.resolve(fixed);
  }
  let cached: { readonly at: number; readonly secrets: Secrets } | undefined;
  return async (now) => {
    if (cached !== undefined && now - cached.at < SECRET_CACHE_MS) return cached.secrets;
    const text = await fetchSecret(secretId);
    const parsed = SecretJson.safeParse(readJson(text));
    if (!parsed.success) throw new ConfigError([`the secret ${secretId} is not a JSON object of strings`]);
    cached = { at: now, secrets: pick(names, parsed.data) };
    return cached.secrets;
  };
};

/**
 * Secrets of one function. In the cloud they are one Secrets Manager secret for each role
 * (`SECRET_ID`), a JSON object; on a local stack they are environment variables. Values go only to
 * the client that needs them and to the check that they never leave (I11).
 */

import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { ConfigError, UnavailableError } from '../base/errors.ts';
import { readJson } from '../base/json.ts';
import { MINUTE_MS, SECOND_MS } from '../base/limits.ts';

/** Reads a secret. The client is loaded only now: a local stack has no secret to read. */
export const loadSecretString = async (secretId: string): Promise<string> => {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const command = new GetSecretValueCommand({ SecretId: secretId });
  const answer = await new SecretsManagerClient({ maxAttempts: 3 }).send(command);
  return answer.SecretString ?? '';
};

/** How long a warm function keeps the secrets it read. */
const SECRET_CACHE_MS = 5 * MINUTE_MS;
/** The same for keys that are added while it runs: all know a new one within ten seconds. */
const VAULT_CACHE_MS = 5 * SECOND_MS;

/** Among the secrets of a function: keys that were added while it runs, as the vault has them. */
export const VAULT_KEYS = 'VAULT_KEYS';

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

/** The vault: on this machine a file of its owner alone, in the cloud a secret of its own. */
export type VaultPlace = Readonly<Partial<Record<'PROVIDER_VAULT_FILE' | 'PROVIDER_VAULT', string | undefined>>>;

/** @returns empty if there is no vault, or its file cannot be read @throws UnavailableError */
export const loadVault = async ({
  PROVIDER_VAULT_FILE: file,
  PROVIDER_VAULT: secretId,
}: VaultPlace): Promise<string> => {
  if (file) return readFile(file, 'utf8').catch(() => '');
  return secretId ? fetchSecret(secretId) : '';
};

/** Those of the function, and below them the keys of the vault, if it may read that. */
export const buildReadSecrets = (
  names: readonly string[],
  source: Readonly<Record<string, string | undefined>> = process.env,
): ReadSecrets => {
  const readOwn = buildReadOwn(names, source);
  if (!source.PROVIDER_VAULT_FILE && !source.PROVIDER_VAULT) return readOwn;
  let last: { readonly own: Secrets; readonly vault: string; readonly all: Secrets } | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    const isOld = now - readAt >= VAULT_CACHE_MS;
    const [own, vault = ''] = await Promise.all([readOwn(now), isOld ? loadVault(source) : last?.vault]);
    if (isOld) readAt = now;
    // The same object for the same secrets: what was made of it stays.
    if (last?.own !== own || last.vault !== vault) last = { own, vault, all: new Map([[VAULT_KEYS, vault], ...own]) };
    return last.all;
  };
};

/** @param names the secrets this role may hold */
const buildReadOwn = (names: readonly string[], source: Readonly<Record<string, string | undefined>>): ReadSecrets => {
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

/** Writes the vault: the console alone does, and reads it by `secrets.ts`. */

import { existsSync } from 'node:fs';
import { access, constants, rename, writeFile } from 'node:fs/promises';
import { loadVault, type VaultPlace } from './secrets.ts';

/** Replaces all of it, in the cloud by a new version. The console's role alone may. */
export const saveVault = async (
  { PROVIDER_VAULT_FILE: file, PROVIDER_VAULT: SecretId }: VaultPlace,
  SecretString: string,
): Promise<void> => {
  if (file) {
    await writeFile(`${file}.new`, SecretString, { mode: 0o600 });
    return rename(`${file}.new`, file);
  }
  const { PutSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  await new SecretsManagerClient({ maxAttempts: 3 }).send(new PutSecretValueCommand({ SecretId, SecretString }));
};

/** The keys that stay in it. @throws what the file says if it is there and cannot be read */
export const loadVaultToChange = async (place: VaultPlace): Promise<string> => {
  const { PROVIDER_VAULT_FILE: file } = place;
  if (file && existsSync(file)) await access(file, constants.R_OK);
  return loadVault(place);
};

/** Reading one secret from Secrets Manager. A file of its own, loaded only where a function really has a secret to read. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The secret's string. @throws what the client throws; the caller says what it means. */
export const loadSecretString = async (secretId: string): Promise<string> => {
  const answer = await new SecretsManagerClient({ maxAttempts: 3 }).send(
    new GetSecretValueCommand({ SecretId: secretId }),
  );
  return answer.SecretString ?? '';
};

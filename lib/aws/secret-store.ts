/**
 * Reading one secret from Secrets Manager. The client is loaded only where a function really has a secret to read; on Lambda
 * it comes with the runtime (`infra/bundling.ts`), so no bundle carries it and no cold start pays for it.
 */

/** The secret's string. @throws what the client throws; the caller says what it means. */
export const loadSecretString = async (secretId: string): Promise<string> => {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const answer = await new SecretsManagerClient({ maxAttempts: 3 }).send(
    new GetSecretValueCommand({ SecretId: secretId }),
  );
  return answer.SecretString ?? '';
};

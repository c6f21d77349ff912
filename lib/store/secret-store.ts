/**
 * Reading one secret from Secrets Manager. The client is loaded only where a function really has a secret to read: a chunk of 25 KB
 * beside what it shares with the other clients, where the runtime's own copy would bring all of that a second time, for eight
 * times the processor time.
 */

/** The secret's string. @throws what the client throws; the caller says what it means. */
export const loadSecretString = async (secretId: string): Promise<string> => {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const answer = await new SecretsManagerClient({ maxAttempts: 3 }).send(
    new GetSecretValueCommand({ SecretId: secretId }),
  );
  return answer.SecretString ?? '';
};

/**
 * Credentials as Lambda gives them: in the environment, always. The bundler puts this in the place of the AWS SDK's
 * provider chain (profiles, SSO, child processes, metadata endpoints), which a function never needs and which would be
 * about 145 KB of every bundle. Lambda replaces the process when they expire, so they are read once per client.
 */
import { ConfigError } from '../base/errors.ts';

export interface EnvironmentCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Same name and shape as the function it stands for.
 * @throws ConfigError (on the first request) naming the variables that are missing
 */
export const defaultProvider = () => async (): Promise<EnvironmentCredentials> => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    const missing = [
      ...(accessKeyId ? [] : ['AWS_ACCESS_KEY_ID is missing']),
      ...(secretAccessKey ? [] : ['AWS_SECRET_ACCESS_KEY is missing']),
    ];
    throw new ConfigError(missing);
  }
  return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}) };
};

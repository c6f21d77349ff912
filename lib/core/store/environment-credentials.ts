/** In place of the SDK's provider chain, which adds 145 KB to every bundle. */
import { ConfigError } from '../base/errors.ts';

export interface EnvironmentCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Named and shaped as the SDK's. @throws ConfigError on the first request */
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

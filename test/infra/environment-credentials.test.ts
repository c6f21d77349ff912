import { afterEach, describe, expect, it } from 'vitest';
import { defaultProvider } from '../../lib/core/store/environment-credentials.ts';

const NAMES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
const before = NAMES.map((name) => [name, process.env[name]] as const);

const setAll = (values: readonly (readonly [string, string | undefined])[]): void => {
  for (const [name, value] of values) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
};

describe('defaultProvider', () => {
  afterEach(() => setAll(before));

  it('gives the credentials of the environment', async () => {
    setAll([
      ['AWS_ACCESS_KEY_ID', 'id'],
      ['AWS_SECRET_ACCESS_KEY', 'key'],
      ['AWS_SESSION_TOKEN', 'token'],
    ]);
    const given = await defaultProvider()();
    expect(given).toStrictEqual({ accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'token' });
  });

  it('leaves the session token out where there is none', async () => {
    setAll([
      ['AWS_ACCESS_KEY_ID', 'id'],
      ['AWS_SECRET_ACCESS_KEY', 'key'],
      ['AWS_SESSION_TOKEN', undefined],
    ]);
    expect(await defaultProvider()()).toStrictEqual({ accessKeyId: 'id', secretAccessKey: 'key' });
  });

  it('names every variable that is missing', async () => {
    setAll(NAMES.map((name) => [name, undefined]));
    await expect(defaultProvider()()).rejects.toMatchObject({
      problems: ['AWS_ACCESS_KEY_ID is missing', 'AWS_SECRET_ACCESS_KEY is missing'],
    });
  });
});

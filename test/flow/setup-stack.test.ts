/** `setup --stack`: live settings are stored in the stack; secrets are only named. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommandContext } from '../../infra/cli/command.ts';
import { storeOnStack } from '../../infra/cli/setup/stack-settings.ts';
import { say } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, type TestStack } from '../support/stack.ts';

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({ script: () => say('ok') });
});
afterAll(() => world?.stop());

it('stores live settings, and says where secrets and others go, without their values', async () => {
  const context = {
    access: async () => ({ url: world.stack.url, approverToken: APPROVER_TOKEN }),
    now: Date.now,
    sleep: (ms: number) => new Promise((done) => setTimeout(done, ms)),
    text: () => undefined,
  } as unknown as CommandContext;
  const store = (settings: Readonly<Record<string, string>>) => storeOnStack(context, 'Mine', settings);
  const key = 'sk-never-shown';
  expect(
    await store({
      TIME_ZONE: 'Asia/Tokyo',
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: 'https://a.example/v1',
      OPENAI_MODEL: '',
    }),
  ).toStrictEqual([
    'TIME_ZONE is Asia/Tokyo now, in version 1 of the settings. It holds within a minute.',
    'Put these yourself; each command replaces the whole secret, so give all its values:',
    `aws secretsmanager put-secret-value --secret-id passepartout/Mine/reason --secret-string '{"OPENAI_API_KEY":"…"}'`,
    'Deploy again with these as variables: OPENAI_BASE_URL.',
  ]);
  await expect(store({ TIME_ZONE: 'Mars/One' })).rejects.toThrow('must be a time zone');
});

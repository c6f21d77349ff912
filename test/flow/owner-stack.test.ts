/**
 * Identity, skills and settings as their owner uses them: the real command on the whole local
 * stack, and what the model's server then sees.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { storeOnStack } from '../../infra/cli/setup/stack-settings.ts';
import { SKILLS } from '../../lib/features/skills/skills.ts';
import { openCli, type TestCli } from '../support/cli.ts';
import { APPROVER_TOKEN, startTestStack } from '../support/stack.ts';

const world = await startTestStack({ isPolling: false });
const command = openCli(world.stack.url);
afterAll(async () => {
  await world.stop();
  command.remove();
});

const cli: TestCli['run'] = (...words) => command.run(...words);

/** The last request to the model's server. */
const lastRequest = () => {
  const request = world.model.requests.at(-1);
  const system = String(request?.messages[0]?.content ?? '');
  return { system, tools: (request?.tools ?? []).map((tool) => tool.function.name) };
};

describe('setup --stack', () => {
  it('stores live settings, and says where secrets and others go, without their values', async () => {
    const context = {
      access: async () => ({ url: world.stack.url, approverToken: APPROVER_TOKEN }),
      now: Date.now,
      sleep: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
      text: () => undefined,
      terminal: { remark: () => {}, progress: () => {} },
    };
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
});

describe('passepartout identity and skill', () => {
  it('say what they do wrong', async () => {
    expect(await cli('identity', 'name')).toMatchObject({ code: 2, out: '' });
    expect(await cli('skill', 'off')).toMatchObject({ code: 2, out: '' });
    expect(await cli('skill', 'off', 'cooking')).toStrictEqual({
      code: 1,
      out: 'Nothing was changed: there is no such skill; npx passepartout skill list names them.\n',
      err: '',
    });
  });

  it('change what the model is told, and what it may use, from the next message on', async () => {
    expect((await cli('identity', 'style', 'Speak', 'like', 'a', 'butler.')).out).toContain(
      'How I speak: Speak like a butler. (console-approver, ',
    );
    expect((await cli('skill', 'off', 'notes')).out).toMatch(/^notes \(off, tier auto\): /);
    expect((await cli('send', 'hello')).code).toBe(0);
    const before = lastRequest();
    expect(before.system).toContain(' Speak like a butler.\n');
    expect(before.tools).not.toContain('recall');
    expect((await cli('skill', 'on', 'notes')).out).toMatch(/^notes \(on, tier auto\): /);
    expect((await cli('skill', 'tier', 'notes', 'reasoning')).out).toMatch(/^notes \(on, tier reasoning\): /);
    const sent = await cli('send', 'remember that I like tea');
    expect(sent.code).toBe(0);
    expect(lastRequest().tools).toContain('recall');
    const signals = JSON.parse((await cli('signals', '--json')).out) as { signals: { id: string }[] };
    const why = await cli('why', signals.signals[0]?.id ?? '');
    expect(why.out).toContain('an approver set it for the skill notes');
    expect((await cli('skill')).out.split('\n').filter((line) => line !== '')).toHaveLength(SKILLS.length);
  });
});

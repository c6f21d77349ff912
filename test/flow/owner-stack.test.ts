/**
 * Identity and skills as their owner uses them: the real command on the whole local stack, and what
 * the model's server then sees.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SKILLS } from '../../lib/skills/skills.ts';
import { openCli, type TestCli } from '../support/cli.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

let world: TestStack;
let command: TestCli;
beforeAll(async () => {
  world = await startTestStack({ isPolling: false });
  command = openCli(world.stack.url);
});
afterAll(async () => {
  await world?.stop();
  command?.remove();
});

const cli: TestCli['run'] = (...words) => command.run(...words);

/** The last request to the model's server. */
const lastRequest = () => {
  const request = world.model.requests.at(-1);
  const system = String(request?.messages[0]?.content ?? '');
  return { system, tools: (request?.tools ?? []).map((tool) => tool.function.name) };
};

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

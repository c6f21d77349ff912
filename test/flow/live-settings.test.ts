/** `/config` on the whole stack: a setting changes while conversations run, without a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say } from '../support/model-server.ts';
import { startTestStack, type TestStack, until } from '../support/stack.ts';

const CONVERSATIONS = 20;

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({ script: () => say('ok') });
});
afterAll(() => world?.stop());

const command = async (text: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: 'config' });
  return (await world.settled(body.id)).replies.join('\n');
};
const told = async (session: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: `hello of ${session}.`, session });
  const { state } = await world.settled(body.id);
  const asked = world.model.requests.findLast((request) => JSON.stringify(request.messages).includes(`of ${session}.`));
  return `${state} ${/Asia\/Tokyo|UTC/.exec(JSON.stringify(asked?.messages))?.[0]}`;
};

describe('/config', () => {
  it('lists what may be changed, with where each value comes from', async () => {
    expect(await command('/config')).toMatch(/^BUDGET_DAY_USD: 5 \(default\)$/m);
    expect(await command('/config get time_zone')).toBe('TIME_ZONE: UTC (default)');
  });

  it.each([
    ['/config set OPENAI_API_KEY x', /cannot be changed while I run; these can: TIME_ZONE, HOME_CHAT/],
    ['/config set time_zone Mars/One', /TIME_ZONE must be a time zone such as Europe\/Berlin/],
    ['/config set BUDGET_DAY_USD lots', /BUDGET_DAY_USD must/],
  ])('refuses %s', async (text, words) => {
    expect(await command(text)).toMatch(words);
  });

  it('changes a setting under running conversations, says who did it, and takes it back', async () => {
    expect(await command('/config set time_zone Asia/Tokyo')).toBe(
      'TIME_ZONE is Asia/Tokyo now, in version 1 of the settings. It holds within a minute.',
    );
    let n = 0;
    const isThere = async (zone: string) => {
      n += 1;
      const all = await Promise.all(Array.from({ length: CONVERSATIONS }, (_, k) => told(`talk-${n}-${k}`)));
      expect(all.filter((one) => !one.startsWith('acted'))).toStrictEqual([]);
      return all.every((one) => one.endsWith(zone));
    };
    await until('every conversation is told the new zone', () => isThere('Asia/Tokyo'));
    expect(await command('/config get TIME_ZONE')).toMatch(
      /^TIME_ZONE: Asia\/Tokyo \(set by console-approver on .* UTC\)$/,
    );
    expect(await command('/config reset TIME_ZONE')).toBe('What was set is taken back. TIME_ZONE: UTC (default)');
    await until('every conversation is told the old zone', () => isThere('UTC'));
  });

  it('is refused to somebody who is no approver', async () => {
    const { body } = await world.api(
      'POST',
      '/api/config/set?session=main',
      { name: 'STREAMING', value: 'off' },
      'none',
    );
    expect(JSON.stringify(body)).not.toContain('"id"');
  });
});

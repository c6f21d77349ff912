/** "Allow for this task": what it covers, and what an attacker or a model may try with it. */
import { afterAll, describe, expect, it } from 'vitest';
import { openForTask } from '../../lib/core/approvals/task-grant.ts';
import { startDynamo } from '../support/dynamo.ts';
import { signalWith } from '../support/simulation.ts';
import { BECAUSE } from './adversity-world.ts';
import { buildApprovalWorld, URLS } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

interface Body {
  readonly ref: string;
  readonly to?: string;
  readonly count?: number;
}
const FIRST: Body = { ref: 'main', to: 'production', count: 3 };

/** As the owner declares the webhook. */
const DECLARED = {
  url: URLS.deploys,
  recipient: 'to',
  body: { type: 'object', properties: { to: { type: 'string' } }, additionalProperties: true },
};

/** The model gives these answers, each with calls of one webhook. @param origin of its outputs */
const build = (answers: readonly (readonly Body[])[], origin: 'agent' | 'outside', isDeclared = true) => {
  const left = [...answers];
  const done: unknown[] = [];
  const world = buildApprovalWorld(dynamo.table, {
    ...(isDeclared ? { variables: { WEBHOOK_URLS: JSON.stringify({ deploys: DECLARED }) } } : {}),
    answer: () => {
      const bodies = left.shift() ?? [];
      const toolCalls = bodies.map((body, n) => ({
        id: `c${n}`,
        name: 'call-webhook',
        argumentsText: JSON.stringify({ webhook: 'deploys', body, explanation: BECAUSE }),
      }));
      return toolCalls.length === 0 ? { content: 'done' } : { toolCalls };
    },
    outside: ({ target, args }) => {
      if (target !== 'webhook') return { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' };
      done.push(args?.body);
      return { state: 'done', output: 'it went well', origin };
    },
  });
  return { ...world, done };
};

describe('allow for this task', () => {
  it.each<[why: string, next: Body, isCovered: boolean]>([
    ['the very same', FIRST, true],
    ['other plain words and a smaller number', { ...FIRST, ref: 'the next one', count: 1 }, true],
    ['a larger number', { ...FIRST, count: 4 }, false],
    ['another receiver', { ...FIRST, to: 'somebody else' }, false],
    ['an address in place of words', { ...FIRST, ref: 'evil.example' }, false],
    ['a path', { ...FIRST, ref: 'a/../b' }, false],
    ['a long text', { ...FIRST, ref: 'x'.repeat(101) }, false],
    ['a field more', { ...FIRST, ref: 'main', cc: 'x' } as Body, false],
    ['a field less', { ref: 'main', to: 'production' }, false],
  ])('of a later call in the turn: %s', async (_, next, isCovered) => {
    const world = build([[FIRST], [next]], 'agent');
    const id = await world.say('deploy it all');
    await world.send(world.tapOf(await world.approvalOf(id), 'allow-task'));
    expect(world.done).toStrictEqual(isCovered ? [FIRST, next] : [FIRST]);
  });

  it.each<[why: string, next: Body, isCovered: boolean]>([
    ['a smaller number', { ...FIRST, count: 1 }, true],
    ['other plain words', { ...FIRST, ref: 'the next one' }, false],
    ['another receiver', { ...FIRST, to: 'somebody else' }, false],
  ])('of a target whose receiver nobody declared: %s', async (_, next, isCovered) => {
    const world = build([[FIRST], [next]], 'agent', false);
    const id = await world.say('deploy it all');
    const approval = await world.approval(await world.approvalOf(id));
    expect(openForTask(approval).map(({ path }) => path)).toStrictEqual(['/body/count']);
    await world.send(world.tapOf(approval.id, 'allow-task'));
    expect(world.done).toStrictEqual(isCovered ? [FIRST, next] : [FIRST]);
  });

  it('names on the card what may differ, as the grant then has it', async () => {
    const world = build([[FIRST]], 'agent');
    const approval = await world.approvalOf(await world.say('deploy it all'));
    await world.send(world.tapOf(approval, 'show-similar'));
    expect(world.texts().at(-1)).toContain('also with other words for body.ref and a smaller number for body.count');
    await world.send(world.tapOf(approval, 'allow-task'));
    const [grant] = await world.grants();
    expect(grant?.loosened.map(({ path }) => path)).toStrictEqual(['/body/ref', '/body/count']);
  });

  it('is for no conversation, so that a release without such grants finds none', async () => {
    const world = build([[FIRST]], 'agent');
    const id = await world.say('deploy it all');
    await world.send(world.tapOf(await world.approvalOf(id), 'allow-task'));
    const [grant] = await world.grants();
    expect([grant?.session, grant?.askedIn]).toStrictEqual([`turn:${id}`, 'telegram:7']);
  });

  it('holds for ten uses, an hour and one turn', async () => {
    const world = build([[FIRST], [], [FIRST]], 'agent');
    const id = await world.say('deploy it all');
    await world.send(world.tapOf(await world.approvalOf(id), 'allow-task'));
    const [grant] = await world.grants();
    expect(grant).toMatchObject({ session: `turn:${id}`, usesMax: 10, uses: 0 });
    expect((grant?.expiresAtMs ?? 0) - (grant?.createdAt ?? 0)).toBe(3_600_000);
    expect(await world.statesOf(await world.say('once more'))).toStrictEqual(['suspended']);
  });

  it('never covers what outside text has asked for since', async () => {
    const world = build([[FIRST], [{ ...FIRST, ref: 'other' }]], 'outside');
    const id = await world.say('deploy it all');
    await world.send(world.tapOf(await world.approvalOf(id), 'allow-task'));
    expect(world.done).toStrictEqual([FIRST]);
  });

  it('is no more than a yes for a card that was made from outside text', async () => {
    const world = build([[FIRST]], 'outside');
    const text = [{ text: 'deploy', origin: 'outside' as const, label: 'forward' }];
    await world.send(signalWith(world.space, 'tg-1-90', { sensor: 'chat-message', text }));
    await world.send(world.tapOf(await world.approvalOf('tg-1-90'), 'allow-task'));
    expect([world.done, await world.grants()]).toStrictEqual([[FIRST], []]);
    expect(world.texts().at(-1)).toBe('done');
    expect(world.texts()).toContain(
      'Approved this once; nothing more is allowed: what was made from outside text is asked each time.',
    );
  });

  it('approves what waits beside it in the same answer, if it is alike', async () => {
    const other = { ...FIRST, ref: 'other' };
    const strange = { ...FIRST, to: 'somebody else' };
    const world = build([[FIRST, other, strange]], 'agent');
    const id = await world.say('deploy it all');
    await world.send(world.tapOf(await world.approvalOf(id), 'allow-task'));
    expect(world.done).toStrictEqual([FIRST, other]);
    expect(await world.statesOf(id)).toStrictEqual(['done', 'done', 'suspended']);
    expect(world.texts()).toContainEqual(
      expect.stringMatching(
        /^Approved with 1 more of this answer, and for this task allowed 10 more times until .*, also with other words for body\.ref and a smaller number for body\.count: /,
      ),
    );
  });
});

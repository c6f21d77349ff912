import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Evidence } from '../../lib/pipeline/explain/evidence.ts';
import { policyHash } from '../../lib/policy/policy-domain.ts';
import { APPROVER_TOKEN, CONSOLE_TOKEN, startConsole, type TestConsole } from './console-server.ts';
import { buildDecision, buildEffect, buildFacts, buildSignal, judge, putSignal, reply } from './stored-fixtures.ts';

const TEXT = '@id("no") forbid(principal, action == Action::"forget", resource);';
let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

const post = (body: unknown, token: string | null = APPROVER_TOKEN) =>
  world.ask('POST', '/api/policy', { token, body });

describe('POST /api/policy', () => {
  it('keeps a policy that is usable, shows it, and takes it back', async () => {
    const none = { text: '', hash: '' };
    expect((await world.ask('GET', '/api/policy')).body).toStrictEqual(none);
    const stored = { text: TEXT, hash: policyHash(TEXT), at: 1_700_000_100_000 };
    expect(await post({ text: TEXT })).toMatchObject({ status: 200, body: stored });
    expect((await world.ask('GET', '/api/policy')).body).toStrictEqual(stored);
    expect(await post({ text: ' \n' })).toMatchObject({ status: 200, body: { ...none, at: stored.at } });
  });

  it.each([
    ['does not parse', 'permit(', /line 1, column/],
    ['does not type-check', 'forbid(principal, action, resource) when { context.nope };', /nope/],
  ])('refuses a text that %s, says where, and changes nothing', async (_, text, message) => {
    await post({ text: TEXT });
    const answer = await post({ text });
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(message) } } });
    expect((await world.ask('GET', '/api/policy')).body).toMatchObject({ text: TEXT });
  });

  it('is for approvers only (I14)', async () => {
    expect((await post({ text: TEXT }, CONSOLE_TOKEN)).status).toBe(403);
    expect((await post({ text: TEXT }, null)).status).toBe(401);
  });
});

describe('GET /api/signals/<id>/evidence', () => {
  it('gives everything stored but capabilities (I5)', async () => {
    const secretId = 'c'.repeat(32);
    const card = reply('Approve this?', { author: 'code', template: 'approval-card', card: secretId });
    const judged = [judge(reply('Hello.')), judge(card)];
    const approval = {
      id: secretId,
      actionHash: 'a'.repeat(64),
      policyVersion: 'p'.repeat(64),
      space: 'default',
      state: 'approved',
      expiresAt: 1,
    } as const;
    const spent = { ...buildEffect(0, judge(reply('Hello.'))), approvalId: secretId };
    const facts = [{ ...buildFacts(reply('Hello.')), approval }];
    await putSignal(world.dynamo.table, {
      signal: buildSignal('con-evidence'),
      state: 'acted',
      decision: buildDecision('con-evidence', judged),
      effects: [{ ...spent, facts }],
    });
    const { status, body } = await world.ask('GET', '/api/signals/con-evidence/evidence');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(secretId);
    const evidence = Evidence.parse(body);
    expect(evidence.withheld).toStrictEqual([1]);
    expect(evidence.decision?.actions[0]).toStrictEqual(judged[0]);
    expect(evidence.effects[0]?.facts[0]?.approval).toStrictEqual({ ...approval, id: 'withheld' });
    expect((await world.ask('GET', '/api/signals/con-nothing/evidence')).status).toBe(404);
    expect((await world.ask('GET', '/api/signals/con-evidence/evidence', { token: null })).status).toBe(401);
  });
});

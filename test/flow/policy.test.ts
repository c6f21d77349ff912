/**
 * The owner's policy on the real stack: set over the console, in force for the next decision at
 * both stages, told in traces.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { policyKey } from '../../lib/core/judge/policy-setting.ts';
import { replayEvidence } from '../../lib/core/verbs/signals/replay-evidence.ts';
import { Evidence } from '../../lib/core/verbs/signals/signal-evidence.ts';
import { call, type Script, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, startTestStack, until } from '../support/stack.ts';

const because = { explanation: 'The owner asked for exactly this.' };
const script: Script = (request) => {
  const text = userTextOf(request);
  const isRejected = JSON.stringify(request.messages).includes('denied by the permissions');
  if (isRejected || toolResultsOf(request).length > 0) return say('Done with it.');
  if (text.startsWith('keep ')) return call('remember', { text: text.slice(5), ...because });
  if (text.startsWith('find ')) return call('recall', { query: text.slice(5), ...because });
  return say(`re ${text}`);
};

const world = await startTestStack({ script });
afterAll(world.stop);

const setPolicy = (text: string, token = APPROVER_TOKEN) => world.api('POST', '/api/policy', { text }, token);
const post = async (text: string): Promise<string> =>
  (await world.api<{ id: string }>('POST', '/api/messages', { text })).body.id;
const ask = async (text: string) => world.settled(await post(text));
const evidenceOf = async (id: string) => Evidence.parse((await world.api('GET', `/api/signals/${id}/evidence`)).body);

beforeEach(async () => {
  await setPolicy('');
});

describe('a policy in force', () => {
  it('denies by argument, says which rule, hides what is always denied, and replays', async () => {
    const text = [
      '@id("no-codes") forbid(principal, action == Action::"remember", resource) when { context.args.text like "*code*" };',
      '@id("no-forgetting") forbid(principal, action == Action::"forget", resource);',
    ].join('\n');
    expect((await setPolicy(text, SCRIPT_TOKEN)).status).toBe(403);
    expect((await setPolicy(text)).status).toBe(200);
    const before = world.model.requests.length;
    const view = await ask('keep the door code');
    expect(view.decision?.attempts[0]?.trace.filter(({ verdict }) => verdict === 'block')).toStrictEqual([
      { n: 0, gate: 'permissions', verdict: 'block', reason: expect.stringContaining('(policy: no-codes)') },
    ]);
    expect(view.replies).toStrictEqual(['Done with it.']);
    const asked = JSON.stringify(world.model.requests[before]);
    expect([asked.includes('"recall"'), asked.includes('"forget"')]).toStrictEqual([true, false]);
    expect((await ask('keep the colour')).decision?.actions[0]?.state).toBe('done');
    const replayed = replayEvidence(GATE_SET, await evidenceOf(view.id));
    expect(replayed.map(({ kind }) => kind)).toStrictEqual(replayed.map(() => 'identical'));
    expect(replayed.length).toBeGreaterThanOrEqual(3);
  });

  it('asks where it says so, and an approval does not outlive a change of policy (I5)', async () => {
    await setPolicy('@id("ask") @ask("") permit(principal, action == Action::"recall", resource);');
    const id = await post('find the bike');
    const approval = await until('an approval', async () => {
      const { body } = await world.api<{ approvals: { id: string; signalId: string; reasons: string[] }[] }>(
        'GET',
        '/api/approvals',
        undefined,
        APPROVER_TOKEN,
      );
      return body.approvals.find((one) => one.signalId === id);
    });
    expect(approval.reasons.join()).toContain('(policy: ask)');
    await setPolicy('@id("ask-more") @ask("") permit(principal, action == Action::"recall", resource);');
    await world.api('POST', `/api/approvals/${approval.id}`, { decision: 'approve' }, APPROVER_TOKEN);
    const view = await until('a refused effect', async () => {
      const { body } = await world.api<{ effects: { state: string; output?: string }[] }>('GET', `/api/signals/${id}`);
      return body.effects[0]?.state === 'refused' ? body : undefined;
    });
    expect(view.effects).toMatchObject([{ state: 'refused' }]);
  });

  it('lets nothing of the model through when it cannot be used, and the person is told (I3)', async () => {
    await world.table.put(policyKey('default'), { schemaVersion: 1, text: 'permit(', hash: 'x', by: 'test', at: 1 });
    const view = await ask('hello');
    expect(view.state).toBe('refused');
    expect(view.replies.join()).toContain('the policy cannot be used: line 1, column');
    expect((await setPolicy('permit(')).status).toBe(400);
    await setPolicy('');
    expect((await ask('hello again')).replies).toStrictEqual(['re hello again']);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVIDENCE_PAGE_SIGNALS_MAX } from '../../../lib/core/edge/console/evidence.ts';
import { RECORDS_PAGE_BYTES_MAX } from '../../../lib/core/edge/limits.ts';
import { Evidence, EvidencePage } from '../../../lib/core/verbs/signals/signal-evidence.ts';
import { policyHash } from '../../../lib/features/policy/policy-domain.ts';
import {
  APPROVER_TOKEN,
  SCRIPT_TOKEN,
  startConsole,
  type TestConsole,
} from '../../core/edge/console/console-server.ts';
import {
  buildAttempt,
  buildDecision,
  buildEffect,
  buildFacts,
  buildSignal,
  judge,
  putSignal,
  reply,
  type StoredTurn,
} from '../../core/edge/console/stored-fixtures.ts';

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
    expect((await post({ text: TEXT }, SCRIPT_TOKEN)).status).toBe(403);
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

describe('GET /api/evidence', () => {
  const judged = [judge(reply('Hello.'))];
  const card = judge(reply('Approve this?', { author: 'code', template: 'approval-card', card: 'c'.repeat(32) }));
  const taken = (n: number) => ({ attempt: buildAttempt(n, []), attemptCount: n });
  const vote = { n: 2, provider: 'other', model: 'm', verdict: 'pass' } as const;
  const effects = [buildEffect(0, card)];
  const turns: Readonly<Record<string, Omit<StoredTurn, 'signal'>>> = {
    plain: { state: 'acted', decision: buildDecision('con-plain', [card, ...judged], taken(1)), effects },
    undone: { state: 'perceived', attempts: [buildAttempt(1, judged)] },
    second: { state: 'acted', attempts: [buildAttempt(1, judged)], decision: buildDecision('s', judged, taken(2)) },
    voted: {
      state: 'acted',
      attempts: [buildAttempt(2, judged, { isVote: true })],
      decision: buildDecision('v', judged, { ...taken(1), consensus: { outcome: 'agreed', taken: 1, votes: [vote] } }),
    },
    stopped: {
      state: 'refused',
      attempts: [buildAttempt(1, judged)],
      decision: buildDecision('x', judged, { outcome: 'refuse', attemptCount: 0 }),
    },
    forgotten: { state: 'acted', decision: buildDecision('f', judged, { ...taken(1), forgottenAt: 5 }) },
  };

  /** All pages of a console, each within its bound. */
  const readPages = async (own: TestConsole): Promise<readonly EvidencePage[]> => {
    const pages: EvidencePage[] = [];
    for (let query = ''; ; ) {
      const { status, body } = await own.ask('GET', `/api/evidence${query}`);
      expect(status).toBe(200);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(RECORDS_PAGE_BYTES_MAX);
      const page = EvidencePage.parse(body);
      pages.push(page);
      if (page.cursor === undefined) return pages;
      query = `?cursor=${page.cursor}`;
    }
  };

  it('gives of every signal what is given of it alone, newest first', async () => {
    const own = await startConsole();
    for (const [n, [name, turn]] of Object.entries(turns).entries())
      await putSignal(own.dynamo.table, { ...turn, signal: buildSignal(`con-${name}`, { receivedAt: 1_000 - n }) });
    const [page, ...others] = await readPages(own);
    const alone = await Promise.all(
      Object.keys(turns).map(async (name) => (await own.ask('GET', `/api/signals/con-${name}/evidence`)).body),
    );
    expect(others).toStrictEqual([]);
    expect((await own.ask('GET', '/api/evidence')).body).toStrictEqual({ evidence: alone });
    expect(page?.evidence.map(({ attempts }) => attempts.length)).toStrictEqual([0, 1, 1, 1, 1, 0]);
    await own.stop();
  });

  it('gives every signal once, on pages of so many signals and bytes', async () => {
    const own = await startConsole();
    const count = EVIDENCE_PAGE_SIGNALS_MAX + 20;
    // The euro sign takes three bytes: 40 of these signals are more than a page.
    const long = buildDecision('long', [judge(reply('€'.repeat(40_000)))], taken(1));
    const ids = Array.from({ length: count }, (_, n) => `con-${String(n).padStart(3, '0')}`);
    for (const [n, id] of ids.entries())
      await putSignal(own.dynamo.table, {
        state: 'acted',
        signal: buildSignal(id, { receivedAt: count - n }),
        decision: n < 40 ? long : buildDecision(id, judged, taken(1)),
      });
    const pages = await readPages(own);
    expect(pages.flatMap(({ evidence }) => evidence.map(({ id }) => id))).toStrictEqual(ids);
    expect(pages.map(({ evidence }) => evidence.length)).toStrictEqual([25, 95]);
    await own.stop();
  });

  it.each([
    ['cursor=nonsense', 400],
    [`cursor=${Buffer.from(JSON.stringify({ pk: 'setting#default', sk: 'record' })).toString('base64url')}`, 400],
    ['limit=5', 400],
  ])('refuses ?%s', async (query, status) => {
    expect((await world.ask('GET', `/api/evidence?${query}`)).status).toBe(status);
  });

  it('needs the console token', async () => {
    expect((await world.ask('GET', '/api/evidence', { token: null })).status).toBe(401);
  });
});

/**
 * Quotas over a real table: whatever comes at the same moment or twice, a bound is never passed,
 * and nothing is counted twice.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUOTAS } from '../../../lib/core/base/limits.ts';
import { type AdmitDeps, admitSignal } from '../../../lib/core/ledger/accept.ts';
import { takeHomeChatSlot } from '../../../lib/core/ledger/home-chat.ts';
import {
  accountsOf,
  countOf,
  limitOf,
  type QuotaAccount,
  quotaKey,
  returnSpending,
  takeSpending,
  takeWrite,
} from '../../../lib/core/ledger/quota.ts';
import type { PerceiveMessage } from '../../../lib/core/signal/messages.ts';
import type { Payload, Signal } from '../../../lib/core/signal/signal.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { newSpace } from '../../flow/adversity-world.ts';
import { DEFAULT_CAPS } from '../../support/default-caps.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';
import { signalWith } from '../../support/simulation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const NOW = 1_790_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const TEXT: Payload = { sensor: 'chat-message', text: [{ text: 'hi', origin: 'outside' }] };

const fromMember = (
  space: string,
  id: number,
  member = 13,
  chat = '-7',
  payload: Payload = TEXT,
  at = NOW,
): Signal => ({
  ...signalWith(space, `tg-1-${id}`, payload, chat, at),
  sender: { id: `telegram:${member}`, isApprover: false },
});

const person = (member = 13): QuotaAccount => ({ kind: 'person', name: `telegram:${member}` });
const conversation = (chat = '-7'): QuotaAccount => ({ kind: 'conversation', name: `telegram:${chat}` });

const counted = async (space: string, account: QuotaAccount, what: Parameters<typeof countOf>[1], now = NOW) =>
  countOf((await dynamo.table.load([quotaKey(space, account, now)], { isConsistent: true }))[0], what);

/** Ingress over the table, with every message it published. */
const ingress = (table: AdmitDeps['table'] = dynamo.table) => {
  const published: PerceiveMessage[] = [];
  const deps: AdmitDeps = {
    table,
    publish: async (message) => {
      published.push(message);
    },
  };
  return { published, admit: (signal: Signal) => admitSignal(deps, signal) };
};

/** Sets an account to a count without the way there. */
const fill = async (space: string, account: QuotaAccount, what: 'messages' | 'notes' | 'stops', left: number) => {
  const { key, change } = takeWrite(space, account, { [what]: limitOf(account, what) - left }, NOW);
  await dynamo.table.update(key, change);
};

describe('accountsOf', () => {
  const base = signalWith('default', 'tg-1-1', TEXT, '-7', NOW);
  it.each([
    ['an approver', base, []],
    ['the console', { ...base, source: 'console', sender: { id: 'console', isApprover: false } }, []],
    ['the program itself', { ...base, source: 'system', sender: { id: 'system', isApprover: false } }, []],
    ['a member of a group', fromMember('default', 1), [person(), conversation()]],
    [
      'a webhook',
      { ...base, source: 'webhook', session: 'webhook:ci', sender: { id: 'webhook:ci', isApprover: false } },
      [{ kind: 'source', name: 'webhook:ci' }],
    ],
    [
      'a script without the right',
      { ...base, source: 'script', session: 'script:a:b', sender: { id: 'script:a', isApprover: false } },
      [{ kind: 'source', name: 'script:a' }],
    ],
  ])('gives the accounts of %s', (_, signal, expected) => {
    expect(accountsOf(signal)).toStrictEqual(expected);
  });
});

describe('admitSignal', () => {
  it('writes an approver’s message with the one request it always took', async () => {
    const requests: string[] = [];
    const seen = (name: 'put' | 'update' | 'transact') =>
      (async (...given: never[]) => {
        requests.push(name);
        return (dynamo.table[name] as (...all: never[]) => Promise<unknown>)(...given);
      }) as never;
    const { admit } = ingress({ put: seen('put'), update: seen('update'), transact: seen('transact') });
    const space = newSpace();
    expect(await admit(signalWith(space, 'tg-1-1', TEXT, '7', NOW))).toBe('accepted');
    expect(requests).toStrictEqual(['put']);
    expect(await admit(fromMember(space, 2))).toBe('accepted');
    expect(requests).toStrictEqual(['put', 'transact']);
  });

  it('counts a message once however often it is delivered, on its person and its conversation', async () => {
    const space = newSpace();
    const { admit } = ingress();
    const all = await Promise.all(Array.from({ length: 6 }, () => admit(fromMember(space, 1))));
    expect(all.filter((one) => one === 'accepted')).toHaveLength(1);
    expect(all.filter((one) => one === 'repeated')).toHaveLength(5);
    // The same message just before and just after midnight, by two clocks.
    expect(await admit(fromMember(space, 1, 13, '-7', TEXT, NOW + DAY_MS))).toBe('repeated');
    expect(await counted(space, person(), 'messages')).toBe(1);
    expect(await counted(space, conversation(), 'messages')).toBe(1);
    expect(await counted(space, person(), 'messages', NOW + DAY_MS)).toBe(0);
  });

  it('takes what fits of many at once, stores no other, and tells one of them', async () => {
    const space = newSpace();
    await fill(space, person(), 'messages', 3);
    const { admit, published } = ingress();
    const all = await Promise.all(Array.from({ length: 12 }, (_, n) => admit(fromMember(space, n))));
    expect(all.filter((one) => one === 'accepted')).toHaveLength(3);
    expect(all.filter((one) => typeof one === 'object')).toHaveLength(9);
    expect(await counted(space, person(), 'messages')).toBe(QUOTAS.person.messages);
    expect(await counted(space, conversation(), 'messages')).toBe(3);
    // Three messages, and the one refusal.
    expect(new Set(published.map(({ signalId }) => signalId)).size).toBe(4);
    expect((await dynamo.table.load([quotaKey(space, person(), NOW)]))[0]).toMatchObject({ refused: 9 });
  });

  it('bounds many persons by their conversation, one person by all conversations, and each day anew', async () => {
    const space = newSpace();
    const { admit } = ingress();
    await fill(space, conversation(), 'messages', 0);
    expect(await admit(fromMember(space, 1, 99))).toMatchObject({ kind: 'refused', account: conversation() });
    await fill(space, person(), 'messages', 0);
    expect(await admit(fromMember(space, 2, 13, '-8'))).toMatchObject({ kind: 'refused', account: person() });
    expect(await admit(fromMember(space, 3, 13, '-8', TEXT, NOW + DAY_MS))).toBe('accepted');
  });

  it('keeps room for STOP beside a flood of messages, and bounds it too', async () => {
    const space = newSpace();
    const { admit } = ingress();
    await fill(space, person(), 'messages', 0);
    expect(await admit(fromMember(space, 1, 13, '-7', { sensor: 'interrupt' }))).toBe('accepted');
    await fill(space, person(), 'stops', -1);
    expect(await admit(fromMember(space, 2, 13, '-7', { sensor: 'interrupt' }))).toMatchObject({ kind: 'refused' });
  });
});

describe('money and tokens of an account', () => {
  const caps = { ...DEFAULT_CAPS, day: 1_000, dayTokens: 10_000 };
  const step = fc.record({
    usd: fc.integer({ min: 0, max: 90 }),
    tokens: fc.integer({ min: 0, max: 900 }),
    isSpent: fc.boolean(),
    actual: fc.integer({ min: 0, max: 100 }),
  });

  it('stay under their share in any mix of calls at once, and what was not used comes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const space = newSpace();
        const accounts = [person(), conversation()];
        const open = { usd: 0, tokens: 0 };
        const table: Table = dynamo.table;
        await Promise.all(
          steps.map(async ({ usd, tokens, isSpent, actual }) => {
            const full = await takeSpending(table, space, accounts, { usd, tokens }, caps, NOW);
            if (full !== undefined) return;
            const used = { usd: Math.floor((usd * actual) / 100), tokens: Math.floor((tokens * actual) / 100) };
            const kept = isSpent ? used : { usd: 0, tokens: 0 };
            await returnSpending(table, space, accounts, { usd: usd - kept.usd, tokens: tokens - kept.tokens }, NOW);
            open.usd += kept.usd;
            open.tokens += kept.tokens;
          }),
        );
        for (const account of accounts) {
          expect(await counted(space, account, 'usd')).toBe(open.usd);
          expect(await counted(space, account, 'tokens')).toBe(open.tokens);
        }
        expect(open.usd).toBeLessThanOrEqual(limitOf(person(), 'usd', caps));
        expect(open.tokens).toBeLessThanOrEqual(limitOf(person(), 'tokens', caps));
      }),
      { numRuns: 30 },
    );
  });
});

describe('the home chat', () => {
  it('hears another source beside one that takes all it gets', async () => {
    const space = newSpace();
    const take = async (source: string, times: number) => {
      let taken = 0;
      for (let n = 0; n < times; n += 1)
        taken += (await takeHomeChatSlot(dynamo.table, { space, session: `webhook:${source}` }, NOW)) ? 1 : 0;
      return taken;
    };
    expect([await take('loud', 20), await take('quiet', 20)]).toStrictEqual([8, 4]);
  });
});

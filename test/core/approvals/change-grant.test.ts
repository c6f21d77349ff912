/**
 * A grant is made only from an approval, with bounds that a person sees; it is stored once, and
 * revoked for good.
 */
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../lib/core/approvals/approval.ts';
import type { Grant } from '../../../lib/core/approvals/grant.ts';
import { GrantWish } from '../../../lib/core/approvals/grant-wish.ts';
import {
  buildGrant,
  GRANTS_MAX,
  loadGrant,
  loadGrants,
  revokeGrant,
  saveGrant,
} from '../../../lib/core/approvals/grants.ts';
import { ConditionError } from '../../../lib/core/base/errors.ts';
import type { ToolEffects } from '../../../lib/core/signal/facts.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { eachSpace } from '../../support/each-space.ts';
import { reply, toolCall } from '../gates/samples.ts';
import { APPROVAL_ID, approvalWith, GRANT_ID, grantWith, HOUR, NOW } from './samples.ts';

const wish = { loosen: [], count: 10, hours: 24, coversTaint: false, anySession: false } as const;
const by = { id: 'tg-1-9', sender: { id: 'telegram:7', isApprover: true } };
const build = (approval: Approval, changes: Partial<Omit<GrantWish, 'from'>> = {}): Grant | string =>
  buildGrant(approval, {}, { ...wish, loosen: [], ...changes }, by, NOW);

describe('GrantWish', () => {
  it('is ten uses within a day, in this conversation, for nothing from outside, unless somebody says more', () => {
    expect(GrantWish.parse({ from: APPROVAL_ID })).toStrictEqual({ from: APPROVAL_ID, ...wish, loosen: [] });
  });

  it('takes what is said', () => {
    const said = {
      from: APPROVAL_ID,
      loosen: [
        { path: '/body/ref', kind: 'any' as const },
        { path: '/body/path', kind: 'prefix' as const, prefix: 'd' },
      ],
      count: 1,
      hours: 1,
      coversTaint: true,
      anySession: true,
    };
    expect(GrantWish.parse(said)).toStrictEqual(said);
  });

  const any = { path: '/a', kind: 'any' };
  it.each<readonly [string, object]>([
    ['no approval', { from: undefined }],
    ['an approval id that is too short', { from: 'a'.repeat(5) }],
    ['a long approval id', { from: 'a'.repeat(33) }],
    ['an approval id with more before it', { from: `x${APPROVAL_ID}` }],
    ['no use', { count: 0 }],
    ['too many uses', { count: 1_001 }],
    ['half a use', { count: 1.5 }],
    ['no hour', { hours: 0 }],
    ['too many hours', { hours: 721 }],
    ['too many loosened arguments', { loosen: Array(9).fill(any) }],
    ['a path that is too long', { loosen: [{ path: `/${'a'.repeat(256)}`, kind: 'any' }] }],
    ['a prefix at a path that is too long', { loosen: [{ path: `/${'a'.repeat(256)}`, kind: 'prefix', prefix: 'a' }] }],
    ['an empty prefix', { loosen: [{ path: '/a', kind: 'prefix', prefix: '' }] }],
    ['a prefix that is too long', { loosen: [{ path: '/a', kind: 'prefix', prefix: 'a'.repeat(257) }] }],
    ['a prefix that is none', { loosen: [{ path: '/a', kind: 'prefix' }] }],
    ['another kind of bound', { loosen: [{ path: '/a', kind: 'suffix', prefix: 'a' }] }],
    ['a bound with more in it', { loosen: [{ ...any, also: 1 }] }],
    ['a prefix with more in it', { loosen: [{ path: '/a', kind: 'prefix', prefix: 'a', also: 1 }] }],
    ['a word it does not know', { approved: true }],
    ['a word for a yes', { coversTaint: 'yes' }],
  ])('refuses %s', (_name, changes) => {
    expect(GrantWish.safeParse({ from: APPROVAL_ID, ...changes }).success).toBe(false);
  });

  it.each<readonly [string, object]>([
    ['the beginning of an id', { from: APPROVAL_ID.slice(0, 6) }],
    ['the most uses', { count: 1_000 }],
    ['a number as a text', { count: '3' }],
    ['arguments in words', { loosen: 'body.ref,body.path=docs/' }],
    ['the most hours', { hours: 720 }],
    ['the most loosened arguments', { loosen: Array(8).fill(any) }],
    ['the longest path', { loosen: [{ path: 'a'.repeat(256), kind: 'any' }] }],
    ['the longest prefix', { loosen: [{ path: 'a'.repeat(256), kind: 'prefix', prefix: 'a'.repeat(256) }] }],
  ])('takes %s', (_name, changes) => {
    expect(GrantWish.safeParse({ from: APPROVAL_ID, ...changes }).success).toBe(true);
  });
});

describe('buildGrant', () => {
  const { id: _id, ...bounds } = grantWith();

  it('is of the very action, in this conversation, for the gates that asked', () => {
    expect(build(approvalWith())).toStrictEqual({ id: expect.stringMatching(/^[0-9a-f]{12}$/), ...bounds });
  });

  it('is refused for a command that destroys: a person answers that each time', () => {
    const asks = [
      { gate: 'permissions', reason: 'x' },
      { gate: 'command-class', reason: 'y' },
    ];
    expect(build(approvalWith({ asks }))).toBe(
      'what destroys, leaves the machine or changes a file that programs run is asked about each time',
    );
  });

  it('is refused for a command that runs whatever files say by then', () => {
    const args = { cmd: 'npm test', unread: ['/w/package.json'] };
    expect(build(approvalWith({ action: { ...approvalWith().action, args } }))).toBe(
      'it runs whatever files say by then that nobody has read',
    );
  });

  it('has the same id when the same signal is delivered again, and another for another signal', () => {
    const idOf = (id: string) =>
      (buildGrant(approvalWith(), {}, { ...wish, loosen: [] }, { ...by, id }, NOW) as Grant).id;
    expect(idOf('tg-1-9')).toBe('105d71ab5c09');
    expect(idOf('tg-1-10')).not.toBe(idOf('tg-1-9'));
  });

  it('is as wide as a person said', () => {
    const { session: _session, ...anywhere } = bounds;
    const loosen = [{ path: '/body/title', kind: 'any' as const }];
    expect(
      build(approvalWith({ taintSource: 'webhook shop' }), {
        loosen,
        count: 2,
        hours: 3,
        coversTaint: true,
        anySession: true,
      }),
    ).toStrictEqual({
      id: expect.any(String),
      ...anywhere,
      loosened: loosen,
      taintSource: 'webhook shop',
      usesMax: 2,
      expiresAtMs: NOW + 3 * HOUR,
      unfinishedAt: NOW + 3 * HOUR,
    });
  });

  it('covers no outside text unless that was wished', () => {
    expect(build(approvalWith({ taintSource: 'webhook shop' }))).toStrictEqual({ id: expect.any(String), ...bounds });
  });

  it('holds only the fields the action has', () => {
    const { to: _to, url: _url, args: _args, ...rest } = bounds;
    expect(build(approvalWith({ action: toolCall({ args: { content: 'x' } }) }))).toStrictEqual({
      ...rest,
      id: expect.any(String),
      target: 'tool',
      tool: 'remember',
      args: { content: 'x' },
    });
    const { tool: _tool, ...text } = rest;
    expect(build(approvalWith({ action: reply({ to: '8' }) }))).toStrictEqual({
      ...text,
      id: expect.any(String),
      target: 'telegram',
      to: '8',
      text: 'The backup ran at four this morning.',
    });
  });

  it.each<readonly [string, Approval, Partial<GrantWish>, string]>([
    [
      'what code wrote',
      approvalWith({ action: reply({ author: 'code' }) }),
      {},
      'only what the model proposes can be granted',
    ],
    [
      'what a person commanded',
      approvalWith({ action: reply({ author: 'owner' }) }),
      {},
      'only what the model proposes can be granted',
    ],
    [
      'outside text nobody named',
      approvalWith(),
      { coversTaint: true },
      'nothing outside was named when it was asked for, so the grant cannot cover outside text',
    ],
    [
      'an argument that is not there',
      approvalWith(),
      {
        loosen: [
          { path: '/body/title', kind: 'any' },
          { path: '/body/no', kind: 'any' },
        ],
      },
      'an argument that was to be loosened is not there',
    ],
    [
      'a beginning of an address that ends within its host',
      approvalWith(),
      { loosen: [{ path: '/body/title', kind: 'prefix', prefix: 'https://docs.example.com' }] },
      'a beginning of an address must go past its host, as https://example.com/ does',
    ],
    [
      'a beginning that any address has',
      approvalWith(),
      { loosen: [{ path: '/body/title', kind: 'prefix', prefix: 'https:/' }] },
      'a beginning of an address must go past its host, as https://example.com/ does',
    ],
    ['what nobody asked', approvalWith({ asks: [] }), {}, 'it is not known what was asked'],
    ['what older releases stored', approvalWith({ asks: undefined }), {}, 'it is not known what was asked'],
  ])('is not made from %s', (_name, approval, changes, problem) => {
    expect(build(approval, changes)).toBe(problem);
  });
});

describe('buildGrant for a tool that changes files, runs programs or changes rights', () => {
  it.each<ToolEffects>([
    { writesFiles: ['path'] },
    { readsFiles: ['path'], writesFiles: ['path'] },
    { runsCommand: 'cmd' },
    { runsCode: true },
    { destroys: true },
    { changesAuthority: true },
  ])('leaves no argument open: %j', (effects) => {
    const action = toolCall({ tool: 'made-for-this', args: { path: '/w/a', content: 'x', find: 'a', replace: 'b' } });
    const build = (loosen: GrantWish['loosen']) =>
      buildGrant(approvalWith({ action }), effects, { ...wish, loosen }, by, NOW);
    for (const path of ['/path', '/content', '/find', '/replace'])
      for (const rule of [
        { path, kind: 'any' },
        { path, kind: 'prefix', prefix: '/w/' },
        { path, kind: 'words', template: '{{x}}' },
      ] as const)
        expect(build([rule])).toBe(
          'no argument can be left open for a tool that changes files, runs programs or changes rights',
        );
    expect(build([])).toMatchObject({ loosened: [], args: action.args });
  });
});

describe('grants in the table', () => {
  let table: Table;
  let space = '';
  eachSpace('grants', (here) => {
    ({ table, space } = here);
  });
  const grantHere = (changes: Partial<Grant> = {}): Grant =>
    grantWith({ space, unfinishedSpace: `unfinished#${space}#grants`, ...changes });
  const saveMany = async (count: number, changes: Partial<Grant> = {}): Promise<void> => {
    for (let n = 0; n < count; n += 1)
      await saveGrant(table, grantHere({ id: n.toString(16).padStart(12, '0'), ...changes }), NOW - 10 * HOUR);
  };
  const full = `there are ${GRANTS_MAX} grants already: revoke some first`;

  it('are stored once: a second write changes nothing and is no error', async () => {
    expect(await saveGrant(table, grantHere(), NOW)).toBe('');
    expect(await saveGrant(table, grantHere({ usesMax: 99 }), NOW)).toBe('');
    expect(await loadGrants(table, space)).toStrictEqual([grantHere()]);
  });

  it('are bounded in number; the same one again is not one more', async () => {
    await saveMany(GRANTS_MAX);
    expect(await saveGrant(table, grantHere(), NOW)).toBe(full);
    expect(await saveGrant(table, grantHere({ id: '000000000000' }), NOW)).toBe('');
    expect(await loadGrant(table, space, GRANT_ID)).toBeUndefined();
  });

  it('do not count where they are of no use any more', async () => {
    await saveMany(GRANTS_MAX, { expiresAtMs: NOW });
    expect(await saveGrant(table, grantHere(), NOW)).toBe('');
  });

  it('pass on what the store throws', async () => {
    const put = async (): Promise<never> => {
      throw new Error('the store is down');
    };
    await expect(saveGrant({ ...table, put }, grantHere(), NOW)).rejects.toThrow('the store is down');
    await saveGrant(table, grantHere(), NOW);
    await expect(revokeGrant({ ...table, update: put }, space, GRANT_ID, 'telegram:7')).rejects.toThrow(
      'the store is down',
    );
  });

  it('are revoked for good, and leave the list', async () => {
    await saveGrant(table, grantHere(), NOW);
    expect(await revokeGrant(table, space, GRANT_ID, 'telegram:7')).toBe(true);
    const { unfinishedSpace: _space, unfinishedAt: _at, ...revoked } = grantHere();
    const expected = { ...revoked, state: 'revoked', revokedBy: 'telegram:7' };
    expect(await loadGrant(table, space, GRANT_ID)).toStrictEqual(expected);
    expect(await loadGrants(table, space)).toStrictEqual([]);
    const update = async (): Promise<never> => {
      throw new Error('nothing is left to write');
    };
    expect(await revokeGrant({ ...table, update }, space, GRANT_ID, 'telegram:8')).toBe(true);
    expect(await loadGrant(table, space, GRANT_ID)).toStrictEqual(expected);
  });

  it('can be revoked by two at once', async () => {
    await saveGrant(table, grantHere(), NOW);
    const update = async (): Promise<never> => {
      throw new ConditionError('grant is live', { state: 'revoked' });
    };
    expect(await revokeGrant({ ...table, update }, space, GRANT_ID, 'telegram:7')).toBe(true);
  });

  it('are not revoked twice: who was first stays named', async () => {
    await saveGrant(table, grantHere(), NOW);
    const [item] = await table.load([{ pk: `grant#${space}#${GRANT_ID}`, sk: 'record' }]);
    await revokeGrant(table, space, GRANT_ID, 'telegram:7');
    const load = async () => [item];
    const update: Table['update'] = (key, change, condition) => {
      expect(condition?.name).toBe('grant is live');
      return table.update(key, change, condition);
    };
    expect(await revokeGrant({ ...table, load, update }, space, GRANT_ID, 'telegram:8')).toBe(true);
    expect((await loadGrant(table, space, GRANT_ID))?.revokedBy).toBe('telegram:7');
  });

  it.each(['a1b2c3d4e5f7', '', `${GRANT_ID}0`, `x${GRANT_ID}`, 'A1B2C3D4E5F6', '../../../etc'])(
    'cannot be revoked by the id %j, which is of none',
    async (id) => {
      await saveGrant(table, grantHere(), NOW);
      const loaded: unknown[] = [];
      const load: Table['load'] = (keys, options) => {
        loaded.push(...keys);
        return table.load(keys, options);
      };
      expect(await revokeGrant({ ...table, load }, space, id, 'telegram:7')).toBe(false);
      expect(loaded).toHaveLength(id === 'a1b2c3d4e5f7' ? 1 : 0);
    },
  );
});

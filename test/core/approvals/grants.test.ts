/** Finds the grant for an action, and gives the gates its facts. */

import { describe, expect, it } from 'vitest';
import { buildGrantFacts, findGrant } from '../../../lib/core/approvals/find-grant.ts';
import type { Grant } from '../../../lib/core/approvals/grant.ts';
import {
  countGrant,
  GRANTS_READ_MAX,
  grantsInForce,
  learnedGrantsInForce,
  loadGrant,
  loadGrants,
  parseGrant,
  saveGrant,
  sweepGrants,
} from '../../../lib/core/approvals/grants.ts';
import { ownerSettingsKey } from '../../../lib/core/ledger/owner-settings.ts';
import { actionHash } from '../../../lib/core/signal/action.ts';
import type { Effect } from '../../../lib/core/signal/decision.ts';
import { grantKey } from '../../../lib/core/store/keys.ts';
import type { Item, Table } from '../../../lib/core/store/table.ts';
import { eachSpace } from '../../support/each-space.ts';
import { POLICY_VERSION, webhookCall } from '../gates/samples.ts';
import { GRANT_ID, grantWith, HOUR, NOW, ownerText, signalWith } from './samples.ts';

const shop = signalWith({ sensor: 'webhook', source: 'shop', event: 'order', body: {}, text: [] });

describe('parseGrant', () => {
  it.each(['live', 'revoked'] as const)('gives what was stored: %s', (state) => {
    const grant = grantWith({
      state,
      text: 'a',
      taintSource: 'webhook shop',
      revokedBy: 'x',
      loosened: [
        { path: '/body', kind: 'any' },
        { path: '/body', kind: 'prefix', prefix: 'x' },
      ],
    });
    expect(parseGrant({ pk: 'p', sk: 's', ...grant })).toStrictEqual(grant);
  });

  it.each<readonly [string, Item]>([
    ['another state', { state: 'used' }],
    ['no count', { uses: undefined }],
    ['another kind of bound', { loosened: [{ path: '/a', kind: 'some' }] }],
    ['too many bounds', { loosened: Array(9).fill({ path: '/a', kind: 'any' }) }],
    ['another version', { schemaVersion: 2 }],
  ])('refuses one with %s, by its key', (_name, changes) => {
    expect(() => parseGrant({ pk: 'grant#x', ...grantWith(), ...changes })).toThrow(
      /^stored item .*grant grant#x|grant#x/,
    );
  });
});

describe('buildGrantFacts', () => {
  const action = webhookCall();
  const facts = {
    id: GRANT_ID,
    actionHash: actionHash(action),
    policyVersion: POLICY_VERSION,
    space: 'default',
    state: 'live',
    expiresAt: NOW + 24 * HOUR,
    gates: ['permissions', 'provenance'],
    coversTaint: false,
  };

  it.each<readonly [string, Partial<Grant>, boolean, object]>([
    ['one with uses left', { uses: 9 }, false, {}],
    ['one that is used up', { uses: 10 }, false, { state: 'used-up' }],
    ['one that is revoked', { state: 'revoked' }, false, { state: 'revoked' }],
    ['one that was spent here, whatever it is now', { state: 'revoked', uses: 10 }, true, { state: 'spent-here' }],
    ['one of another conversation', { session: 'telegram:8' }, false, { actionHash: '' }],
    ['one for outside text of this source', { taintSource: 'webhook shop' }, false, { coversTaint: true }],
    ['one without a source', {}, false, { coversTaint: false }],
    ['one for outside text of another source', { taintSource: 'webhook bank' }, false, { coversTaint: false }],
  ])('tells of %s', (_name, changes, isSpentHere, expected) => {
    expect(buildGrantFacts({ grant: grantWith(changes), isSpentHere }, shop, {}, action)).toStrictEqual({
      ...facts,
      ...expected,
    });
  });
});

describe('findGrant', () => {
  let table: Table;
  let space = '';
  eachSpace('found', (here) => {
    ({ table, space } = here);
  });
  const save = async (changes: Partial<Grant> = {}): Promise<Grant> => {
    const grant = grantWith({ space, unfinishedSpace: `unfinished#${space}#grants`, ...changes });
    await saveGrant(table, grant, NOW);
    return grant;
  };
  const effectWith = (changes: Partial<Effect>): Effect => ({
    schemaVersion: 1,
    n: 0,
    actuator: 'webhook',
    state: 'claimed',
    actionHash: '',
    trace: [],
    facts: [],
    tries: 0,
    ...changes,
  });
  const find = (effect?: Effect) => findGrant(table, { ...ownerText(), space }, webhookCall(), effect, NOW);

  it('finds none where there is none', async () => {
    expect(await find()).toBeUndefined();
  });

  it('finds the one that lasts longest', async () => {
    await save({ id: '000000000001', unfinishedAt: NOW + 1 });
    const longest = await save({ id: '000000000002', unfinishedAt: NOW + 3 });
    await save({ id: '000000000003', unfinishedAt: NOW + 2 });
    expect(await find()).toStrictEqual({ grant: longest, isSpentHere: false });
  });

  it('passes over those that are used up, out of time, or of other bounds', async () => {
    await save({ id: '000000000001', uses: 10, unfinishedAt: NOW + 9 });
    await save({ id: '000000000002', expiresAtMs: NOW, unfinishedAt: NOW + 8 });
    await save({ id: '000000000003', to: 'elsewhere', unfinishedAt: NOW + 7 });
    await save({ id: '000000000004', session: 'telegram:8', unfinishedAt: NOW + 6 });
    expect(await find()).toBeUndefined();
    const fits = await save({ id: '000000000005', unfinishedAt: NOW + 5 });
    expect(await find()).toStrictEqual({ grant: fits, isSpentHere: false });
  });

  it('keeps the grant an effect was spent on, whatever else there is', async () => {
    const spent = await save({ uses: 10 });
    await save({ id: '000000000002' });
    expect(await find(effectWith({ grantId: GRANT_ID }))).toStrictEqual({ grant: spent, isSpentHere: true });
    expect(await find(effectWith({ grantId: GRANT_ID, state: 'suspended' }))).toStrictEqual({
      grant: spent,
      isSpentHere: false,
    });
  });

  it('gives an effect without a grant none, nor one whose grant is gone', async () => {
    await save();
    expect(await find(effectWith({}))).toBeUndefined();
    const load = async (): Promise<never> => {
      throw new Error('there is nothing to look for');
    };
    const { queryIndex } = table;
    expect(
      await findGrant({ queryIndex, load }, { ...ownerText(), space }, webhookCall(), effectWith({}), NOW),
    ).toBeUndefined();
    expect(await find(effectWith({ grantId: 'ffffffffffff' }))).toBeUndefined();
  });

  it('takes the record for true where the index still names what is gone', async () => {
    await save();
    const load: Table['load'] = async () => [undefined];
    expect(await loadGrants({ ...table, load }, space)).toStrictEqual([]);
  });

  it('reads a bounded page, and the records as they are now', async () => {
    const grant = await save();
    const asked: unknown[] = [];
    const seen: Pick<Table, 'load' | 'queryIndex'> = {
      queryIndex: (query) => {
        asked.push(query);
        return table.queryIndex(query);
      },
      load: (keys, options) => {
        asked.push(keys, options);
        return table.load(keys, options);
      },
    };
    expect(await loadGrants(seen, space)).toStrictEqual([grant]);
    await findGrant(seen, { ...ownerText(), space }, webhookCall(), effectWith({ grantId: GRANT_ID }), NOW);
    expect(asked).toStrictEqual([
      { index: 'unfinished', partition: `unfinished#${space}#grants`, limit: GRANTS_READ_MAX, isDescending: true },
      [grantKey(space, GRANT_ID)],
      { isConsistent: true },
      [grantKey(space, GRANT_ID)],
      { isConsistent: true },
    ]);
  });
});

/** Grants of no more use leave the list; old rules do not revive them. */
const inForce = async (): Promise<string> => POLICY_VERSION;

describe('sweepGrants', () => {
  let table: Table;
  let space = '';
  eachSpace('swept', (here) => {
    ({ table, space } = here);
  });
  const save = async (changes: Partial<Grant> = {}): Promise<Grant> => {
    const grant = grantWith({ space, unfinishedSpace: `unfinished#${space}#grants`, ...changes });
    await table.put(grantKey(space, grant.id), { ...grant });
    return grant;
  };
  const unlisted = ({ unfinishedSpace: _space, unfinishedAt: _at, ...grant }: Grant) => grant;

  it('asks for the rules only where there are grants', async () => {
    const never = async (): Promise<never> => {
      throw new Error('asked');
    };
    await expect(sweepGrants(table, space, never, NOW)).resolves.toBeUndefined();
    await save();
    await expect(sweepGrants(table, space, never, NOW)).rejects.toThrow('asked');
  });

  it('leaves those that are in force', async () => {
    const grant = await save();
    await sweepGrants(table, space, inForce, NOW);
    expect(await loadGrants(table, space)).toStrictEqual([grant]);
  });

  it.each<readonly [string, Partial<Grant>]>([
    ['used up', { uses: 10 }],
    ['out of time', { expiresAtMs: NOW }],
    ['revoked', { state: 'revoked', revokedBy: 'telegram:7' }],
    ['revoked under other rules', { state: 'revoked', revokedBy: 'telegram:7', policyVersion: 'b'.repeat(64) }],
  ])('takes one that is %s out of the list, and changes nothing else', async (_name, changes) => {
    const grant = await save(changes);
    await sweepGrants(table, space, inForce, NOW);
    expect(await loadGrants(table, space)).toStrictEqual([]);
    expect(await loadGrant(table, space, GRANT_ID)).toStrictEqual(unlisted(grant));
  });

  it('no longer counts those that ended, learned or not', async () => {
    const counted = [
      { id: '000000000001', uses: 10, isLearned: false },
      { id: '000000000002', uses: 10, isLearned: true },
      { id: '000000000003', uses: 0, isLearned: true },
    ];
    for (const { isLearned, ...grant } of counted) await countGrant(table, await save(grant), isLearned);
    await sweepGrants(table, space, inForce, NOW);
    const [item] = await table.load([ownerSettingsKey(space)]);
    expect({ counted: grantsInForce(item, NOW), learned: learnedGrantsInForce(item, NOW) }).toStrictEqual({
      counted: 1,
      learned: ['000000000003'],
    });
  });

  it('revokes one given under other rules', async () => {
    const grant = await save({ policyVersion: 'b'.repeat(64) });
    await sweepGrants(table, space, inForce, NOW);
    const expected = { ...unlisted(grant), state: 'revoked', revokedBy: 'policy' };
    expect(await loadGrant(table, space, GRANT_ID)).toStrictEqual(expected);
  });

  it('goes on where somebody else was faster', async () => {
    await save({ id: '000000000001', uses: 10, unfinishedAt: NOW + 2 });
    await save({ id: '000000000002', uses: 10, unfinishedAt: NOW + 1 });
    const load: Table['load'] = async (keys, options) => {
      const items = await table.load(keys, options);
      await table.update(grantKey(space, '000000000001'), { set: { state: 'revoked', revokedBy: 'telegram:7' } });
      return items;
    };
    await sweepGrants({ ...table, load }, space, inForce, NOW);
    expect((await loadGrants(table, space)).map(({ id }) => id)).toStrictEqual(['000000000001']);
  });

  it('names the state it relies on, and passes on what the store throws', async () => {
    await save({ uses: 10 });
    const update: Table['update'] = async (_key, _change, condition) => {
      throw new Error(condition?.name);
    };
    await expect(sweepGrants({ ...table, update }, space, inForce, NOW)).rejects.toThrow('grant is live');
  });
});

/** Grants of no more use leave the list; old rules do not revive them. */
import { describe, expect, it } from 'vitest';
import type { Grant } from '../../lib/approvals/grant.ts';
import { loadGrant, loadGrants, sweepGrants } from '../../lib/approvals/grants.ts';
import { grantKey } from '../../lib/store/keys.ts';
import type { Table } from '../../lib/store/table.ts';
import { POLICY_VERSION } from '../gates/samples.ts';
import { eachSpace } from '../support/each-space.ts';
import { GRANT_ID, grantWith, NOW } from './samples.ts';

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

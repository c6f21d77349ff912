import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOf } from '../../../lib/core/base/canonical.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { GateSetContent, gateSetContent } from '../../../lib/core/gates/engine/gate-set-content.ts';
import { verify } from '../../../lib/core/gates/engine/verify.ts';
import { type OwnerSettings, ownerSettingsKey } from '../../../lib/core/ledger/owner-settings.ts';
import { buildGateSets } from '../../../lib/core/stages/gate-sets.ts';
import { gateSetKeys, skillKeys } from '../../../lib/core/store/keys.ts';
import { sha256Of } from '../../../lib/features/skills/skill-files.ts';
import { putSkill, removeSkill } from '../../../lib/features/skills/skill-store.ts';
import { factsFor, notice, reply } from '../../core/gates/samples.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { definitionOf, skillText } from './skill-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const BLOCKING = 'function gate() { return { verdict: "block", reason: "never" }; }';
const PASSING = 'function gate() { return { verdict: "pass" }; }';

const addSkill = (space: string, name: string, gates: Readonly<Record<string, string>>) =>
  putSkill(
    dynamo.table,
    { space, by: 'telegram:7', now: 5, signalId: `tg-1-${name}` },
    {
      definition: definitionOf(name, { gates: Object.keys(gates).map((gate) => ({ name: gate, file: `${gate}.js` })) }),
      files: [skillText(name), ...Object.entries(gates).map(([gate, text]) => ({ path: `${gate}.js`, text }))],
      trust: 'outside',
    },
  );

const switchOff = (space: string, name: string) => {
  const fields: OwnerSettings['fields'] = { [`skill.${name}.is`]: { value: 'off', by: 'telegram:7', at: 1 } };
  const settings = { schemaVersion: 1, round: 1, fields: JSON.stringify(fields) };
  return dynamo.table.put(ownerSettingsKey(space), settings);
};

const namesOf = ({ gates }: { gates: readonly { name: string }[] }) =>
  gates.map(({ name }) => name).filter((name) => name.startsWith('skill'));

describe('buildGateSets', () => {
  it('gives the fixed set, and stores nothing, without gates of skills', async () => {
    const space = 'fixed';
    const sets = buildGateSets(dynamo.table, space);
    expect(await sets.load()).toBe(GATE_SET);
    await addSkill(space, 'plain', {});
    expect(await sets.load()).toBe(GATE_SET);
    expect((await dynamo.table.query({ pk: gateSetKeys.partition(space) })).items).toStrictEqual([]);
  });

  it('adds the gates of skills that are switched on, and stores each set before it judges', async () => {
    const space = 'added';
    const sets = buildGateSets(dynamo.table, space);
    await addSkill(space, 'zeta', { limit: BLOCKING });
    await addSkill(space, 'alpha', { one: PASSING, two: PASSING });
    const gateSet = await sets.load();
    expect(namesOf(gateSet)).toStrictEqual(['skill-alpha-one', 'skill-alpha-two', 'skill-zeta-limit']);
    expect(gateSet.gates.at(-1)).toMatchObject({ priority: 5, version: 1, code: sha256Of(BLOCKING) });
    expect(gateSet.version).toBe(hashOf('gate-set', gateSetContent(gateSet)));
    const [stored] = await dynamo.table.load([gateSetKeys.content(space, gateSet.version)]);
    expect(GateSetContent.parse(stored?.content)).toStrictEqual(gateSetContent(gateSet));
    expect(await sets.load()).toBe(gateSet);
    expect(await buildGateSets(dynamo.table, space).load()).toMatchObject({ version: gateSet.version });
    await switchOff(space, 'zeta');
    const without = await sets.load();
    expect(namesOf(without)).toStrictEqual(['skill-alpha-one', 'skill-alpha-two']);
    expect(without.version).not.toBe(gateSet.version);
    await removeSkill(dynamo.table, { space, by: 'telegram:7', now: 6, signalId: 'tg-1-r' }, 'alpha');
    expect(await sets.load()).toBe(GATE_SET);
  });

  it('changes the version with the code, whatever else stays', async () => {
    const space = 'changed';
    const sets = buildGateSets(dynamo.table, space);
    await addSkill(space, 'zeta', { limit: PASSING });
    const before = await sets.load();
    await addSkill(space, 'zeta', { limit: `${PASSING}\n` });
    expect((await sets.load()).version).not.toBe(before.version);
  });

  it('names no two gates alike', async () => {
    const space = 'alike';
    await addSkill(space, 'a', { 'b-c': PASSING });
    await addSkill(space, 'a-b', { c: PASSING });
    const gateSet = await buildGateSets(dynamo.table, space).load();
    expect(gateSet.problem).toBe('');
    expect(namesOf(gateSet)).toStrictEqual(['skill-a-b-c', 'skill-a-b-c-2']);
  });

  it.each<[string, (space: string) => Promise<void>, RegExp]>([
    [
      'the record of skills cannot be read',
      (space) => dynamo.table.put(skillKeys.active(space), { schemaVersion: 2 }),
      /skills in force cannot be read/,
    ],
    [
      'the code of a gate is gone',
      (space) => dynamo.table.put(skillKeys.file(space, sha256Of(PASSING)), { schemaVersion: 1 }),
      /code of the skill zeta-limit gate cannot be read/,
    ],
    [
      'the code of a gate was changed in the table',
      (space) => dynamo.table.put(skillKeys.file(space, sha256Of(PASSING)), { schemaVersion: 1, text: `${PASSING} ` }),
      /code of the skill zeta-limit gate cannot be read/,
    ],
  ])('blocks every proposal, but no notice, if %s (I3)', async (what, break_, reason) => {
    const space = what.replaceAll(' ', '-').slice(0, 32);
    await addSkill(space, 'zeta', { limit: PASSING });
    const sets = buildGateSets(dynamo.table, space);
    await break_(space);
    const gateSet = await sets.load();
    const action = reply();
    expect(verify(gateSet, action, factsFor(action))).toMatchObject({
      outcome: 'block',
      reason: expect.stringMatching(reason),
    });
    const told = notice();
    expect(verify(gateSet, told, factsFor(told)).outcome).toBe('pass');
    await dynamo.table.put(skillKeys.file(space, sha256Of(PASSING)), { schemaVersion: 1, text: PASSING });
    if (!what.includes('record')) expect(verify(await sets.load(), action, factsFor(action)).outcome).toBe('pass');
  });

  it('counts every skill as switched on if the settings cannot be read (I3)', async () => {
    const space = 'unset';
    await addSkill(space, 'zeta', { limit: BLOCKING });
    await dynamo.table.put(ownerSettingsKey(space), { schemaVersion: 2, round: 1 });
    expect(namesOf(await buildGateSets(dynamo.table, space).load())).toStrictEqual(['skill-zeta-limit']);
  });
});

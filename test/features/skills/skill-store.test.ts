import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProtocolError, StoredItemError } from '../../../lib/core/base/errors.ts';
import { skillKeys } from '../../../lib/core/store/keys.ts';
import { parseStored } from '../../../lib/core/store/parse-stored.ts';
import { SkillChange } from '../../../lib/features/skills/skill-change.ts';
import { describeFile, SKILL_FILE, sha256Of, versionOf } from '../../../lib/features/skills/skill-files.ts';
import {
  ADDED_SKILLS_MAX,
  loadActiveSkills,
  loadSkillFile,
  putSkill,
  removeSkill,
} from '../../../lib/features/skills/skill-store.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { definitionOf, skillText } from './skill-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const source = (space: string, signalId = 'tg-1-1') => ({ space, by: 'telegram:7', now: 5, signalId });
const one = (name: string, body?: string) => ({
  definition: definitionOf(name),
  files: [skillText(name, body), { path: 'copy.md', text: skillText(name, body).text }],
  trust: 'outside' as const,
});

describe('putSkill', () => {
  it('stores version, files, the record in force and the change, and a repeat changes nothing', async () => {
    const space = 'put';
    const { skill, isSame } = await putSkill(dynamo.table, source(space), one('tidy'));
    const file = describeFile(skillText('tidy'));
    const hash = versionOf([file, { ...file, path: 'copy.md' }]);
    expect({ isSame, hash: skill.hash, files: skill.files }).toStrictEqual({
      isSame: false,
      hash,
      files: { [SKILL_FILE]: file.sha256 },
    });
    expect(await putSkill(dynamo.table, source(space, 'tg-1-2'), one('tidy'))).toMatchObject({ isSame: true });
    expect(await loadActiveSkills(dynamo.table, space)).toMatchObject({ round: 1, skills: [skill] });
    expect(await loadSkillFile(dynamo.table, space, file.sha256)).toBe(skillText('tidy').text);
    const [change] = (await dynamo.table.query({ pk: 'signal#put#tg-1-1' })).items;
    const { pk: _pk, sk, ...record } = change ?? {};
    expect(sk).toBe(`skill#tidy#${hash}`);
    expect(parseStored(record, SkillChange, 'change')).toStrictEqual({
      schemaVersion: 1,
      name: 'tidy',
      hash,
      files: [file, { ...file, path: 'copy.md' }],
      trust: 'outside',
      by: 'telegram:7',
      at: 5,
      signalId: 'tg-1-1',
    });
    expect((await dynamo.table.query({ pk: 'signal#put#tg-1-2' })).items).toStrictEqual([]);
  });

  it('replaces a version, keeps the old one, and takes a skill away', async () => {
    const space = 'replace';
    const first = await putSkill(dynamo.table, source(space), one('tidy'));
    await putSkill(dynamo.table, source(space, 'tg-1-2'), one('tidy', 'Better.'));
    const [old] = await dynamo.table.load([skillKeys.version(space, 'tidy', first.skill.hash)]);
    expect(old).toBeDefined();
    expect(await removeSkill(dynamo.table, source(space, 'tg-1-3'), 'tidy')).toBe(true);
    expect(await removeSkill(dynamo.table, source(space, 'tg-1-4'), 'tidy')).toBe(false);
    expect((await loadActiveSkills(dynamo.table, space)).skills).toStrictEqual([]);
    const { items } = await dynamo.table.query({ pk: 'signal#replace#tg-1-3' });
    expect(items.at(-1)).toMatchObject({ name: 'tidy', hash: 'removed', files: [] });
  });

  it('holds when many change at once, and up to its bound', async () => {
    const space = 'many';
    await Promise.all(['a', 'b', 'c'].map((name) => putSkill(dynamo.table, source(space, `tg-${name}`), one(name))));
    const names = Array.from({ length: ADDED_SKILLS_MAX - 3 }, (_, n) => `s${n}`);
    for (const name of names) await putSkill(dynamo.table, source(space, name), one(name));
    expect(await loadActiveSkills(dynamo.table, space)).toMatchObject({ round: ADDED_SKILLS_MAX });
    await expect(putSkill(dynamo.table, source(space), one('more'))).rejects.toThrow(ProtocolError);
  });
});

describe('loadSkillFile', () => {
  it('gives no text that is not what its hash says, and no record of another form is taken', async () => {
    const space = 'wrong';
    const sha256 = sha256Of('a');
    await dynamo.table.put(skillKeys.file(space, sha256), { schemaVersion: 1, text: 'b' });
    expect(await loadSkillFile(dynamo.table, space, sha256)).toBeUndefined();
    await dynamo.table.put(skillKeys.active(space), { schemaVersion: 2, round: 1 });
    await expect(loadActiveSkills(dynamo.table, space)).rejects.toThrow(StoredItemError);
  });
});

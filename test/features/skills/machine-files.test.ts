/** Files of added skills that only a machine reads: kept and bounded, and gone with it. */

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SKILL_FOLDER } from '../../../lib/core/signal/runner-tools.ts';
import { buildContents } from '../../../lib/core/store/contents.ts';
import { type AddedSkills, buildAddedSkills } from '../../../lib/features/skills/added-skills.ts';
import { loadFormer } from '../../../lib/features/skills/load-former.ts';
import {
  MACHINE_FILE_BYTES_MAX,
  MACHINE_FILES_BYTES_MAX,
  type VersionFile,
} from '../../../lib/features/skills/skill-change.ts';
import {
  describeFile,
  EXTENSION_FILE,
  fileProblems,
  SKILL_FILE,
  versionOf,
} from '../../../lib/features/skills/skill-files.ts';
import { ADDED_SKILLS_MAX, loadVersion, readWholeSkill } from '../../../lib/features/skills/skill-store.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { skillText } from './skill-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'machine-files-'));
let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await dynamo?.stop();
});

const text = skillText('tidy');
let signals = 0;

const openSpace = (space: string) => {
  const contents = buildContents({ SPACE: space, CONTENT_DIR: folder });
  const skills = buildAddedSkills(dynamo.table, space, undefined, contents);
  const source = () => {
    signals += 1;
    return { by: 'telegram:7', now: 5, zone: 'UTC', signalId: `tg-1-${signals}`, effectId: `tg-1-${signals}#0` };
  };
  const upload = async (path: string, bytes: Uint8Array): Promise<VersionFile> => ({
    ...{ path, bytes: bytes.length, isForMachine: true },
    sha256: await skills.keep({ base64: Buffer.from(bytes).toString('base64') }, 5),
  });
  const add = (...machineFiles: readonly VersionFile[]) =>
    skills.add({ files: [text, ...machineFiles], trust: 'owner' }, source());
  const kept = () => readdirSync(join(folder, `${space}.skills`)).toSorted();
  return { space, contents, skills, source, upload, add, kept };
};

const [png, ttf] = [new Uint8Array([0x89, 0xff]), new Uint8Array([0, 1, 0, 0, 0xff])];

describe('a file for a machine', () => {
  it('is a part of the version, and is read by nobody', async () => {
    const { space, skills, upload, add, kept } = openSpace('added');
    const [logo, font] = [await upload('logo.png', png), await upload('a/b.ttf', ttf)];
    expect((await add(logo, font))[0]).toMatch(/^tidy .* is in force: trust owner, 3 files, \d+ bytes\.$/);
    const version = versionOf([describeFile(text), logo, font]);
    expect(await loadVersion(dynamo.table, space, 'tidy', version)).toStrictEqual([describeFile(text), logo, font]);
    const { skill, files, machineFiles } = await readWholeSkill(dynamo.table, space, 'tidy');
    expect([skill.hash, files, machineFiles.map(({ path }) => path)]).toStrictEqual([
      version,
      [text],
      ['logo.png', 'a/b.ttf'],
    ]);
    const said = (await skills.read('tidy', 'a/b.ttf')).text;
    expect(said).toContain(`a/b.ttf is a file for a machine: 5 bytes, SHA-256 ${font.sha256}`);
    expect(said).toContain(`skill: "tidy" finds it as ${SKILL_FOLDER}/a/b.ttf`);
    expect(kept()).toStrictEqual([logo.sha256, font.sha256].toSorted());
    expect((await add(logo, font))[0]).toContain('is in force as before');
  });

  it('comes in pieces, and no larger than a machine takes', async () => {
    const { contents, skills } = openSpace('pieces');
    const keep = (bytes: Uint8Array, after?: string) =>
      skills.keep({ base64: Buffer.from(bytes).toString('base64'), after }, 5);
    const first = await keep(png);
    const whole = await keep(ttf, first);
    expect(await contents?.load(whole)).toStrictEqual(new Uint8Array([...png, ...ttf]));
    await expect(keep(ttf, '0'.repeat(64))).rejects.toThrow('the piece before was not uploaded, or is gone');
    const largest = await keep(new Uint8Array(MACHINE_FILE_BYTES_MAX));
    await expect(keep(new Uint8Array(1), largest)).rejects.toThrow(
      `a file for a machine has at most ${MACHINE_FILE_BYTES_MAX} bytes`,
    );
  });

  it('stays through a change of a text, goes with a version that has it no more, and comes back with undo', async () => {
    const { space, contents, skills, source, upload, add, kept } = openSpace('changed');
    const [logo, font] = [await upload('logo.png', png), await upload('b.ttf', ttf)];
    await add(logo, font);
    const { hash: before } = (await skills.readAll('tidy')).skill;
    const edit = { skill: 'tidy', file: SKILL_FILE, replace: 'Do it well.', with: 'Do it.' };
    const after = versionOf([describeFile(skillText('tidy', 'Do it.')), logo, font]);
    await skills.edit({ ...edit, before, after }, source());
    expect(kept()).toHaveLength(2);
    expect((await skills.readAll('tidy')).machineFiles.map(({ path }) => path)).toStrictEqual(['logo.png', 'b.ttf']);
    await add(logo);
    expect(kept()).toStrictEqual([logo.sha256]);
    // Another skill has the same bytes: they stay when the first one goes.
    const other = { files: [skillText('other'), { ...logo, path: 'same.png' }], trust: 'owner' as const };
    await skills.add(other, source());
    await skills.remove('tidy', source());
    expect(kept()).toStrictEqual([logo.sha256]);
    await skills.remove('other', source());
    expect(kept()).toStrictEqual([]);
    const former = await loadFormer(dynamo.table, space, `tg-1-${signals}`, 'other');
    expect(former?.files).toStrictEqual(other.files);
    await skills.add({ files: former?.files ?? [], trust: 'owner' }, source());
    expect(kept()).toStrictEqual([logo.sha256]);
    await skills.remove('other', source());
    await contents?.erase(logo.sha256);
    await expect(skills.add({ files: former?.files ?? [], trust: 'owner' }, source())).rejects.toThrow(
      'the bytes of same.png were not uploaded, or are gone: add the skill from its folder',
    );
  });

  it.each<[string, (at: ReturnType<typeof openSpace>) => Promise<unknown>, string]>([
    ['nobody uploaded', ({ add }) => add({ ...NAMED, sha256: '0'.repeat(64) }), 'were not uploaded'],
    [
      'another size than was uploaded',
      async ({ add, upload }) => add({ ...(await upload('a', png)), bytes: 3 }),
      'were not uploaded',
    ],
    [
      'a path out of the folder',
      async ({ add, upload }) => add(await upload('../a', png)),
      'its path must be relative',
    ],
    [
      'the name of the instructions',
      async ({ add, upload }) => add(await upload(EXTENSION_FILE, png)),
      'it must be a text in UTF-8',
    ],
    [
      'one more skill than there may be',
      async ({ add, upload, skills, source }) => {
        for (let n = 0; n < ADDED_SKILLS_MAX; n += 1)
          await skills.add({ files: [skillText(`skill-${n}`)], trust: 'owner' }, source());
        return add(await upload('a', png));
      },
      'added skills already',
    ],
    [
      'a stack without a store',
      () => bare().add({ files: [text, NAMED], trust: 'owner' }, SOURCE),
      'no store of files',
    ],
    ['a piece without a store', () => bare().keep({ base64: 'AA==' }, 5), 'no store of files'],
  ])('is refused, and changes nothing: %s', async (name, run, why) => {
    const at = openSpace(`refused-${name.replaceAll(' ', '-')}`.slice(0, 32));
    await expect(run(at)).rejects.toThrow(why);
    if (existsSync(join(folder, `${at.space}.skills`))) expect(at.kept()).toStrictEqual([]);
    await expect(at.skills.readAll('tidy')).rejects.toThrow('there is no added skill of this name');
  });
});

const NAMED: VersionFile = { path: 'a', sha256: '1'.repeat(64), bytes: 2, isForMachine: true };
const SOURCE = { by: 'telegram:7', now: 5, zone: 'UTC', signalId: 'tg-1-0', effectId: 'tg-1-0#0' };
const bare = (): AddedSkills => buildAddedSkills(dynamo.table, 'bare');

describe('fileProblems', () => {
  const file = (path: string, bytes: number) => ({ path, sha256: '0'.repeat(64), bytes });
  const many = (count: number, bytes: number) => Array.from({ length: count }, (_, n) => file(`${n}.bin`, bytes));

  it.each([
    ['as large as they may be', many(4, MACHINE_FILE_BYTES_MAX), []],
    [
      'one too large',
      [file('a.bin', MACHINE_FILE_BYTES_MAX + 1)],
      ['a.bin: it has 1048577 bytes, and 1048576 are allowed'],
    ],
    [
      'too large together',
      [...many(4, MACHINE_FILE_BYTES_MAX), file('a.bin', 1)],
      [`the folder: its files for a machine have ${MACHINE_FILES_BYTES_MAX + 1} bytes, and 4194304 are allowed`],
    ],
    ['too many', many(128, 1), ['the folder: it holds 129 files, and 128 are allowed']],
    ['one of a text’s name', [file('skill.md', 1)], ['skill.md: there are two such files']],
  ])('knows files for a machine: %s', (_, machineFiles, problems) => {
    expect(fileProblems([text], machineFiles).map((one) => `${one.file}: ${one.problem}`)).toStrictEqual(problems);
  });
});

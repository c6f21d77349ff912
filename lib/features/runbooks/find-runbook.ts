/**
 * Finds runbooks by name: those of the built-in skills, then those of added skills in force, in
 * their order. A skill that is off offers none. A name that two skills use is the first one's.
 */

import { loadOwnerSettings } from '../../core/ledger/owner-settings.ts';
import type { LoadTable } from '../../core/store/table.ts';
import type { BuildLookups } from '../../core/tools/tool.ts';
import { BUILT_IN } from '../skills/built-in.ts';
import { BUILT_IN_FILES } from '../skills/built-in-files.ts';
import { registerSkills } from '../skills/register.ts';
import type { SkillTrust } from '../skills/skill-change.ts';
import type { SkillRunbook } from '../skills/skill-definition.ts';
import { sha256Of } from '../skills/skill-files.ts';
import { isSkillOn } from '../skills/skill-on.ts';
import { loadActiveSkills, loadSkillFile } from '../skills/skill-store.ts';
import { byPriority } from '../skills/skills.ts';
import type { RunbookSource } from './run-powers.ts';

export interface KnownRunbook extends SkillRunbook {
  readonly skill: string;
  /** `outside`: the words of the runbook are a stranger's. */
  readonly trust: SkillTrust;
  /** SHA-256 of the file; undefined of a built-in skill, whose file is a part of the release. */
  readonly sha256: string | undefined;
}

/** @throws StoredItemError if this release cannot read the skills or settings */
export const listRunbooks = async (table: LoadTable, space: string): Promise<readonly KnownRunbook[]> => {
  const settings = await loadOwnerSettings(table, space);
  const isOn = (name: string): boolean => isSkillOn(name, settings);
  const { on } = registerSkills((await loadActiveSkills(table, space)).skills, isOn);
  const builtIn = byPriority(BUILT_IN).filter(({ definition }) => isOn(definition.name));
  const all = [
    ...builtIn.flatMap(({ definition: { name, runbooks = [] } }) =>
      runbooks.map((one): KnownRunbook => ({ ...one, skill: name, trust: 'owner', sha256: undefined })),
    ),
    ...on.flatMap(({ name, trust, files, definition: { runbooks = [] } }) =>
      runbooks.map((one): KnownRunbook => ({ ...one, skill: name, trust, sha256: files[one.file] })),
    ),
  ];
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
};

export interface FoundRunbook extends KnownRunbook {
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: string;
}

const loadText = async (table: LoadTable, space: string, runbook: KnownRunbook): Promise<string | undefined> => {
  if (runbook.sha256 !== undefined) return loadSkillFile(table, space, runbook.sha256);
  return BUILT_IN_FILES[runbook.skill]?.find(({ path }) => path === runbook.file)?.text;
};

/** Undefined if no skill that is on has a runbook of this name. */
export const findRunbook = async (table: LoadTable, space: string, name: string): Promise<FoundRunbook | undefined> => {
  const known = (await listRunbooks(table, space)).find((one) => one.name === name);
  const text = known && (await loadText(table, space, known));
  return known === undefined || text === undefined ? undefined : { ...known, text, hash: sha256Of(text) };
};

export const buildRunbookSource = (table: LoadTable, space: string): RunbookSource => ({
  find: (name) => findRunbook(table, space, name),
  list: () => listRunbooks(table, space),
});

export const runbookLookups: BuildLookups = (table, space) => ({
  loadRunbook: (name) => findRunbook(table, space, name),
});

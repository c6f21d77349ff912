/** The gates of added skills that are on, loaded only in a space that has such skills. */
import type { OwnerSettings } from '../ledger/owner-settings.ts';
import { loadSandbox } from '../sandbox/sandbox.ts';
import type { Gate } from '../signal/gate.ts';
import { skillKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';
import { type ActiveSkill, readActiveSkills } from './active.ts';
import { sha256Of } from './skill-files.ts';
import { buildSkillGate, nameGate, SKILLS_UNREADABLE } from './skill-gates.ts';
import { isSkillOn } from './skill-settings.ts';

export interface NamedCode {
  readonly name: string;
  readonly code: string;
}

const gatesOf = (skills: readonly ActiveSkill[]): readonly NamedCode[] => {
  const taken = new Set<string>();
  const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.flatMap((skill) =>
    skill.definition.gates.map((gate) => {
      const name = nameGate(skill.name, gate.name, taken);
      taken.add(name);
      return { name, code: skill.files[gate.file] ?? '' };
    }),
  );
};

export const loadSkillGates = async (
  table: Pick<Table, 'load'>,
  space: string,
  named: readonly NamedCode[],
): Promise<readonly Gate[]> => {
  const sandbox = await loadSandbox();
  const { files } = await loadNamed(table, { files: named.map(({ code }) => skillKeys.file(space, code)) });
  return named.map(({ name, code }, index) => {
    const text = files[index]?.text;
    const isSame = typeof text === 'string' && sha256Of(text) === code;
    return buildSkillGate(sandbox, name, code, isSame ? text : undefined);
  });
};

/**
 * The gates that count, or the one that blocks if nobody knows them. @param settings undefined if
 * they cannot be read: then every skill counts as switched on
 */
export const findSkillGates = (
  item: Item,
  settings: OwnerSettings | undefined,
): readonly NamedCode[] | { readonly instead: Gate } => {
  const active = readActiveSkills(item);
  if (active === undefined) return { instead: SKILLS_UNREADABLE };
  return gatesOf(active.skills.filter(({ name }) => settings === undefined || isSkillOn(name, settings)));
};

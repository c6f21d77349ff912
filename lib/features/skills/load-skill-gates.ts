/** The gates of added skills that are on, loaded only in a space that has such skills. */
import type { OwnerSettings } from '../../core/ledger/owner-settings.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import type { Gate } from '../../core/signal/gate.ts';
import type { FoundGates } from '../../core/stages/found-gates.ts';
import { skillKeys } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Item, Table } from '../../core/store/table.ts';
import { type ActiveSkill, readActiveSkills } from './active.ts';
import { sha256Of } from './skill-files.ts';
import { buildSkillGate, nameGate, SKILLS_UNREADABLE } from './skill-gates.ts';
import { isSkillOn } from './skill-on.ts';

interface NamedCode {
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

const loadSkillGates = async (
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

/** Undefined if no skill that counts has one. One gate that blocks if nobody knows the skills. */
export const findSkillGates = (item: Item, settings: OwnerSettings | undefined): FoundGates | undefined => {
  const active = readActiveSkills(item);
  if (active === undefined) return { key: SKILLS_UNREADABLE.name, load: async () => [SKILLS_UNREADABLE] };
  const named = gatesOf(active.skills.filter(({ name }) => settings === undefined || isSkillOn(name, settings)));
  return named.length === 0
    ? undefined
    : { key: JSON.stringify(named), load: (table, space) => loadSkillGates(table, space, named) };
};

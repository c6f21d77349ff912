/** Jobs and skills that hold words being forgotten: only named, as authority (I14). */
import { StoredItemError } from '../../core/base/errors.ts';
import type { Table } from '../../core/store/table.ts';
import { listJobs } from '../jobs/read-jobs.ts';
import { loadActiveSkills, loadSkillFile } from '../skills/skill-store.ts';
import { holdsLiteral } from './find-traces.ts';

type StandingTable = Pick<Table, 'load' | 'query'>;

export interface Standing {
  readonly jobs: readonly string[];
  readonly skills: readonly string[];
}

const JOBS_PAGE = 100;

const findInJobs = async (
  table: StandingTable,
  space: string,
  literals: readonly string[],
): Promise<readonly string[]> => {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listJobs(table, space, { limit: JOBS_PAGE, cursor });
    names.push(...page.jobs.filter(({ definition }) => holdsLiteral(definition, literals)).map(({ name }) => name));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return names;
};

const findInSkills = async (
  table: StandingTable,
  space: string,
  literals: readonly string[],
): Promise<readonly string[]> => {
  const names: string[] = [];
  for (const { name, definition, files } of (await loadActiveSkills(table, space)).skills) {
    const texts = await Promise.all(Object.values(files).map((sha256) => loadSkillFile(table, space, sha256)));
    if (holdsLiteral([definition, ...texts], literals)) names.push(name);
  }
  return names;
};

/** If the skills cannot be read, none is named: nothing of them is in force either. */
const orNone = (error: unknown): readonly string[] => {
  if (error instanceof StoredItemError) return [];
  throw error;
};

/** @param literals made by `literalsOf` */
export const findStanding = async (
  table: StandingTable,
  space: string,
  literals: readonly string[],
): Promise<Standing> => {
  if (literals.length === 0) return { jobs: [], skills: [] };
  return {
    jobs: await findInJobs(table, space, literals).catch(orNone),
    skills: await findInSkills(table, space, literals).catch(orNone),
  };
};

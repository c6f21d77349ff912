/** The record of the skills in force, as it is stored: every turn is judged by it. */
import { skillKeys } from '../../core/store/keys.ts';
import type { Item } from '../../core/store/table.ts';
import type { RecordRow } from '../../core/store/turn-records.ts';

declare module '../../core/store/turn-records.ts' {
  interface TurnRecords {
    readonly skills?: Item;
  }
}

export const SKILLS_RECORD: RecordRow = {
  key: skillKeys.active,
  read: (item) => (item === undefined ? {} : { skills: item }),
  isStanding: true,
};

/** Tells handlers of skills once a turn has ended. */
import { routeOf } from '../../core/signal/signal.ts';
import type { AfterEffect } from '../../core/stages/act/after.ts';

type LoadTellSkills = () => Promise<Pick<typeof import('./tell-skills.ts'), 'tellSkills'>>;

export const skillEvents = (loadLate: LoadTellSkills): AfterEffect => ({
  name: 'skill events',
  at: 'news',
  takes: ({ record, records }, { goesOn }) =>
    records.skills !== undefined &&
    !goesOn &&
    record.state !== 'suspended' &&
    routeOf(record.signal.payload.sensor) === 'reason',
  after: async (...turn) => {
    await (await loadLate()).tellSkills(...turn);
    return [];
  },
});

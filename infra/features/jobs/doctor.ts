import { jobsList } from '../../../lib/features/jobs/operations.ts';
import { loadHealth, performLook } from '../../cli/client.ts';
import { type FeatureCheck, MENDS, ok, tryCheck, wrong } from '../../cli/doctor/check.ts';
import { printable } from '../../cli/terminal.ts';

/** Jobs of the first page: their number, and whether one is overdue. Health names paused ones. */
export const checkJobs: FeatureCheck = (_, access) =>
  tryCheck('jobs', async () => {
    const { jobs, cursor } = await performLook(access, jobsList, {});
    const names = (pick: (job: (typeof jobs)[number]) => boolean): string =>
      jobs
        .filter(pick)
        .map(({ name }) => printable(name))
        .join(', ');
    const behind = names(({ isBehind }) => isBehind);
    if (behind !== '') {
      const { checks } = await loadHealth(access);
      const mend = checks?.isStopped === true ? MENDS.stopped : MENDS.late;
      return [wrong('jobs', `due, and not started: ${behind}`, mend)];
    }
    const active = jobs.filter(({ state }) => state === 'active').length;
    return [ok('jobs', `${active}${cursor === undefined ? '' : ' or more'} active`)];
  });

/** The news of a job's runs: texts that nobody asked for. Moments are given in words. */
import { textTable } from '../../core/base/language.ts';
import { askIn, pauseChoices } from '../../core/judge/code-choices.ts';
import { buildNotices, joined, type Notice } from '../../core/judge/notices.ts';
import { forPeople } from '../../core/language/for-people.ts';

const EN = {
  /** Lines that are said already. */
  jobs: joined,
  jobMissed: (job: string, count: number, first: string, last: string, why: string) =>
    count === 1
      ? `The job ${job} missed its run at ${last}: ${forPeople(why)}. /jobs history ${job} shows it.`
      : `The job ${job} missed ${count} runs, from ${first} to ${last}. The last one: ${forPeople(why)}. /jobs history ${job} shows all.`,
  jobDidNothing: (job: string, moment: string, why: string) =>
    `The job ${job} ran at ${moment}, but ${forPeople(why)}. /jobs history ${job} shows more.`,
  jobPaused: (job: string, why: string, last: string) =>
    joined([
      `The job ${job} was ${forPeople(why)}. The last time: ${forPeople(last)}. /jobs history ${job} shows more.`,
      ...askIn('en', `Let the job ${job} go on?`, pauseChoices(job)),
    ]),
};
export type JobNews = typeof EN;

const built = buildNotices(textTable(EN, { de: async () => (await import('./notice-texts-german.ts')).DE }));

export const jobNotices = {
  ...built,
  jobPaused: (job: string, why: string, last: string): Notice => ({
    ...built.jobPaused(job, why, last),
    choices: pauseChoices(job),
  }),
};

/** The news of a job's runs in German. Reasons come as they are stored, in English. */
import { askIn, pauseChoices } from '../../core/judge/code-choices.ts';
import { joined } from '../../core/judge/notices.ts';
import { inGerman } from '../../core/language/stored-german.ts';
import type { JobNews } from './notice-texts.ts';

export const DE: JobNews = {
  jobs: joined,
  jobMissed: (job, count, first, last, reason) =>
    count === 1
      ? `Der Auftrag ${job} hat seinen Lauf am ${last} verpasst: ${inGerman(reason)}. /jobs history ${job} zeigt ihn.`
      : `Der Auftrag ${job} hat ${count} Läufe verpasst, von ${first} bis ${last}. Der letzte: ${inGerman(reason)}. /jobs history ${job} zeigt alle.`,
  jobDidNothing: (job, moment, reason) =>
    `Der Auftrag ${job} lief am ${moment}, aber: ${inGerman(reason)}. /jobs history ${job} zeigt mehr.`,
  jobPaused: (job, reason, last) =>
    joined([
      `Der Auftrag ${job} ist pausiert (${inGerman(reason)}). Das letzte Mal: ${inGerman(last)}. /jobs history ${job} zeigt mehr.`,
      ...askIn('de', `Soll der Auftrag ${job} weitermachen?`, pauseChoices(job)),
    ]),
};

/** German of the verbs of jobs. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const JOB_STORED: readonly SentencePair[] = [
  ['what jobs and helpers work on now, in the background', 'woran Aufträge und Helfer gerade im Hintergrund arbeiten'],
  ['every job, and when it is next due', 'jeder Auftrag, und wann er wieder fällig ist'],
  ['all of one job in words', 'alles zu einem Auftrag in Worten'],
  [
    'what became of each moment of a job, the newest first',
    'was aus jedem Termin eines Auftrags wurde, die neuesten zuerst',
  ],
  ['what a run of a job would do now, without doing it', 'was ein Lauf eines Auftrags jetzt täte, ohne es zu tun'],
  ['make a job: when it runs, and what it does', 'einen Auftrag anlegen: wann er läuft, und was er tut'],
  ['change a job; what is left out stays', 'einen Auftrag ändern; was fehlt, bleibt'],
  ['let a job wait until it is resumed', 'einen Auftrag pausieren'],
  ['let a paused job go on', 'einen pausierten Auftrag fortsetzen'],
  ['run a job now, beside its rule', 'einen Auftrag jetzt ausführen, neben seiner Regel'],
  ['end a job; its history stays', 'einen Auftrag beenden; seine Geschichte bleibt'],
  ['of the page before', 'der Seite davor'],
  ['name of the job', 'Name des Auftrags'],
  ['moments that are shown', 'wie viele Zeitpunkte gezeigt werden'],
  ['name of the job; all else as in schedule-job', 'Name des Auftrags; alles andere wie bei schedule-job'],
];

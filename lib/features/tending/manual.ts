/** Pages of the manual: what tends memory. */
import type { ManualPage } from '../manual-pages.ts';

export const TENDING_PAGES: readonly ManualPage[] = [
  {
    title: 'Have conversations noted, memory tidied and thoughts found by itself',
    german: 'Gespräche mitschreiben, das Gedächtnis aufräumen und Gedanken finden lassen',
    words:
      'automatic automatically take notes minutes summarise scribe gardener reflection clean duplicates tidy organise connect ideas insights diary journal ' +
      'automatisch mitschreiben Protokoll zusammenfassen aufräumen doppelte ordnen Ideen Einsichten Tagebuch von selbst notieren',
    steps: [
      [
        '/skill on scribe',
        'at most once an hour, makes short notes of what you talked about',
        'macht höchstens einmal in der Stunde kurze Notizen von dem, was ihr besprochen habt',
      ],
      [
        '/skill on reflection',
        'looks for a thought that connects a few of your notes',
        'sucht einen Gedanken, der einige deiner Notizen verbindet',
      ],
      [
        '/skill off gardener',
        'ends the daily look for what is untidy in memory',
        'beendet den täglichen Blick auf Unordnung im Gedächtnis',
      ],
    ],
    see: 'lib/features/tending/README.md',
  },
];

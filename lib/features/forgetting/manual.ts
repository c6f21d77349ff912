/** Pages of the manual: erasing. */
import type { ManualPage } from '../manual-pages.ts';

export const FORGETTING_PAGES: readonly ManualPage[] = [
  {
    title: 'Have a note and its words erased for good',
    german: 'Eine Notiz und ihre Worte endgültig löschen lassen',
    words:
      'forget delete erase remove wipe purge destroy private secret sensitive gdpr privacy permanently forever completely never said unsay trace ' +
      'vergessen löschen entfernen tilgen vernichten privat geheim DSGVO Datenschutz dauerhaft für immer restlos gesagt Spuren',
    verbs: ['recall', 'forget'],
    see: 'lib/features/forgetting/README.md',
  },
];

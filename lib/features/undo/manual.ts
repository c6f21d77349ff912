/** Pages of the manual: taking back. */
import type { ManualPage } from '../manual-pages.ts';

export const UNDO_PAGES: readonly ManualPage[] = [
  {
    title: 'Take back the last change',
    german: 'Die letzte Änderung zurücknehmen',
    words:
      'undo revert oops mistake accident wrong cancel reverse previous restore go back ' +
      'rückgängig zurück widerrufen Versehen Fehler falsch zurücknehmen ungeschehen',
    verbs: ['undo'],
    see: 'lib/features/undo/README.md',
  },
];

/** Pages of the manual: restoring. */
import type { ManualPage } from '../manual-pages.ts';

export const RESTORE_PAGES: readonly ManualPage[] = [
  {
    title: 'Restore a backup',
    german: 'Eine Sicherung wiederherstellen',
    words:
      'recover bring back broken disk died crashed lost data copy load import disaster reinstall ' +
      'wiederherstellen zurückspielen einspielen kaputt Festplatte abgestürzt Datenverlust Kopie laden retten Backup burnt flooded stolen stick usb saved file reinstall from scratch abgebrannt gesicherte Datei Stick neu aufsetzen zurückholen',
    steps: [
      [
        'npx passepartout restore <file>',
        'into a data folder without a table; it starts stopped',
        'in einen Datenordner ohne Tabelle; danach startet alles angehalten',
      ],
      ['npx passepartout resume', 'once you looked around', 'sobald du dich umgesehen hast'],
    ],
    see: 'infra/operating.md#restore-a-backup',
  },
];

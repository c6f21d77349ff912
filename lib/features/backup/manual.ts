/** Pages of the manual: backups. */
import type { ManualPage } from '../manual-pages.ts';

export const BACKUP_PAGES: readonly ManualPage[] = [
  {
    title: 'Make a backup of everything',
    german: 'Alles sichern',
    words:
      'backup safety copy save archive protect data loss encrypted passphrase disk safe duplicate ' +
      'Sicherung Datensicherung Sicherungskopie Kopie sichern Archiv Datenverlust verschlüsselt Backup in case house burns hard drive usb stick regularly falls Festplatte Stick regelmäßig vorsorgen',
    steps: [
      [
        'npx passepartout backup <file>',
        'everything in one encrypted file, as of one moment',
        'alles in einer verschlüsselten Datei, zu einem Zeitpunkt',
      ],
    ],
    see: 'infra/features/backup/README.md',
  },
];

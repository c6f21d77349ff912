/** Pages of the manual: checked steps. */
import type { ManualPage } from '../manual-pages.ts';

export const RUNBOOK_PAGES: readonly ManualPage[] = [
  {
    title: 'Have a checked list of steps performed (runbook)',
    german: 'Eine geprüfte Liste von Schritten ausführen lassen (Runbook)',
    words:
      'procedure checklist workflow playbook recipe sequence process steps deploy release rollback prepared execute start automation ' +
      'Ablauf Checkliste Vorgang Rezept Reihenfolge Prozess Schritte ausliefern Veröffentlichung vorbereitet starten',
    verbs: ['runbook list', 'runbook run', 'runbook dry-run'],
    see: 'lib/features/runbooks/README.md',
  },
  {
    title: 'See how far a run of a runbook is, and end it',
    german: 'Sehen, wie weit der Lauf eines Runbooks ist, und ihn beenden',
    words:
      'progress step status stuck cancel abort halt procedure workflow running ' +
      'Fortschritt Schritt Stand hängt abbrechen anhalten Ablauf läuft',
    verbs: ['runbook show', 'runbook runs', 'runbook stop'],
    see: 'lib/features/runbooks/README.md',
  },
  {
    title: 'Write a runbook of your own',
    german: 'Ein eigenes Runbook schreiben',
    words:
      'create author yaml file check validate make procedure workflow checklist own custom ' +
      'erstellen verfassen Datei prüfen anlegen Ablauf Checkliste eigenes selbst',
    steps: [
      [
        'npx passepartout runbook check <file>',
        'names every fault with its line',
        'nennt jeden Fehler mit seiner Zeile',
      ],
      [
        'npx passepartout runbook add <file>',
        'shows all of it, then makes it known by its name; --mine: its words count as yours',
        'zeigt alles davon und macht es unter seinem Namen bekannt; --mine: seine Worte gelten als deine',
      ],
    ],
    see: 'lib/features/runbooks/writing.md',
  },
];

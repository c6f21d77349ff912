/** Pages of the manual: lines below answers. */
import type { ManualPage } from '../manual-pages.ts';

export const LINE_PAGES: readonly ManualPage[] = [
  {
    title: 'Show below each answer the model, the rules, the cost and what waits',
    german: 'Unter jeder Antwort Modell, Regeln, Kosten und Wartendes zeigen',
    words:
      'footer line transparency details per message price each reply information ' +
      'Fußzeile Zeile Einzelheiten Preis jede Nachricht Angaben Transparenz',
    steps: [
      [
        '/lines on',
        'shows the line below each answer in this chat',
        'zeigt die Zeile unter jeder Antwort in diesem Chat',
      ],
      ['/lines off', 'ends that', 'beendet das'],
    ],
    see: 'lib/features/lines/README.md',
  },
];

/** Pages of the manual: what is learned from habits. */
import type { ManualPage } from '../manual-pages.ts';

export const LEARNING_PAGES: readonly ManualPage[] = [
  {
    title: 'What it learns by itself from your habits, and offers',
    german: 'Was es aus Gewohnheiten von selbst lernt, und anbietet',
    words:
      'learn habit pattern suggestion offer adapt improve automatic rule train behaviour notices repeat ' +
      'lernen Gewohnheit Muster Vorschlag Angebot anpassen verbessern Regel trainieren Verhalten wiederholt',
    steps: [
      [
        'answer the card of the offer',
        'it offers one thing a day (a grant, a rule, a skill), and applies nothing without your yes',
        'es bietet eine Sache am Tag an (Erlaubnis, Regel, Fähigkeit) und wendet ohne dein Ja nichts an',
      ],
    ],
    verbs: ['grants'],
    see: 'lib/features/learning/README.md',
  },
];

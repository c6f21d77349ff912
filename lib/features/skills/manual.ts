/** Pages of the manual: skills. */
import type { ManualPage } from '../manual-pages.ts';

export const SKILL_PAGES: readonly ManualPage[] = [
  {
    title: 'Teach a new skill, from a folder',
    german: 'Eine neue Fähigkeit beibringen, aus einem Ordner',
    words:
      'ability capability learn extend extension plugin add install instructions own write create develop test share custom ' +
      'Fähigkeit können lernen erweitern Erweiterung hinzufügen installieren Anleitung eigene schreiben entwickeln testen',
    steps: [
      ['npx passepartout skill new <folder>', 'makes a skill to start from', 'macht eine Vorlage, mit der du anfängst'],
      [
        'npx passepartout skill test <folder>',
        'checks it, and runs its examples',
        'prüft sie und spielt ihre Beispiele durch',
      ],
      [
        'npx passepartout skill add <folder>',
        'shows all of it, then puts it in force; --mine: its words count as yours',
        'zeigt alles davon und setzt sie in Kraft; --mine: ihre Worte gelten als deine',
      ],
    ],
    see: 'lib/features/skills/writing.md',
  },
  {
    title: 'See what the agent can do, and switch a skill on or off',
    german: 'Sehen, was der Agent kann, und eine Fähigkeit ein- oder ausschalten',
    words:
      'abilities capabilities features what can you do enable disable activate deactivate turn on off list remove uninstall ' +
      'Fähigkeiten Funktionen was kannst du aktivieren deaktivieren einschalten ausschalten abschalten Liste entfernen what are you able to functions possibilities good for was kannst du alles Möglichkeiten wofür gut',
    verbs: ['skill list', 'skill show', 'skill on', 'skill off', 'skill remove'],
    see: 'lib/features/skills/README.md',
  },
  {
    title: 'Change a setting of a skill, or the kind of model that answers with it',
    german: 'Eine Einstellung einer Fähigkeit ändern, oder die Art von Modell, die mit ihr antwortet',
    words: 'configure adjust option value tier strong cheap ; konfigurieren anpassen Option Wert Stufe stark billig',
    verbs: ['skill set', 'skill tier'],
    see: 'lib/features/skills/writing.md',
  },
];

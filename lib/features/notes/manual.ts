/** Pages of the manual: what is kept in memory. */
import type { ManualPage } from '../manual-pages.ts';

export const NOTE_PAGES: readonly ManualPage[] = [
  {
    title: 'Have something kept in memory',
    german: 'Etwas im Gedächtnis behalten lassen',
    words:
      'remember note save store write down jot memorise learn fact birthday address take a note make a note keep in mind record ' +
      'merken merk notieren Notiz speichern aufschreiben behalten Fakt Geburtstag Adresse festhalten einprägen',
    steps: [
      [
        'remember that my bike is blue',
        'said in plain words, it is kept as one note',
        'so gesagt („merk dir, dass …“) wird es als Notiz behalten',
      ],
    ],
    verbs: ['remember'],
    see: 'lib/core/memory/README.md',
  },
  {
    title: 'Find what was kept, and see all of memory',
    german: 'Finden, was behalten wurde, und das ganze Gedächtnis sehen',
    words:
      'search look up find notes know about me everything outline overview list stored saved show what do you remember recall ' +
      'suchen nachschlagen Notizen weißt über mich alles Übersicht Liste gespeichert gemerkt zeigen erinnerst what have you stored which facts do you have learned told you dump what is in your head was hast du gespeichert was weißt du gelernt erzählt',
    verbs: ['recall', 'memory'],
    see: 'lib/core/memory/README.md',
  },
  {
    title: 'Correct or change a note',
    german: 'Eine Notiz berichtigen oder ändern',
    words:
      'edit fix wrong mistake typo update correct rewrite replace outdated stored fact ' +
      'bearbeiten korrigieren falsch Fehler Tippfehler aktualisieren umschreiben ersetzen veraltet you have it wrong not true any more changed moved job new number stimmt nicht mehr umgezogen neue Nummer verbessern',
    verbs: ['edit'],
    see: 'lib/core/memory/README.md',
  },
  {
    title: 'Work in projects, and say what a conversation is about',
    german: 'In Projekten arbeiten, und sagen, worum es in einem Gespräch geht',
    words:
      'project topic subject context begin finish close group notes together concentrate ' +
      'Projekt Thema Kontext beginnen anfangen abschließen fertig zusammen konzentrieren',
    verbs: ['project new', 'project list', 'project done', 'focus'],
    see: 'lib/core/memory/README.md',
  },
  {
    title: 'Choose where notes are found: everywhere, in this conversation, in a project',
    german: 'Wählen, wo Notizen gefunden werden: überall, in diesem Gespräch, in einem Projekt',
    words:
      'scope private only here this chat visible separate share elsewhere global ' +
      'Geltungsbereich nur hier dieser Chat sichtbar getrennt teilen überall woanders',
    verbs: ['scope'],
    see: 'lib/core/memory/README.md',
  },
  {
    title: 'Name a state of memory, compare states, and go back to one',
    german: 'Einen Stand des Gedächtnisses benennen, Stände vergleichen, zu einem zurückkehren',
    words:
      'snapshot version restore point earlier previous state rollback revert reset time travel last week yesterday before undo memory notes compare difference changed ' +
      'Schnappschuss Version Stand Zeitpunkt früher vorher vorige zurücksetzen zurückstellen zurückdrehen letzte Woche gestern vergleichen Unterschied geändert Notizen bookmark checkpoint mark what changed since messed up clean slate as it was Merkpunkt was hat sich geändert seit wie es war durcheinander',
    verbs: ['snapshot', 'snapshots', 'diff', 'rollback', 'revert'],
    see: 'lib/core/memory/README.md',
  },
  {
    title: 'See who wrote a note, and when',
    german: 'Sehen, wer eine Notiz geschrieben hat, und wann',
    words:
      'origin source author where does it come from history changes added entry ' +
      'Herkunft Quelle Autor Urheber woher stammt Geschichte Änderungen Eintrag hinzugefügt where did you get that who told you know this from how do you know since when woher hast du das wer hat dir gesagt seit wann',
    verbs: ['audit'],
    see: 'lib/core/memory/README.md',
  },
  {
    title: 'See which decisions were shown a note',
    german: 'Sehen, welchen Entscheidungen eine Notiz gezeigt wurde',
    words:
      'poisoned wrong bad note influence used affected consequences ' +
      'vergiftet falsch schlecht Einfluss benutzt beeinflusst Folgen',
    steps: [
      [
        'npx passepartout seen-by <object>',
        'lists the decisions that were shown this note',
        'nennt die Entscheidungen, denen diese Notiz gezeigt wurde',
      ],
    ],
    see: 'infra/cli/README.md',
  },
  {
    title: 'Say whether memory is read in a group',
    german: 'Sagen, ob in einer Gruppe das Gedächtnis gelesen wird',
    words:
      'group chat privacy personal notes others read answer team family disclose secret ' +
      'Gruppe Gruppenchat Privatsphäre persönliche Notizen andere lesen antworten Familie verraten geheim who can see strangers members leak visible colleagues wer sieht Mitglieder mitlesen Kollegen',
    verbs: ['memory open', 'memory ask', 'memory close', 'memory chats'],
    see: 'lib/features/notes/README.md',
  },
  {
    title: 'Bring in a folder of notes (Markdown, Org)',
    german: 'Einen Ordner mit Notizen einlesen (Markdown, Org)',
    words:
      'import load read upload migrate obsidian notion logseq files text existing feed ' +
      'importieren laden einlesen übernehmen hochladen umziehen Dateien Texte vorhandene füttern evernote onenote apple google keep wiki vault pour existing notebook Notizbuch Sammlung bestehende',
    steps: [
      [
        'npx passepartout import <folder>',
        'reads Markdown and Org files; run it again for new ones',
        'liest Dateien in Markdown und Org ein; noch einmal aufgerufen nimmt es die neuen',
      ],
      [
        '/ingest',
        'with a file, or as a reply to one: keeps its text in memory',
        'mit einer Datei, oder als Antwort auf eine: nimmt ihren Text ins Gedächtnis',
      ],
    ],
    see: 'infra/cli/README.md',
  },
  {
    title: 'Take all notes out as text files',
    german: 'Alle Notizen als Textdateien herausholen',
    words:
      'export download dump data out save as markdown org leave portability takeout write files ' +
      'exportieren herunterladen ausgeben Daten mitnehmen sichern Markdown Dateien schreiben raus mine leaving own quit switch to another tool hand over mitnehmen wechseln gehört mir aussteigen',
    steps: [
      [
        'npx passepartout export <folder>',
        'writes memory as Markdown or Org files',
        'schreibt das Gedächtnis als Dateien in Markdown oder Org',
      ],
    ],
    see: 'infra/cli/README.md',
  },
];

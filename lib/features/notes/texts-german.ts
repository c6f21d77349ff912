/** The answers about memory in German; `texts.ts` has their names and values. */
import type { NoteTexts } from './texts.ts';

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const WORDS: ReadonlyMap<string, string> = new Map([
  // Scopes and types.
  ['memex', 'überall'],
  ['session', 'nur dieses Gespräch'],
  ['project', 'Projekt'],
  ['note', 'Notiz'],
  ['summary', 'Zusammenfassung'],
  // Origins.
  ['owner', 'eigene Worte'],
  ['agent', 'vom Agenten'],
  ['tool', 'von einem Werkzeug'],
  ['outside', 'von außen'],
  // States and changes.
  ['live', 'vorhanden'],
  ['removed', 'entfernt'],
  ['forgotten', 'gelöscht'],
  ['added', 'neu'],
  ['moved', 'verschoben'],
  ['changed', 'geändert'],
  ['write', 'geschrieben'],
  ['forget', 'gelöscht'],
  ['rollback', 'zurückgesetzt'],
  ['revert', 'zurückgenommen'],
]);
const word = (english: string): string => WORDS.get(english) ?? english;

const SCOPES = {
  memex: 'Was hier gemerkt wird, ist überall zu finden (scope memex).',
  session: 'Was hier gemerkt wird, ist nur in diesem Gespräch zu finden (scope session).',
  project: 'Was hier gemerkt wird, kommt unter ein Projekt und ist zu finden, solange es im Blick ist (scope project)',
} as const;

const DOUBTS = {
  differs: 'wurde dort und im Gedächtnis geändert. Beide Fassungen bleiben. Welche gilt?',
  'gone-from-memory':
    'ist nicht mehr im Gedächtnis, und ihre Datei hat neuere Worte. Soll sie zurückkommen, oder auch aus der Datei?',
  'gone-from-file':
    'ist nicht mehr in ihrer Datei, und das Gedächtnis hat neuere Worte. Soll sie auch dort weg, oder zurück in die Datei?',
  forgotten: 'wurde gelöscht und steht noch in ihrer Datei. Soll sie auch dort weg, oder wieder gemerkt werden?',
} as const;

const LINES = {
  untitled: 'Ohne Titel',
  outside: '(von außen)',
  scope: word,
  origin: word,
  type: word,
  state: word,
  about: (type: string, scope: string, origin: string, version: number, time: string) =>
    `${type}, ${scope}, ${origin}, Fassung ${version}, ${time} UTC`,
  difference: word,
  version: (version: number, commit: number, when: string | undefined, what: string, who: string) =>
    `Fassung ${version}  Stand ${commit}  ${when === undefined ? 'vor den Ständen' : `${when} UTC`}  ${what}${who}`,
  by: (actor: string) => ` von ${actor}`,
  saidBy: (signal: string) => `, gesagt in ${signal}`,
  forgottenSince: ', seither gelöscht',
  more: (count: number) => `… ${count} weitere`,
};

export const DE: NoteTexts = {
  ...LINES,
  nothingFound: 'Im Gedächtnis steht keines dieser Wörter.',
  objects: (count, commit, isPartial) =>
    `${countOf(count, 'Notiz', 'Notizen')}, Stand ${commit}${isPartial ? ' (das Gedächtnis ist größer, als sich zeigen lässt)' : ''}`,
  empty: 'Noch ist nichts gemerkt.',
  snapshot: (name, commit, time) => `${name}  Stand ${commit}  ${time} UTC`,
  noSnapshots: 'Noch hat kein Stand einen Namen.',
  atCommit: (commit) => `Das Gedächtnis ist beim Stand ${commit}.`,
  twoEnds: 'nötig sind Namen oder Nummern von zwei Ständen',
  changed: (from, to, count) => `Von Stand ${from} bis ${to}: ${countOf(count, 'Notiz', 'Notizen')} geändert.`,
  log: (size, signed) =>
    `Protokoll: ${countOf(size, 'Blatt', 'Blätter')}, der neueste Prüfpunkt unterschreibt ${signed}; der Nachweis: npx passepartout evidence export --out evidence.jsonl`,
  noObject: (id) => `im Gedächtnis gibt es keine Notiz ${id}`,
  hash: (hash) => `Prüfsumme ${hash}`,
  below: (id) => `unter ${id}`,
  isLogged: (isLogged) => (isLogged ? 'im Protokoll' : 'noch nicht im Protokoll'),
  nameByStart: (chars) => `nötig ist die Kennung einer Notiz, oder mindestens ihre ersten ${chars} Zeichen`,
  severalBegin: (count, start) => `${count} Notizen beginnen mit ${start}: nötig ist mehr von der Kennung`,
  noProject: 'kein laufendes Projekt heißt so; /project list nennt alle',
  noneToFocus: 'nötig ist die Kennung einer Notiz oder der Titel eines laufenden Projekts',
  severalProjects: (count, ids) => `so heißen ${count} Projekte: ${ids}; nötig ist eine Kennung`,

  notInGroup: '/memory open und /memory ask gelten in einer Gruppe; /memory close nimmt auch die Kennung einer Gruppe',
  mostGroups: (most) => `es sind schon ${most} Gruppen genannt`,
  group: (chat, as, by, time) => `${chat}: ${as === 'open' ? 'offen' : 'auf Nachfrage'} (${by}, ${time} UTC)`,
  noGroups:
    'Keine Gruppe ist für das Gedächtnis genannt. In einer Gruppe kann eine freigebende Person /memory open oder /memory ask senden.',
  closeGroup: 'Eine zurücknehmen: /memory close <chat>.',
  mostTags: (count, most) => `es sind ${count} Schlagwörter, und eine Notiz hat höchstens ${most}`,
  scopeOf: (scope) => SCOPES[scope],
  noProjects: 'Es gibt keine laufenden Projekte: /project new <title>',
  noProjectInFocus: 'hier ist kein Projekt im Blick; /project list nennt alle, /focus <id> nimmt eines in den Blick',
  noFocus: 'Hier ist nichts im Blick.',
  focus: (id) => `Im Blick: ${id}`,
  focusEnded: 'Hier ist nichts mehr im Blick.',
  focusSet: (title) => `Hier im Blick: ${title}`,
  focusForgotten: (id) => `die Notiz ${id} ist gelöscht`,
  unknownTree: 'Dieser Baum hat keine bekannte Form; nichts wurde geändert.',
  unchangedSince: (commit) => `seit Stand ${commit} hat sich nichts geändert`,
  noCommit: (commit) => `im Gedächtnis gibt es keinen Stand ${commit}`,
  staysForgotten: 'was gelöscht ist, kommt nicht zurück',
  doubt: (why, title, file) => `Die Notiz ${title} der Datei ${file} ${DOUBTS[why]}`,
  keepHere: (id) =>
    `Hier: Mit /edit ${id} property sync-keep file gilt die Datei, mit /edit ${id} property sync-keep memory das Gedächtnis.`,
  keepThere: (code) =>
    `Am Rechner mit dem Ordner: npx passepartout notes keep <folder> ${code} file, oder memory am Ende.`,
};

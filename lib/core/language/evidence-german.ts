/**
 * Faults that the verifier finds in an export or a receipt, in German. The page fetches these lists
 * when its reader verifies something in German. Pure.
 */
import { EVIDENCE_WORK } from './evidence-work-german.ts';
import type { SentencePair } from './sentence-speaker.ts';

/** Kinds of records; alone they could be anybody's words. */
export const EVIDENCE_KINDS: readonly SentencePair[] = [
  ['decision', 'Entscheidung'],
  ['effect', 'Wirkung'],
  ['approval', 'Freigabe'],
  ['commit', 'Commit'],
  ['tombstone', 'Löschvermerk'],
  ['rotation', 'Schlüsselwechsel'],
  ['right', 'Recht'],
  ['occurrence', 'Termin'],
  ['job', 'Auftrag'],
  ['skill', 'Fähigkeit'],
  ['runner-job', 'Aufgabe eines Rechners'],
  ['runner-receipt', 'Quittung eines Rechners'],
  ['runner-result', 'Ergebnis eines Rechners'],
  ['record', 'Eintrag'],
  ['header', 'Kopf'],
  ['gate-set', 'Regelsatz'],
  ['gate-code', 'Code einer Regel'],
  ['tile', 'Kachel'],
  ['leaf', 'Blatt'],
  ['checkpoint', 'Prüfpunkt'],
  ['anchor', 'Anker'],
  ['key', 'Schlüssel'],
  ['log', 'Protokoll'],
  ['receipt', 'Beleg'],
  ['action', 'Handlung'],
  ['end', 'Ende'],
  ['output', 'Ausgabe'],
  ['nothing', 'nichts'],
  ['claimed', 'begonnen'],
  ['done', 'erledigt'],
  ['failed', 'gescheitert'],
  ['refused', 'abgelehnt'],
  ['unknown', 'ungewiss'],
  ['pending', 'offen'],
  ['approved', 'freigegeben'],
  ['denied', 'abgelehnt'],
  ['expired', 'verfallen'],
  ['spent', 'verbraucht'],
  ['paused', 'pausiert'],
  ['removed', 'entfernt'],
  ['ended', 'beendet'],
  ['skipped', 'ausgelassen'],
  ['missed', 'verpasst'],
];

/** Forms of the verifier's file, its log and its keys. */
const FORMS: readonly SentencePair[] = [
  ['this is not an evidence export of a known version', 'das ist kein Export von Beweisen in bekannter Version'],
  ['this is not a receipt of a known version', 'das ist kein Beleg in bekannter Version'],
  ['a member is missing', 'eine Angabe fehlt'],
  ['its log is of another space', 'sein Protokoll gehört zu einem anderen Bereich'],
  ['it was made in the future', 'entstand in der Zukunft'],
  ['it has {1} leaves, and the header says {2}', 'hat {1} Blätter, und im Kopf stehen {2}'],
  ['it is there twice', 'steht doppelt da'],
  ['it is too long', 'ist zu lang'],
  ['it is not JSON', 'es ist kein JSON'],
  ['it is not a JSON object', 'ist kein JSON-Objekt'],
  ['it is not canonical JSON', 'ist kein JSON in eindeutiger Form'],
  ['it comes after the end', 'steht nach dem Ende'],
  ['it is of no known kind', 'ist von unbekannter Art'],
  ['the header is missing', 'der Kopf fehlt'],
  ['a {1} stands after a {2}', '{1} steht hinter {2}'],
  [
    'the file ends here, and is not at its end: copy or export it again',
    'hier endet die Datei vorzeitig: noch einmal kopieren oder exportieren',
  ],
  [
    'line {1} is not written as an export is: a member is there twice, or spaces are',
    'Zeile {1} ist nicht geschrieben wie in einem Export: Eine Angabe steht doppelt da, oder es gibt Leerzeichen',
  ],
  ['line {1} has a member too many, or one is missing', 'Zeile {1} hat eine Angabe zu viel oder zu wenig'],
  ['it is not a verifier key', 'ist kein Schlüssel zum Prüfen'],
  ['{1} is missing or of another size', '{1} fehlt oder hat eine andere Größe'],

  // Leaves, tiles, checkpoints.
  ['it is of another log', 'gehört zu einem anderen Protokoll'],
  ['the given key never signed this log', 'der angegebene Schlüssel hat dieses Protokoll nie unterschrieben'],
  ['it is not signed', 'ist nicht unterschrieben'],
  ['no known key signed it', 'kein bekannter Schlüssel hat unterschrieben'],
  [
    'its leaf is not the one in the log ({1} holds another)',
    'das Blatt ist nicht das im Protokoll ({1} enthält ein anderes)',
  ],
  ['the leaves from {1} to {2} do not give its root', 'die Blätter {1} bis {2} ergeben nicht diese Wurzel'],
  ['the key {1} did not sign it', 'der Schlüssel {1} hat nicht unterschrieben'],
  [
    'it carries a signature that no key of the log made',
    'trägt eine Unterschrift, die kein Schlüssel des Protokolls gemacht hat',
  ],
  ['it does not hold the hashes of its leaves', 'enthält nicht die Prüfsummen der Blätter'],
  ['it does not continue the one of {1} leaves', 'setzt den Prüfpunkt über {1} Blätter nicht fort'],
  ['its size does not fit where it stands', 'die Größe passt nicht zu dieser Stelle'],
  ['no checkpoint covers the leaves from {1} on', 'ab Blatt {1} fehlt ein Prüfpunkt'],
  [
    'its keys are not the ones that the log was signed with',
    'die Schlüssel sind nicht die, mit denen das Protokoll unterschrieben ist',
  ],
  ['its hash {1} is not the root of the tile below', 'die Prüfsumme {1} ist nicht die Wurzel der Kachel darunter'],
  ['the log has no such tile', 'das Protokoll hat keine solche Kachel'],
  ['it is missing; {1} stands in its place', 'fehlt; an der Stelle steht {1}'],
  ['it is not as long as its name says', 'ist nicht so lang, wie der Name sagt'],
  ['it is missing', 'fehlt'],
  ['it has a leaf already, {1}, and may have only one', 'hat schon das Blatt {1}, und nur eines ist erlaubt'],
  ['it had ended at leaf {1} ([2])', 'war mit Blatt {1} zu Ende ([2])'],
  ['its leaf says it was added at a time that cannot be', 'laut Blatt wurde es zu einer unmöglichen Zeit hinzugefügt'],
  ['its leaf is younger than the export', 'das Blatt ist jünger als der Export'],
  ['it has more leaves than this verifier takes', 'hat mehr Blätter, als hier geprüft werden'],
  ['it is not a leaf in canonical form', 'ist kein Blatt in eindeutiger Form'],
  ['its leaf stands where {1} is due and says {2}', 'an der Stelle {1} steht ein Blatt mit der Nummer {2}'],
  ['its leaf is of another space', 'das Blatt gehört zu einem anderen Bereich'],
  ['a leaf does not have a known form', 'ein Blatt hat keine bekannte Form'],

  // Receipts.
  ['a proof is not a list of hashes', 'ein Nachweis ist keine Liste von Prüfsummen'],
  [
    'it has a member too many, or one is missing or of another kind',
    'hat eine Angabe zu viel oder zu wenig, oder eine von anderer Art',
  ],
  ['it has a member too many, or one is missing', 'hat eine Angabe zu viel oder zu wenig'],
  ['its leaf is of another log', 'das Blatt gehört zu einem anderen Protokoll'],
  [
    'the log that the checkpoint signs does not hold its leaf there',
    'das unterschriebene Protokoll hat an dieser Stelle ein anderes Blatt',
  ],
  ['a receipt has no such record', 'einen solchen Eintrag hat kein Beleg'],
  ['a receipt has one', 'ein Beleg hat nur einen'],
  ['it lacks the decision or the effect', 'die Entscheidung oder die Wirkung fehlt'],
  ['its approval is not the one of the effect', 'die Freigabe ist nicht die der Wirkung'],
  ['it is not the one that was decided', 'ist nicht die, die entschieden wurde'],
];

/** Records: decisions, effects, approvals, memory. */
const RECORDS: readonly SentencePair[] = [
  ['it says it has no leaf, and has one', 'hat angeblich kein Blatt, und hat doch eines'],
  ['no leaf of the log is left for it', 'dafür ist kein Blatt des Protokolls übrig'],
  ['it comes after records without a leaf', 'steht hinter Einträgen ohne Blatt'],
  [
    'it is there twice, out of order, or its leaf is not its last',
    'steht doppelt da, an falscher Stelle, oder mit einem überholten Blatt',
  ],
  ['its leaf is of another record: [1] {2}', 'das Blatt gehört zu einem anderen Eintrag: [1] {2}'],
  ['its record is missing', 'der Eintrag fehlt'],
  ['its leaf is not a number', 'die Nummer des Blatts ist keine Zahl'],
  ['its record does not have a known form', 'der Eintrag hat keine bekannte Form'],
  ['its record is of {1}', 'der Eintrag gehört zu {1}'],
  ['its leaf is of another record', 'das Blatt gehört zu einem anderen Eintrag'],
  ['it was changed: its hash is not the one in the log', 'wurde geändert: Die Prüfsumme ist nicht die im Protokoll'],
  ['it is younger than the export', 'ist jünger als der Export'],
  ['it is older than the merge delay and has no leaf', 'hat nach der Frist noch immer kein Blatt'],
  [
    'it changed longer ago than the merge delay, and the log does not say so',
    'wurde geändert, und nach der Frist steht das noch immer nicht im Protokoll',
  ],
  ['it has content where there can be none', 'hat einen Inhalt, wo keiner sein kann'],
  ['it is marked as forgotten, and has nothing to forget', 'gilt als vergessen, und hat nichts zu vergessen'],
  ['its content is missing, and it is not marked as forgotten', 'der Inhalt fehlt, ohne als vergessen zu gelten'],
  [
    'its content is missing, and no tombstone of the log covers it',
    'der Inhalt fehlt, und kein Löschvermerk des Protokolls deckt das',
  ],
  ['its content has no canonical form', 'der Inhalt hat keine eindeutige Form'],
  ['it follows commit {1}', 'folgt auf den Commit {1}'],
  ['its leaf names other changes', 'das Blatt nennt andere Änderungen'],
  ['object {1} did not have the hash it says', 'die Notiz {1} hatte nicht die genannte Prüfsumme'],
  ['its content holds another number of actions', 'der Inhalt hat eine andere Zahl von Handlungen'],
  ['its content holds another number of attempts', 'der Inhalt hat eine andere Zahl von Versuchen'],
  ['action {1} does not say whether it is withheld', 'Handlung {1} sagt nicht, ob sie zurückgehalten ist'],
  ['action {1} was changed', 'Handlung {1} wurde geändert'],
  ['the facts of action {1} were changed', 'die Tatsachen zu Handlung {1} wurden geändert'],
  ['the proposal of attempt {1} was changed', 'der Vorschlag von Versuch {1} wurde geändert'],
  ['its facts were changed', 'die Tatsachen wurden geändert'],
  ['its output was changed', 'die Ausgabe wurde geändert'],
  ['its definition was changed', 'die Definition wurde geändert'],
  ['its rule is not the one of its definition', 'die Zeitregel ist nicht die der Definition'],
  ['its files are not a list', 'die Dateien sind keine Liste'],
  ['its files are not the ones of its version', 'die Dateien sind nicht die dieser Fassung'],
  ['action {1} passed though a gate blocked it', 'Handlung {1} ging durch, obwohl eine Regel sie verbot'],
  ['the gate trace of action {1} is not complete: {2} is missing', 'bei Handlung {1} fehlen Urteile von Regeln: {2}'],
  ['its gate trace is not complete: {1} is missing', 'es fehlen Urteile von Regeln: {1}'],
  ['it was performed without a gate trace', 'wurde ausgeführt, ohne dass eine Regel urteilte'],
  ['it was performed though a gate blocked it', 'wurde ausgeführt, obwohl eine Regel es verbot'],
  ['it was performed though its decision blocked it', 'wurde ausgeführt, obwohl die Entscheidung es verbot'],
  [
    'a gate asked for a person, and it was performed without an approval or a grant',
    'eine Regel verlangte ein Ja, und es wurde ohne Freigabe und ohne Erlaubnis ausgeführt',
  ],
  ['there is no decision before it', 'davor gibt es keine Entscheidung'],
  ['its decision came after it', 'die Entscheidung kam erst danach'],
  ['its decision has no such action', 'die Entscheidung hat keine solche Handlung'],
  ['its action is not the one that was decided', 'die Handlung ist nicht die, die entschieden wurde'],
  ['its approval was given for another action', 'die Freigabe galt einer anderen Handlung'],
  ['its approval was not spent on it but is [1]', 'die Freigabe wurde nicht dafür verbraucht; ihr Stand: [1]'],
  ['it was spent after it had expired', 'wurde verbraucht, als sie schon verfallen war'],
  ['it was spent before anybody had given it', 'wurde verbraucht, bevor jemand sie gab'],
  ['it was spent after its action had been claimed', 'wurde erst verbraucht, als die Handlung schon begonnen war'],
  ['the approval it was performed with is not there', 'die Freigabe dazu fehlt'],
  ['it was spent twice: on {1} and on {2}', 'wurde zweimal verbraucht: für {1} und für {2}'],
];

/** Parts that are missing from a whole that agrees. */
const MISSING: readonly SentencePair[] = [
  [
    '{1} of {2} witnesses cosigned {3} of the {4} leaves: nobody else saw the others.',
    '{1} von {2} Zeugen haben {3} der {4} Blätter mitunterschrieben: Die anderen hat sonst niemand gesehen.',
  ],
  [
    '{1} action is withheld, and no approval card, first in the decision {2}: the log holds the hash, and the file does not show what was done.',
    '{1} Handlung, die keine Karte ist, wird zurückgehalten, in der Entscheidung {2}: Das Protokoll hat die Prüfsumme, und die Datei zeigt nicht, was getan wurde.',
  ],
  [
    '{1} actions are withheld, and no approval card, first in the decision {2}: the log holds the hash, and the file does not show what was done.',
    '{1} Handlungen, die keine Karten sind, werden zurückgehalten, zuerst in der Entscheidung {2}: Das Protokoll hat die Prüfsumme, und die Datei zeigt nicht, was getan wurde.',
  ],
  [
    'The anchor is newer than this export ({1} leaves, the file has {2}): use an older anchor or a newer export.',
    'Der Anker ist neuer als dieser Export ({1} Blätter, die Datei hat {2}): einen älteren Anker oder einen neueren Export nehmen.',
  ],
  [
    'The anchor is newer than this export ({1} leaves, the file has {2}), and signed by no key that the file knows: use an older anchor or a newer export.',
    'Der Anker ist neuer als dieser Export ({1} Blätter, die Datei hat {2}), und kein Schlüssel, den die Datei kennt, hat ihn unterschrieben: einen älteren Anker oder einen neueren Export nehmen.',
  ],
  [
    'The log is empty: there is nothing that a key could have signed.',
    'Das Protokoll ist leer: Es gibt nichts, was ein Schlüssel unterschrieben haben könnte.',
  ],
  [
    'Gate set {1} is missing, which the decision {2} names: traces judged under it were not checked for missing gates.',
    'Der Regelsatz {1} fehlt, den die Entscheidung {2} nennt: Ob dort Urteile von Regeln fehlen, wurde nicht geprüft.',
  ],
  [
    'The gate {1} lacks its code {2}: its verdicts cannot be replayed.',
    'Der Regel {1} fehlt ihr Code {2}: Ihre Urteile lassen sich nicht wiederholen.',
  ],
  [
    '{1} record is not held by a leaf of the log, first {2}: nothing signs what the file says of them. Earlier releases wrote the last minute like this; export again.',
    '{1} Eintrag hat kein Blatt im Protokoll, {2}: Nichts unterschreibt, was die Datei davon sagt. Frühere Versionen schrieben die letzte Minute so; noch einmal exportieren.',
  ],
  [
    '{1} records are not held by a leaf of the log, first {2}: nothing signs what the file says of them. Earlier releases wrote the last minute like this; export again.',
    '{1} Einträge haben kein Blatt im Protokoll, zuerst {2}: Nichts unterschreibt, was die Datei davon sagt. Frühere Versionen schrieben die letzte Minute so; noch einmal exportieren.',
  ],
];

/** Lines of a receipt: its proof, and the limits of that. */
const RECEIPT: readonly SentencePair[] = [
  ['proven:', 'bewiesen:'],
  ['not proven:', 'nicht bewiesen:'],
  [
    'the action has the hash {1}: it is the one shown here',
    'die Handlung hat die Prüfsumme {1}: Es ist die hier gezeigte',
  ],
  ['at a time it does not say', 'zu einer Zeit, die er nicht nennt'],
  ['the action has the hash {1}', 'die Handlung hat die Prüfsumme {1}'],
  [
    'it was decided {1}: {2} gates judged it; all let it pass',
    'entschieden {1}: {2} Regeln haben geurteilt; alle erlauben es',
  ],
  ['it was decided {1}: {2} gates judged it; {3}', 'entschieden {1}: {2} Regeln haben geurteilt; {3}'],
  ['a standing grant ({1}) let it pass', 'eine bestehende Erlaubnis ({1}) ließ es durch'],
  ['nobody was asked, and no gate asked for it', 'niemand wurde gefragt, und keine Regel verlangte es'],
  ['{1} approved exactly this hash {2}, spent {3}', '{1} gab genau diese Prüfsumme frei {2}, verbraucht {3}'],
  ['it ended as "{1}" {2}', 'geendet als "{1}" {2}'],
  [
    'the log {1} held all of this when it had [2]: the key {3} signed that',
    'das Protokoll {1} enthielt all das bei [2]: Der Schlüssel {3} hat es unterschrieben',
  ],
  ['the witness {1} saw that log {2}', 'der Zeuge {1} sah dieses Protokoll {2}'],
  [
    'that the key is the one of its owner: whoever wrote the file may have made it: give --key',
    'dass der Schlüssel der des Besitzers ist: Wer die Datei schrieb, kann ihn gemacht haben: --key angeben',
  ],
  ['what the action was: only its hash is here', 'was die Handlung war: Hier steht nur ihre Prüfsumme'],
  [
    'that nobody was shown another log: no witness that you named cosigned it',
    'dass niemandem ein anderes Protokoll gezeigt wurde: Kein genannter Zeuge hat mitunterschrieben',
  ],
  [
    'what the world did with it: the log holds what the program did and heard',
    'was die Welt daraus machte: Das Protokoll enthält, was das Programm tat und hörte',
  ],
  [
    'what came later, and that no gate was left out: an export shows that (evidence export)',
    'was später kam, und dass keine Regel fehlte: Das zeigt ein Export (evidence export)',
  ],
  ['that {1} more witness saw it, as --at-least demands', 'dass {1} Zeuge mehr es sah, wie --at-least verlangt'],
  ['that {1} more witnesses saw it, as --at-least demands', 'dass {1} Zeugen mehr es sahen, wie --at-least verlangt'],
];

/** Work of the verifier that is under way. */
const PROGRESS: readonly SentencePair[] = [
  ['checked {1} lines', '{1} Zeilen geprüft'],
  ['read {1} records', '{1} Einträge gelesen'],
  ['read {1} leaves', '{1} Blätter gelesen'],
  ['read waiting: {1} records are under way', 'es wartet: {1} Einträge sind unterwegs'],
  ['the server answered {1}', 'der Server antwortete mit {1}'],
];

/** The place of a fault. */
const PLACES: readonly SentencePair[] = [
  ['file line {1}: [2]', 'Datei, Zeile {1}: [2]'],
  ['WRONG: file line {1}: [2]', 'FALSCH: Datei, Zeile {1}: [2]'],
  ['CUT: file line {1}: [2]', 'ABGESCHNITTEN: Datei, Zeile {1}: [2]'],
  ['WRONG: [1] : <2>', 'FALSCH: [1]: <2>'],
  ['WRONG: [1]  (leaf {2}): <3>', 'FALSCH: [1] (Blatt {2}): <3>'],
  ['WRONG: [1] {2}: <3>', 'FALSCH: [1] {2}: <3>'],
  ['WRONG: [1] {2} (leaf {3}): <4>', 'FALSCH: [1] {2} (Blatt {3}): <4>'],
];

const COUNTS: readonly SentencePair[] = [
  ['1 leaf', '1 Blatt'],
  ['{1} leaves', '{1} Blätter'],
];

export const EVIDENCE_FAULTS: readonly SentencePair[] = [
  ...FORMS,
  ...RECORDS,
  ...MISSING,
  ...RECEIPT,
  ...PROGRESS,
  ...PLACES,
  ...EVIDENCE_WORK,
];

/** Words that are known within these sentences alone. */
export const EVIDENCE_PARTS: readonly SentencePair[] = [...EVIDENCE_KINDS, ...COUNTS];

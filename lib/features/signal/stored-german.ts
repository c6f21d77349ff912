/** German of what a text in Signal came to. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const SIGNAL_STORED: readonly SentencePair[] = [
  ['the Signal chat {1} was removed (/chats)', 'der Signal-Chat {1} wurde entfernt (/chats)'],
  ['a text to signal', 'ein Text an Signal'],
  ['the answer is not one of signal-cli', 'die Antwort ist keine von signal-cli'],
  ['signal-cli had an error ({1})', 'bei signal-cli gab es einen Fehler ({1})'],
  ['signal-cli refuses it ({1})', 'signal-cli lehnt es ab ({1})'],
  ['signal-cli could not be reached', 'signal-cli war nicht erreichbar'],
  ['signal-cli did not answer in time', 'signal-cli hat nicht rechtzeitig geantwortet'],
  ['signal-cli gave no answer', 'signal-cli gab keine Antwort'],
  ['Signal asks to wait', 'Signal bittet zu warten'],
  [
    'the safety number has changed: signal-cli trust says whether it is right',
    'die Sicherheitsnummer hat sich geändert: signal-cli trust sagt, ob sie stimmt',
  ],
  ['signal-cli did not say which message it sent', 'signal-cli sagte nicht, welche Nachricht es gesendet hat'],
  ['signal-cli does not give the file: [1]', 'signal-cli gibt die Datei nicht her: [1]'],
  ['signal-cli gave no bytes of the file', 'signal-cli gab den Inhalt der Datei nicht her'],
  ['this is not the name of a file', 'das ist kein Name einer Datei'],
  [
    '{1} must be ids of Signal accounts, or group. and the id of a group, separated by commas',
    '{1} müssen Kennungen von Konten bei Signal sein, oder group. und die Kennung einer Gruppe, mit Kommas getrennt',
  ],
];

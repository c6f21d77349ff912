/** German of why Slack did not do something, and of its places. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const SLACK_STORED: readonly SentencePair[] = [
  ['a text to slack', 'ein Text an Slack'],
  ['Slack could not be reached', 'Slack war nicht erreichbar'],
  ['Slack could not be reached ({1})', 'Slack war nicht erreichbar ({1})'],
  ['Slack did not answer in time', 'Slack hat nicht rechtzeitig geantwortet'],
  ['the connection ended before Slack answered', 'die Verbindung endete, bevor Slack antwortete'],
  ['the connection ended before Slack answered ({1})', 'die Verbindung endete, bevor Slack antwortete ({1})'],
  ['the answer is not one of Slack (HTTP {1})', 'die Antwort ist keine von Slack (HTTP {1})'],
  ['Slack had an internal error ({1})', 'bei Slack gab es einen Fehler ({1})'],
  ['Slack asks to wait', 'Slack bittet zu warten'],
  ['Slack does not answer just now', 'Slack antwortet gerade nicht'],
  ['Slack refuses the token in SLACK_BOT_TOKEN', 'Slack lehnt das Token in SLACK_BOT_TOKEN ab'],
  ['Slack refused the text: {1}', 'Slack hat den Text abgelehnt: {1}'],
  ['Slack has no voice notes of programs', 'Slack kennt keine Sprachnachrichten von Programmen'],
  ['Slack does not give the file: {1}', 'Slack gibt die Datei nicht her: {1}'],
  ['Slack does not give the file ({1})', 'Slack gibt die Datei nicht her ({1})'],
  ['Slack did not take the file ({1})', 'Slack hat die Datei nicht angenommen ({1})'],
  [
    'Slack did not say where the file is; send it again later',
    'Slack sagte nicht, wo die Datei liegt; später noch einmal senden',
  ],
  ['Slack named no place of the file that can be used', 'Slack nannte keinen brauchbaren Ort der Datei'],
  [
    'Slack did not give the file ({1}); send it again later',
    'Slack gab die Datei nicht her ({1}); später noch einmal senden',
  ],
  ['the Slack conversation {1} was removed (/chats)', 'das Slack-Gespräch {1} wurde entfernt (/chats)'],
];

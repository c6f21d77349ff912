/** German of the verbs of events. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const EVENT_STORED: readonly SentencePair[] = [
  [
    'which services sent events lately over webhooks, how many today, and why a request was refused',
    'welche Dienste zuletzt Ereignisse sendeten, wie viele heute, und warum eine Anfrage abgelehnt wurde',
  ],
  [
    'the newest events, of one service or of all, and what became of each',
    'die neuesten Ereignisse, von einem Dienst oder allen, und was daraus wurde',
  ],
  [
    'one event: what it says, what became of it, and its body',
    'ein Ereignis: was es sagt, was daraus wurde, und sein Inhalt',
  ],
  [
    'connect a service that sends events: makes its secret, and says where that and the address go',
    'einen Dienst verbinden, der Ereignisse sendet: macht sein Geheimnis und sagt, wohin es und die Adresse gehören',
  ],
  [
    'let a stored event come once more, as if its service had sent it now',
    'ein gespeichertes Ereignis noch einmal kommen lassen',
  ],
  [
    'the line that a form of yours would make of a stored event',
    'die Zeile, die eine eigene Form aus einem Ereignis machen würde',
  ],
  ['name of the service', 'Name des Dienstes'],
  ['id of the event, or its start', 'id des Ereignisses, oder ihr Anfang'],
  ['such as github', 'etwa github'],
  ['such as "{{service}} failed: {{url}}"', 'etwa "{{service}} fiel aus: {{url}}"'],
];

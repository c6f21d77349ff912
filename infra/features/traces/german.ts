/** German of traces on the command line. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const TRACES: readonly SentencePair[] = [
  ['{1} turns sent, the last ones {2}', 'Spuren von {1} Durchgängen gesendet, die letzten {2}'],
  [
    'must be name=value,name=value, with values percent-encoded',
    'muss name=value,name=value sein, die Werte in Prozentkodierung',
  ],
];

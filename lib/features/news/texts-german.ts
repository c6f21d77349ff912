/** The answer to `/news` and the texts of digests in German. */
import { DAYS } from '../../core/base/time-words-german.ts';
import type { NewsWords } from './texts.ts';

export const DE: NewsWords = {
  days: DAYS,
  kinds: {
    text: 'Text',
    other: 'anderes',
    // A service's name of an event is no German word with a plural.
    counted: (noun, count) => `${count} × ${noun}`,
    more: (count) => `${count} weitere`,
  },
  none: 'Kein Text eines Auftrags oder Dienstes kam gesammelt: Alle kamen einzeln.',
  older: (count) => (count === 1 ? '1 älterer.' : `${count} ältere.`),
  forgotten: '(gelöscht)',
  texts: 'Texte',
  more: (name, count, isKept) =>
    `${name}: ${count} weitere ${isKept ? 'während dieser Chat stumm war' : 'in dieser Stunde'}`,
  among: (count) => `, unter den neuesten ${count}`,
  notShown: (count, source) =>
    `(${count === 1 ? '1 älterer nicht gezeigt' : `${count} ältere nicht gezeigt`}; ganz: /news ${source})`,
};

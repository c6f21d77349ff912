/** The words about traces in German. */
import { DAYS } from '../../core/base/time-words-german.ts';
import type { TraceTexts } from './texts.ts';

const turns = (count: number): string => (count === 1 ? 'einem Durchgang' : `${count} Durchgängen`);

export const DE: TraceTexts = {
  days: DAYS,
  sent: (sent, at) => `Spuren von ${turns(sent)} gingen an den Sammler, zuletzt versucht ${at}.`,
  lost: (refused, left, spans) =>
    `Nicht dort: Spuren von ${turns(refused)} lehnte er ab, von ${left} warteten sie zu lange oder sind nicht lesbar, einzelne Spans: ${spans}.`,
};

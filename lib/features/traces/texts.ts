/** The words of `/status` about traces: fixed texts with times and counts filled in. */
import { textTable } from '../../core/base/language.ts';
import { DAYS } from '../../core/base/time-words.ts';
import { countWords } from '../../core/text/quoted.ts';

const EN = {
  days: DAYS,
  sent: (sent: number, at: string) =>
    `Traces of ${countWords(sent, 'turn')} were sent to the collector, last tried ${at}.`,
  lost: (refused: number, left: number, spans: number) =>
    `Not there: ${countWords(refused, 'turn')} it refused, ${left} that waited too long or cannot be read, ${countWords(spans, 'single span')}.`,
};
export type TraceTexts = typeof EN;

export const traceTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });

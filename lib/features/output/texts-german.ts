/** The answers about outputs in German; `texts.ts` has the names and values. */
import { DAYS } from '../../core/base/time-words-german.ts';
import { stateWordIn } from '../../core/verbs/signals/shown-words.ts';
import type { OutputTexts } from './texts.ts';

export const DE: OutputTexts = {
  days: DAYS,
  none: 'in den letzten Schritten hat hier kein Werkzeug etwas zurückgegeben',
  noneIn: (id) => `in ${id} hat kein Werkzeug etwas zurückgegeben, oder es ist gelöscht`,
  noNumber: (count) => `die letzten Schritte hier haben ${count} ${count === 1 ? 'Ausgabe' : 'Ausgaben'}`,
  noPart: (parts) => `es hat ${parts} ${parts === 1 ? 'Teil' : 'Teile'}`,
  head: (tool, state, time, id) => `${tool} (${state}), ${time}, ${id}:`,
  state: (state) => stateWordIn('de', state),
  outside: 'Worte anderer: Jede ihrer Zeilen beginnt mit >',
  cut: (chars) => `Die Ausgabe hatte ${chars} Zeichen; der Rest wurde nicht aufgehoben.`,
  part: (part, parts, rest) => `Teil ${part} von ${parts}.${rest === undefined ? '' : ` Der nächste: ${rest}`}`,
  other: (command, tool, time) => `${command}: ${tool}, ${time}`,
};

/** The words of a card in German. */

import { choiceWords, taskChoice } from '../approvals/similar.ts';
import { openForTask, openNames } from '../approvals/task-grant.ts';
import { showUsd } from '../base/money.ts';
import { inGerman } from '../language/stored-german.ts';
import { sentenceInGerman } from '../tools/sentences-german.ts';
import type { CardWords } from './card.ts';

const ENDINGS: Readonly<Record<Parameters<CardWords['ending']>[0], string>> = {
  done: 'Erledigt.',
  failed: 'Es ist gescheitert.',
  unknown: 'Ob es getan ist, ist nicht bekannt.',
  refused: 'Die Regeln haben es abgelehnt, als es getan werden sollte. Nichts wurde getan.',
  stopped: 'Es wurde vorher angehalten und wird nicht getan.',
};

const WHY_EXPIRED = {
  time: 'niemand hat rechtzeitig entschieden.',
  policy: 'die Regeln haben sich seit der Frage geändert, oder ihr Chat wurde entfernt.',
  refused: 'freigegeben, und vor der Ausführung abgelehnt.',
} as const;

const PLACES = { run: 'diesem Lauf', job: 'diesem Auftrag', conversation: 'diesem Gespräch' } as const;

const byAt = (who: string | undefined, time: string | undefined): string =>
  `${who === undefined ? '' : ` von ${who}`}${time === undefined ? '' : ` um ${time}`}`;

const mayDiffer: CardWords['mayDiffer'] = (loosened) => {
  const { words, numbers } = openNames(loosened);
  return [
    ...(words === '' ? [] : [`anderen Worten für ${words}`]),
    ...(numbers === '' ? [] : [`kleinerer Zahl für ${numbers}`]),
  ].join(' und ');
};

export const DE: CardWords = {
  sentence: sentenceInGerman,
  stored: inGerman,
  args: (json) => `Mit: ${json}`,
  exactly: (json) => `Genau: ${json}`,
  text: (text) => `Text: ${text}`,
  to: (to) => `An: ${to}`,
  address: (url) => `Adresse: ${url}`,
  modelSays: (why) => `Das Modell sagt, warum: ${why}`,
  why: (why) => `Warum: ${why}`,
  called: (tool, target) => `Aufruf: ${tool ?? 'message'} (${target})`,
  asked: (reason, isEach, gate) =>
    `Gefragt ${isEach ? 'jedes Mal ' : ''}wegen: ${reason}${gate === undefined ? '' : ` (${gate})`}`,
  asks: (reasons, isEach) => `Fragt ${isEach ? 'jedes Mal ' : ''}wegen: ${reasons}`,
  lookTwice: (line) => `Genau hinsehen: ${line}`,
  moreWords: (count) => `Genau hinsehen: ${count} weitere solche Wörter`,
  invisible: () => 'Genau hinsehen: Es enthält unsichtbare Zeichen, die unten ausgeschrieben sind',
  fromOutside: (source) => `Aus einem Text von außen: ${source.split(', ').map(inGerman).join(', ')}`,
  moreBelow: (count) => `${count} weitere unten`,
  costs: ({ usd, leftUsd }) =>
    `Kosten: ${usd === 0 ? 'keine' : `${showUsd(usd)}; ${showUsd(leftUsd)} bleiben für heute`}`,
  cameFrom: (requester, session, signal) => `Kam von: ${requester} in ${session}, ${signal}`,
  listed: (count, open) =>
    open === 0
      ? `${count} Handlungen einer Antwort:`
      : `${open} von ${count} Handlungen einer Antwort warten auf ein Ja:`,
  details: () => 'Einzelheiten:',
  detailsUntil: (time) => `Einzelheiten (wartet bis ${time} auf ein Ja):`,
  hint: (short) => `Oder: /approve ${short}, /deny ${short}`,
  actionHash: (sha256) => `SHA-256 der Handlung: ${sha256}`,
  inFile: (name, sha256) => `Alles steht in der Datei ${name}, SHA-256 ${sha256}`,
  place: (kind) => PLACES[kind],
  alsoOutside: (source) => `, auch wenn ein Text von außen sie will (${source})`,
  similar: (place, outside) =>
    `Diese Handlung freigeben, und genau diese in ${place} wieder ohne Frage erlauben${outside}:`,
  choice: (choice) => choiceWords(choice, 'de'),
  mayDiffer,
  openInTask: (approval) => `, auch mit ${mayDiffer(openForTask(approval))}`,
  aboutTask: (approval) =>
    `Nur für diese Aufgabe, innerhalb einer Stunde, noch bis zu ${taskChoice(0).uses}-mal dieses Werkzeug, auch mit ${mayDiffer(openForTask(approval))}. Alles andere bleibt gleich; was ein Text von außen will, fragt weiter.`,
  granted: ({ tool = 'Text', to }) => [
    `Neu ohne Frage möglich: ${tool}${to === undefined ? '' : ` an ${to}`}, genau wie unten.`,
  ],
  underWay: () => 'Es wird gerade getan.',
  ending: (ended) => ENDINGS[ended],
  waitsFor: (runner) => `Es wartet auf ${runner}.`,
  refusedBecause: (reason, id) =>
    `Die Regeln haben es abgelehnt, als es getan werden sollte: ${reason}. Nichts wurde getan. /why ${id}`,
  waitsUntil: (time) => `Wartet bis ${time} auf ein Ja.`,
  approved: (who, time, ending) => `FREIGEGEBEN${byAt(who, time)}. ${ending}`,
  denied: (who, time) => `ABGELEHNT${byAt(who, time)}. Es wurde nicht getan.`,
  expired: (time, why) => `VERFALLEN${byAt(undefined, time)}: ${WHY_EXPIRED[why]} Es wurde nicht getan.`,
};

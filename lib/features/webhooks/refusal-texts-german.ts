/** Why a request of a webhook's sender was refused, in German. Pure. */

import { inGerman } from '../../core/language/stored-german.ts';
import type { RefusalTexts } from './refusal-texts.ts';

const CURE = 'der Absender soll JSON senden';

export const DE: RefusalTexts = {
  stale: () => 'die Zeit der Unterschrift ist zu alt oder zu neu',
  noTime: () => 'die Zeit der Unterschrift fehlt oder ist keine',
  noSignature: () => 'die Unterschrift oder ihre Zeit fehlt oder ist keine',
  wrongSignature: () => 'die Unterschrift passt nicht',
  wrongSignatureOrTime: () =>
    'die Unterschrift passt nicht; hat Grafana einen Timestamp Header, braucht ihn der Eintrag als "time"',
  wrongToken: () => 'das Token passt nicht',
  wrongBodyHash: () => 'bodySHA256 passt nicht zum Inhalt',
  absent: (header) => `${header} fehlt`,
  malformed: (name) => `${name} hat eine falsche Form`,
  noneOrMalformed: (header) => `${header} fehlt oder hat eine falsche Form`,
  wrong: (header) => `${header} passt nicht`,
  manySignatures: (header) => `${header} enthält zu viele Unterschriften`,
  noSource: () => 'eine solche Quelle gibt es nicht',
  noSecret: () => 'es gibt kein Geheimnis',
  mistake: (sentence) => inGerman(String(sentence)),
  noMessage: () => 'der Inhalt ist keine Nachricht von SNS',
  otherTopic: () => 'die Nachricht gehört zu einem anderen Topic',
  manyLines: () => 'ein Feld mit einer Zeile hat mehrere',
  certificatePlace: () => 'das Zertifikat liegt nicht dort, wo Amazon das dieser Region hat',
  noCertificate: () => 'an seiner Adresse liegt kein X.509-Zertifikat',
  certificateTime: () => 'das Zertifikat gilt jetzt nicht',
  certificateName: () => 'das Zertifikat hat einen anderen Namen',
  compressed: () => 'der Inhalt ist komprimiert: ohne content-encoding senden',
  deep: (levels) => `der Inhalt ist über ${levels} Ebenen tief verschachtelt; die inneren als Text senden`,
  manyValues: (values) => `der Inhalt hat mehr als ${values} Werte; weniger auf einmal senden`,
  noObject: () => 'der Inhalt ist weder ein JSON-Objekt noch eine Liste',
  empty: () => `der Inhalt ist leer; ${CURE}`,
  markup: () => `der Inhalt ist XML oder HTML, kein JSON; ${CURE}`,
  formInParts: () => `der Inhalt ist ein Formular in Teilen, kein JSON; ${CURE}`,
  cut: () => `der Inhalt endet zu früh; ${CURE}`,
  noJson: (line) => `der Inhalt ist in Zeile ${line} kein gültiges JSON; ${CURE}`,
};

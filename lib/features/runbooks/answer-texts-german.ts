/** The answers to the verbs of runbooks in German. */
import { inGerman } from '../../core/language/stored-german.ts';
import type { RunbookAnswers } from './answer-texts.ts';

export const DE: RunbookAnswers = {
  stored: inGerman,
  skill: (skill, hash) => `Fähigkeit ${skill}, SHA-256 ${hash}`,
  ofSkill: (skill) => `(Fähigkeit ${skill})`,
  none: 'Es gibt kein Runbook.',
  noRuns: 'Noch ist kein Runbook gelaufen.',
  notFound: (name) => `es gibt kein Runbook und keinen Lauf ${name}; /runbook list, /runbook runs`,
  noRun: (id) => `es gibt keinen Lauf ${id}; /runbook runs nennt die neuesten`,
  noRunbook: (name) => `es gibt kein Runbook ${name}`,
  wasChanged: (name) => `das Runbook ${name} wurde seither geändert; es ist neu freizugeben`,
  isStopped: 'Der Lauf ist angehalten: Kein weiterer Schritt geschieht.',
  isAlready: (state) => `Der Lauf ist schon zu Ende: ${state}.`,

  runNow: (name) => `Ein Lauf von ${name} jetzt (nichts wurde getan):`,
  notKnown: (condition) => `nur wenn ${condition}, was noch nicht bekannt ist`,
  failsRun: (problem) => `der Lauf würde scheitern, an seiner Bedingung: ${problem}`,
  leftOut: (condition) => `würde ausgelassen: ${condition} ist nicht wahr`,
  wouldFail: (problem) => `würde scheitern: ${problem}`,
  openValues: 'Werte in {{ }} sind noch nicht bekannt.',
  ifTakenBack: 'Wenn er zurückgenommen wird:',
  asksModel: 'dem Modell würde eine Frage gestellt und bezahlt',
  aText: 'ein Text',
  to: (place) => ` an ${place}`,
  outcomes: { pass: 'würde getan', ask: 'würde vorher gefragt', block: 'würde abgelehnt' },
};

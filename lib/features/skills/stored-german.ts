/** German of the verbs of skills. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const SKILL_STORED: readonly SentencePair[] = [
  ['every skill, whether it is on, and what it may use', 'jede Fähigkeit, ob sie an ist, und was sie benutzen darf'],
  ['the text of a skill, or one of its files', 'der Text einer Fähigkeit, oder eine ihrer Dateien'],
  ['switch a skill on', 'eine Fähigkeit einschalten'],
  ['switch a skill off', 'eine Fähigkeit ausschalten'],
  ['the kind of model that answers with a skill', 'die Art von Modell, das mit einer Fähigkeit antwortet'],
  ['a setting that a skill declares', 'eine Einstellung einer Fähigkeit'],
  ['take a skill out of force', 'eine Fähigkeit entfernen'],
  ['put exactly these files in force, after a yes', 'genau diese Dateien in Kraft setzen, nach einem Ja'],
  [
    'keep a file of a large skill until it is added, or show one by its hash',
    'eine Datei einer großen Fähigkeit behalten, bis sie hinzugefügt ist, oder eine nach ihrer Prüfsumme zeigen',
  ],
  ['name of the skill', 'Name der Fähigkeit'],
  ['path of the file', 'Pfad der Datei'],
  ['what to keep, if it is no text', 'was bleiben soll, wenn es kein Text ist'],
  ['hash of the kept piece before it', 'Prüfsumme des Stücks davor'],
];

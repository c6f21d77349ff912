/** The answers about skills in German; `texts.ts` has their names and values. */
import { showUsd } from '../../core/base/money.ts';
import { inGerman } from '../../core/language/stored-german.ts';
import type { SkillTexts } from './texts.ts';

export const DE: SkillTexts = {
  builtIn: (name, isOn, tier, purpose, tools) =>
    `${name} (${isOn ? 'an' : 'aus'}, Stufe ${tier}): ${inGerman(purpose)}. Werkzeuge: ${tools}.`,
  state: (off) => (off === undefined ? 'an' : `aus: ${off}`),
  tier: (tier) => `Stufe ${tier}`,
  priority: (priority) => `Vorrang ${priority}`,
  trust: (trust) => (trust === 'owner' ? 'eigene' : 'von außen'),
  version: (hash) => `Fassung ${hash}`,
  settings: (values) => ` Einstellungen: ${values}.`,
  webhooks: (calls) => ` Webhooks: ${calls}.`,
  places: (names) => ` Namen für Texte: ${names}.`,
  shownIn: ({ runs, failures, ms, tokens, usd }) =>
    ` Gezeigt: ${[
      `in ${runs} ${runs === 1 ? 'Aufgabe' : 'Aufgaben'}`,
      ...(failures === 0 ? [] : [`${failures} gescheitert`]),
      `${(ms / 1000).toFixed(1)} s`,
      `${tokens} Token`,
      showUsd(usd),
    ].join(', ')}.`,
  endedCards: (count) =>
    count === 0
      ? []
      : [
          count === 1
            ? 'Neue Regeln: Eine wartende Karte ist damit verfallen; eine neue Bitte fragt wieder.'
            : `Neue Regeln: ${count} wartende Karten sind damit verfallen; eine neue Bitte fragt wieder.`,
        ],
  noSkill: 'eine solche Fähigkeit gibt es nicht; /skill list nennt alle',
  isMandatory: (name) => `die Einstellung MANDATORY_SKILLS nennt ${name}`,
  noSetting: (name, names) =>
    `die Fähigkeit ${name} hat ${names === '' ? 'keine Einstellungen' : `nur diese Einstellungen: ${names}`}`,
  isBuiltIn: (name) => `die Fähigkeit ${name} ist eingebaut; /skill off ${name} schaltet sie aus`,
  noFile: 'eine solche Datei gibt es nicht',
  pieceTooLarge: (bytes, max) => `sie hat ${bytes} Bytes: sende Stücke von höchstens ${max} Bytes`,
};

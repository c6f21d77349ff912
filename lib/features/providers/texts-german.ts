/** The texts of providers in German. */
import type { ProviderTexts } from './texts.ts';

export const DE: ProviderTexts = {
  needsUrl: (name) => `${name} braucht eine Adresse: /provider add ${name} https://…/v1`,
  otherUrl: (name, url) => `${name} ist unter ${url}; eine andere Adresse braucht einen anderen Namen`,
  ofEnvironment: (name) => `${name} steht in der Umgebung: dort PROVIDERS ändern`,
  noProvider: (name, those) => `einen Anbieter ${name} gibt es nicht; es gibt: ${those}`,
  notAdded: (name) => `${name} wurde nicht hier hinzugefügt: /provider off ${name} schaltet ihn aus`,
  isOff: (name) => `${name} ist schon aus`,
  isOn: (name) => `${name} wird schon gefragt`,
  oneOrTwo: 'hinter der Adresse steht ein Modell, oder ein kleines und ein großes',
  lastOne: 'das ist der einzige Anbieter, der gefragt wird; erst einen anderen einschalten, oder /stop',
  keyInChat: (name) =>
    `ein Schlüssel gehört in keinen Chat: Ich habe keinen behalten. Er wird in einem Terminal getippt, das ihn nicht zeigt: npx passepartout provider add ${name} … (oder auf der Seite unter Verwalten, provider). Konnten andere diesen Chat lesen, ist ein neuer Schlüssel nötig`,
  asked: (place) => `${place}.`,
  off: 'aus',
  tokens: (count) => `${count} Tokens`,
  price: (prompt, completion) => `$${prompt} hinein, $${completion} heraus je Million`,
  none: 'Kein Anbieter ist hier bekannt. Hinzufügen, in einem Terminal: npx passepartout provider add <name> <url> [model]',
  more: 'Gefragt wird der erste; scheitert er, der nächste. Ändern: /provider order, off, on, add, try, remove',
};

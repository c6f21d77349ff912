/** The answers to commands in German; `command-notices.ts` has their names and values. */

import { inGerman } from '../language/stored-german.ts';
import { APPROVER_SETTINGS } from '../signal/channels.ts';
import { askIn, HOME_CHOICES } from './code-choices.ts';
import { SPOKEN, type TEXTS } from './command-notices.ts';
import { joined } from './notices.ts';

const CHAT_NAMED = {
  open: 'Diese Gruppe ist offen: Fragt hier eine freigebende Person, lese ich das Gedächtnis und antworte daraus, und alle hier lesen das. /memory close beendet es.',
  ask: 'Fragt hier eine freigebende Person, lese ich das Gedächtnis; bevor eine Antwort daraus gesendet wird, frage ich privat. /memory close beendet es.',
  closed: 'In dieser Gruppe lese ich kein Gedächtnis mehr.',
} as const;

export const DE: typeof TEXTS = {
  help: (assistant, lines) =>
    joined([
      `Ich bin ${assistant}. Mit mir lässt sich in einfachen Worten reden; was ich tun will, prüfen vorher feste Regeln.`,
      '',
      ...lines,
    ]),
  helpAbout: joined,
  welcome: (assistant) =>
    joined([
      `Ich bin ${assistant}. Mit mir lässt sich in einfachen Worten reden, zum Beispiel:`,
      '– merk dir, dass mein Fahrrad blau ist',
      '– was weißt du über mein Fahrrad?',
      '– erinnere mich jeden Werktag um 8 ans Trinken',
      'Was ein Ja braucht, frage ich auf einer Karte. STOPP hält alles an, /help nennt alle Befehle.',
    ]),
  memory: joined,
  settingSet: (name, value, version) =>
    `${name} ist jetzt ${value}, in Fassung ${version} der Einstellungen. Das gilt innerhalb einer Minute.`,
  settingReset: (line) => `Was gesetzt war, ist zurückgenommen. ${line}`,
  chatCalled: (chats, name) =>
    chats.length === 1
      ? `Der Chat ${chats[0]} heißt ${name}. In einem Chat mit mir sendet ihm /send ${name} <text> einen Text.`
      : `Die Chats ${chats.join(', ')} heißen ${name}. In einem Chat mit mir sendet jedem von ihnen /send ${name} <text> einen Text.`,
  chatMuted: (chat, hours, zone) =>
    hours === 'off'
      ? `Der Chat ${chat} ist nicht mehr stumm. Was zurückgehalten war, kommt jetzt.`
      : `Der Chat ${chat} ist ${hours} stumm (${zone}): Antworten an Menschen dort werden gesendet, alles andere nach diesen Stunden.`,
  chatHears: (chat, state) =>
    state === 'all'
      ? `Ich antworte auf jede Nachricht: ${chat}. Telegram zeigt mir alle, sobald der „privacy mode“ aus ist: @BotFather, /setprivacy.`
      : `Ich antworte nur auf Befehle, auf Antworten an mich und auf Nachrichten, die mich nennen: ${chat}.`,
  languageSet: (language) => SPOKEN[language],
  undo: (newer, last, isOtherCode) =>
    [
      ...(isOtherCode && last !== undefined ? ['Das ist nicht der Code der letzten Änderung hier.'] : []),
      ...newer.map((words) => `Das lässt sich nicht zurücknehmen: ${words}`),
      last === undefined
        ? 'Ich habe hier keine Änderung gefunden, die sich zurücknehmen lässt: am Gedächtnis, an einem Auftrag, einer Einstellung oder einer Fähigkeit.'
        : `Die letzte Änderung hier: ${last.words}\nZum Zurücknehmen: /undo ${last.code}`,
    ].join('\n'),
  ingestUsage: () =>
    '/ingest gehört unter eine Datei oder in die Antwort auf eine: Ihr Text kommt nach einem Ja ins Gedächtnis.',
  chatNotCalled: (name) => `Kein Chat heißt mehr ${name}.`,
  eventSentAgain: (source, event, id) =>
    `${source}/${event} kommt noch einmal, als ${id}. Was daraus wird: /hooks show ${id}`,
  identity: joined,
  skills: joined,
  runbooks: joined,
  model: (choice, isSet, providers) =>
    [
      isSet
        ? `Von jetzt an ist das Modell für dieses Gespräch ${choice}.`
        : `Das Modell für dieses Gespräch: ${choice}. Eine freigebende Person kann es ändern: /model auto, cognition, reasoning oder <provider>/<model>.`,
      providers === ''
        ? 'Ein Modell oder Anbieter, der nicht eingerichtet ist, zählt als auto.'
        : `Eingerichtet, in der Reihenfolge, in der gefragt wird: ${providers}.`,
    ].join(' '),

  unknownCommand: (name, meant = '') =>
    `Den Befehl /${name} kenne ich nicht${meant === '' ? '.' : `: War /${meant} gemeint?`} /help nennt alle, die ich kenne.`,
  usage: (line) => `Dieser Befehl braucht eine andere Form: ${inGerman(line)}`,
  notSet: (problem, form = '') =>
    `Nichts wurde geändert: ${inGerman(problem)}.${form && `\nDie Form: ${inGerman(form)}.`}`,
  notShown: (problem, form = '') =>
    `Das lässt sich nicht zeigen: ${inGerman(problem)}.${form && `\nDie Form: ${inGerman(form)}.`}`,
  mayNotCommand: (name, shownBy) =>
    shownBy === undefined
      ? `Den Befehl /${name} kann nur eine freigebende Person geben.`
      : `Das kann nur eine freigebende Person ändern; ${shownBy} zeigt es.`,
  mayNotChangeMemory: () => 'Ins Gedächtnis sehen oder es so ändern kann nur eine freigebende Person.',
  notInThisGroup: (name) =>
    `Alle hier würden lesen, was /${name} zeigt. Im privaten Chat mit mir geht es, oder nach /memory open auch in dieser Gruppe.`,
  chatNamed: (as) => CHAT_NAMED[as],
  paired: (mayBeHome) =>
    joined([
      'Dieser Chat ist gekoppelt. /help sagt, was ich kann.',
      ...(mayBeHome
        ? askIn('de', 'Soll ich hier auch ungefragt schreiben, etwa Ereignisse und Warnungen?', HOME_CHOICES)
        : []),
    ]),
  pairedGroup: () =>
    joined([
      'Diese Gruppe ist gekoppelt. Ich antworte auf Befehle, auf Antworten an mich und auf Nachrichten, die mich nennen; nach /chats listen all auf jede Nachricht.',
      `Alle hier dürfen mich fragen. Ändern, oder zu einer Karte Ja sagen, darf nur eine freigebende Person: wer in ${APPROVER_SETTINGS} steht oder, ohne diese Einstellung, wessen privater Chat mit mir gekoppelt ist. Worte anderer gelten als Worte von Fremden.`,
      '/help sagt, was ich kann.',
    ]),
  codeEnded: () =>
    `Diese Gruppe ist gekoppelt. Alle hier haben diesen Code gelesen, also öffnet er keinen anderen Chat: "npx passepartout pair" macht einen neuen.`,
  wrongCode: () => `Das ist kein gültiger Code (mehr). "npx passepartout pair" zeigt die Zeile, die hierher gehört.`,
};

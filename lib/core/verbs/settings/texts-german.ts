/** The answers about settings in German; `texts.ts` has their names and values. */
import type { SettingTexts } from './texts.ts';

const IDENTITY = { name: 'Mein Name', owner: 'Wem ich gehöre', style: 'Wie ich spreche' } as const;

const SOURCES = { environment: 'aus der Umgebung', default: 'Vorgabe' } as const;

export const DE: SettingTexts = {
  identity: (field) => IDENTITY[field],
  noOwner: 'wie die Einstellung MEMEX_USER es sagt, falls gesetzt',
  usualStyle: 'wie üblich: kurz, in der Sprache der Frage',

  notSet: 'nicht gesetzt',
  from: ({ from, by }, time) => (from === 'stored' ? `gesetzt von ${by} am ${time} UTC` : SOURCES[from]),
  version: (version) =>
    `Fassung ${version}. Zum Ändern: /config set <name> <value>. Alle anderen: in .env, dann ein Neustart.`,
  keysStay:
    'Schlüssel bleiben in der Umgebung: PROVIDER_CASCADE schaltet jeden Anbieter ein, der dort seinen Schlüssel hat, und PROVIDERS einen ohne Schlüssel.',
  noSetting: (name, isFixed, live) =>
    `${isFixed ? `${name} lässt sich nicht im Betrieb ändern` : `eine Einstellung ${name} gibt es nicht`}; ändern lassen sich: ${live}`,
  needsValue: (name) => `${name} braucht einen Wert; /config reset ${name} nimmt zurück, was gesetzt war`,
  skillMissing: (name, why) => `die Fähigkeit ${name} fehlt (${why})`,

  modelForm: 'möglich sind auto, cognition, reasoning oder <provider>/<model>',
  noProvider: (name, those) => `der Anbieter ${name} ist nicht eingerichtet; eingerichtet: ${those}`,

  notNamed: (chat) => `kein Chat heißt ${chat}; /chats nennt alle`,
  namesSeveral: (chat) => `${chat} heißen mehrere Chats; nötig ist einer davon`,
  takesNoText: (webhook) =>
    `die Felder des Webhooks ${webhook} haben keinen Platz für einen Text; call-webhook sendet sie`,
  nameTaken: (name) => `${name} heißt schon ein anderer Ort`,
  mostChats: (most) => `ein Name gilt für höchstens ${most} Chats`,
  webhookNamed: 'ein Webhook hat seinen Namen schon; er kann einer von mehreren sein: mum,team',
  sameConversation: 'das ist eben dieses Gespräch; nötig ist ein anderer Ort',
  onlyGroups:
    'das gibt es nur in Gruppen: Im privaten Chat antworte ich auf jede Nachricht. Eine Gruppe steht dahinter',
  thisGroup: 'diese Gruppe',
  noNames: 'Kein Chat hat einen Namen. Einen geben: /chats name <chat> <name>',
};

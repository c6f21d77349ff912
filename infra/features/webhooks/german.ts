/** The steps of webhooks in the set-up, in German. Pure. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const WEBHOOK_SETUP: readonly SentencePair[] = [
  [
    'A webhook that the agent may call, each time with your yes',
    'Ein Webhook, den der Agent aufrufen darf, jedes Mal nach einem Ja',
  ],
  ['None is set.', 'Keiner ist gesetzt.'],
  ['Set: {1}.', 'Gesetzt: {1}.'],
  [
    'Its address (https://…), or a service such as slack; empty for none',
    'Seine Adresse (https://…), oder ein Dienst wie slack; leer für keinen',
  ],
  [
    'It begins with https://, is on this machine, or is one of {1}.',
    'Sie beginnt mit https://, liegt auf diesem Rechner oder ist eins von {1}.',
  ],
  ['It begins with https://.', 'Sie beginnt mit https://.'],
  ['A name for it, such as deploy', 'Ein Name dafür, etwa deploy'],
  ['One word of small letters, digits and "-".', 'Ein Wort aus kleinen Buchstaben, Ziffern und "-".'],
  ['How does it know that a call is yours?', 'Woran erkennt er einen eigenen Aufruf?'],
  [
    'by a signature (Standard Webhooks): repeats do no harm',
    'an einer Signatur (Standard Webhooks): Wiederholungen schaden nicht',
  ],
  ['by a bearer token', 'an einem Bearer-Token'],
  ['by its address alone', 'nur an seiner Adresse'],
  ['Its token (not shown)', 'Sein Token (wird nicht gezeigt)'],
  ['Its token (not shown): [1]', 'Sein Token (wird nicht gezeigt): [1]'],
  ['Its key (not shown): [1]', 'Sein Schlüssel (wird nicht gezeigt): [1]'],
  ['Its address: [1]', 'Seine Adresse: [1]'],
  ['The receiver checks each call with this secret:', 'Der Empfänger prüft jeden Aufruf mit diesem Geheimnis:'],
  ['Send one test call to it now?', 'Jetzt einen Probeaufruf senden?'],
  ['Calling it', 'Der Aufruf läuft'],
  ['It took the test call.', 'Der Probeaufruf kam an.'],
  ['It did not take the test call: [1].', 'Der Probeaufruf kam nicht an: [1].'],
  ['it answered with status {1}', 'die Antwort war Status {1}'],
  ['it is not reachable: {1}', 'nicht erreichbar: {1}'],
  ['its secret cannot sign', 'mit seinem Geheimnis lässt sich nicht unterschreiben'],
  ['Take it all the same?', 'Trotzdem nehmen?'],
  ['That cannot be used: [1].', 'Das ist nicht brauchbar: [1].'],
  ['A service that sends events here, such as github', 'Ein Dienst, der Ereignisse hierher sendet, etwa github'],
  ['Which service, empty for none', 'Welcher Dienst, leer für keinen'],
  ['A name for it, which becomes the end of its address', 'Ein Name dafür, mit dem seine Adresse endet'],
  ['Its {1}', 'Angabe {1}'],
  ['It is needed.', 'Das ist nötig.'],
  ['Where the service has its secret: [1].', 'Wo der Dienst sein Geheimnis hat: [1].'],
  ['WEBHOOK_SECRETS: <1>.', 'WEBHOOK_SECRETS: <1>.'],
  ['The secret it shows (not shown here)', 'Das Geheimnis, das er zeigt (wird hier nicht gezeigt)'],
  [
    'The secret it shows (not shown here); empty to make one',
    'Das Geheimnis, das er zeigt (wird hier nicht gezeigt); leer, um eines zu machen',
  ],
  [
    '{1} makes its secret itself: paste that one, or leave with Ctrl-C.',
    '{1} macht sein Geheimnis selbst: dieses einfügen, oder mit Ctrl-C gehen.',
  ],
  ['Give it this secret:', 'Dort dieses Geheimnis eintragen:'],
  [
    'Give it this address: https://<the public address of this stack>/webhook/{1}',
    'Dort diese Adresse eintragen: https://<die öffentliche Adresse dieses Stacks>/webhook/{1}',
  ],
  ['Give it this address: {1}', 'Dort diese Adresse eintragen: {1}'],
  [
    'That is a tunnel to this machine, or what "npm run deploy" prints (infra/webhooks.md).',
    'Das ist ein Tunnel zu diesem Rechner, oder was "npm run deploy" ausgibt (infra/webhooks.md).',
  ],
  [
    'There are {1}. For any other: hmac, bearer, basic, header-token or path-token.',
    'Es gibt {1}. Für jeden anderen: hmac, bearer, basic, header-token oder path-token.',
  ],
];

/** Places where other services show addresses and secrets; the names of their own pages stay. */
export const WEBHOOK_PLACES: readonly SentencePair[] = [
  ['as its receiver gives it', 'wie der Empfänger sie nennt'],
  ['https://ntfy.sh/ and the name of your topic', 'https://ntfy.sh/ und der Name des Topics'],
  ['its address, and then {1}', 'seine Adresse, und dann {1}'],
  ['your app, {1}', 'die App, {1}'],
  ['the channel, {1}', 'der Kanal, {1}'],
  ['your profile, {1}', 'das Profil, {1}'],
  ['the service, {1}', 'der Dienst, {1}'],
  ['your app, Basic Information: Signing Secret; then {1}', 'die App, Basic Information: Signing Secret; danach {1}'],
  [
    'your app, Settings, Basic: App secret; Webhooks: Verify token is the verifyToken you chose here',
    'die App, Settings, Basic: App secret; unter Webhooks gehört der hier gewählte verifyToken als Verify token',
  ],
  ['your application, {1}; then {2}', 'die Anwendung, {1}; danach {2}'],
  ['repository, {1}', 'das Repository, {1}'],
  ['repository or organisation, {1}', 'Repository oder Organisation, {1}'],
  ['project or group, {1}, or Secret token', 'Projekt oder Gruppe, {1}, oder Secret token'],
  ['form, {1}', 'das Formular, {1}'],
  ['Workbench, Webhooks, your endpoint: {1}', 'Workbench, Webhooks, der Endpunkt: {1}'],
  ['Settings, Custom Integrations, your integration: {1}', 'Settings, Custom Integrations, die Integration: {1}'],
  [
    "Settings, Notifications, Webhooks: the line under the list; or your app's client secret",
    'Settings, Notifications, Webhooks: die Zeile unter der Liste; oder das Client Secret der App',
  ],
  ['{1}: the secret is shown once', '{1}: das Geheimnis wird nur einmal gezeigt'],
  [
    '{1}: Secret; if you fill Timestamp Header too, the entry needs it as "time"',
    '{1}: Secret; steht dort auch ein Timestamp Header, braucht ihn der Eintrag als "time"',
  ],
  [
    '{1}: Auth token; url is the address as you gave it to Twilio',
    '{1}: Auth token; url ist die Adresse, wie sie bei Twilio steht',
  ],
  [
    'Amazon SNS, Topics, your topic, Create subscription, HTTPS (no raw delivery); the secret is the topic ARN',
    'Amazon SNS, Topics, das Topic, Create subscription, HTTPS (ohne raw delivery); das Geheimnis ist die ARN des Topics',
  ],
  [
    'the sender takes or shows a signing secret that begins with whsec_',
    'der Absender nimmt oder zeigt eines, das mit whsec_ beginnt',
  ],
  ['wherever the sender takes a secret', 'wo immer der Absender eines nimmt'],
  ['any header that the sender can set', 'in jedem Header, den der Absender setzen kann'],
  ['the header Authorization: Bearer …', 'im Header Authorization: Bearer …'],
  [
    'user name and password of HTTP Basic authentication; the secret is user:password',
    'Name und Passwort der HTTP-Basic-Anmeldung; das Geheimnis ist Name:Passwort',
  ],
  [
    'the end of the address: …/webhook/<source>/<secret>. This is weak: addresses stand in logs',
    'am Ende der Adresse: …/webhook/<Quelle>/<Geheimnis>. Das ist schwach: Adressen stehen in Logs',
  ],
];

/** Findings of doctor and health, what mends them, and lines about machines, in German. Pure. */
import type { SentencePair } from './sentence-speaker.ts';

const SET_UP = 'npx passepartout setup --only model, then start again';
const SET_UP_GERMAN = 'npx passepartout setup --only model, dann neu starten';

const STACK: readonly SentencePair[] = [
  [
    'the last heartbeat was {1} seconds ago: if it stays away, "npm start" or "npm run deploy" again',
    'der letzte Herzschlag war vor {1} Sekunden: Bleibt er aus, "npm start" oder "npm run deploy" wiederholen',
  ],
  [
    'there has been no heartbeat yet (infra/troubleshooting.md#no-answer)',
    'es gab noch keinen Herzschlag (infra/troubleshooting.md#no-answer)',
  ],
  [
    '{1} of the newest signals could not be handled in the last hour (npx passepartout signals --state dead-lettered)',
    'an {1} der neuesten Meldungen konnte in der letzten Stunde nicht gearbeitet werden (npx passepartout signals --state dead-lettered)',
  ],
  [
    '{1} signal still under way, the oldest for [2]: /why {3}',
    '{1} Meldung ist noch in Arbeit, die älteste seit [2]: /why {3}',
  ],
  [
    '{1} signals still under way, the oldest for [2]: /why {3}',
    '{1} Meldungen sind noch in Arbeit, die älteste seit [2]: /why {3}',
  ],
  ['{1} minute', '{1} Minute'],
  ['{1} minutes', '{1} Minuten'],
  ['{1} hours', '{1} Stunden'],
  ['{1} days', '{1} Tagen'],
  [
    'Telegram refuses the token in TELEGRAM_BOT_TOKEN since {1}: [2] for a valid one (npx passepartout setup --only telegram)',
    'Telegram lehnt seit {1} das Token in TELEGRAM_BOT_TOKEN ab: [2] auf ein gültiges (npx passepartout setup --only telegram)',
  ],
  [
    'Telegram takes no messages since {1}: [2] and will be sent (infra/troubleshooting.md#telegram)',
    'Telegram nimmt seit {1} keine Nachrichten an: [2] und wird noch gesendet (infra/troubleshooting.md#telegram)',
  ],
  ['{1} text waits', '{1} Text wartet'],
  ['{1} texts wait', '{1} Texte warten'],
  ['{1} or more texts wait', '{1} oder mehr Texte warten'],
  [
    'the embeddings endpoint refuses its key: npx passepartout setup --only keys (infra/operating.md#rotate-a-secret)',
    'der Anbieter der Vektoren (embeddings) lehnt seinen Schlüssel ab: npx passepartout setup --only keys (infra/operating.md#rotate-a-secret)',
  ],
  [
    'stopped: nothing is done until an approver resumes it: /resume',
    'angehalten: Nichts wird getan, bis eine freigebende Person fortsetzt: /resume',
  ],
  [
    'the table is not reachable (infra/troubleshooting.md#no-answer)',
    'die Tabelle ist nicht erreichbar (infra/troubleshooting.md#no-answer)',
  ],
  [
    'no language model is configured: npx passepartout setup --only model, then start again',
    'kein Sprachmodell ist eingerichtet: npx passepartout setup --only model, dann neu starten',
  ],
  ['nothing can be stored: [1]', 'nichts lässt sich speichern: [1]'],
  [
    'the newest backup is {1} days old: npx passepartout backup <file>',
    'die neueste Sicherung ist {1} Tage alt: npx passepartout backup <file>',
  ],
  [
    '{1} events of the webhook source {2} were refused today, over its quota: let it send fewer (infra/troubleshooting.md#the-model)',
    '{1} Ereignisse der Webhook-Quelle {2} wurden heute abgelehnt, weil sie zu viele sendet: Sie soll weniger senden (infra/troubleshooting.md#the-model)',
  ],
  ['the evidence log stands still: {1} ({2})', 'das Protokoll steht still: {1} ({2})'],
  [
    'the newest checkpoint is not anchored: its folder or bucket does not take it: ANCHOR_DIR, ANCHOR_BUCKET ({1})',
    'der neueste Prüfpunkt ist nicht verankert: Sein Ordner oder Bucket nimmt ihn nicht an: ANCHOR_DIR, ANCHOR_BUCKET ({1})',
  ],
  ['the witness {1} ({2})', 'der Zeuge {1} ({2})'],
  ["today's budget is used up", 'das Budget von heute ist verbraucht'],
  [
    "today's budget is used up: /budget shows the caps",
    'das Budget von heute ist verbraucht: /budget zeigt die Grenzen',
  ],
  [
    "{1} % of today's budget is used: /budget shows the caps",
    '{1} % des Budgets von heute sind verbraucht: /budget zeigt die Grenzen',
  ],
  [
    'the skill {1} failed {2} times in {3} turns: /skill show {4}, or /skill remove {5}',
    'die Fähigkeit {1} ist in {3} Aufgaben {2}-mal gescheitert: /skill show {4} oder /skill remove {5}',
  ],
  [
    'the MCP server {1} changed 1 accepted tool, off until it is accepted again: /mcp list',
    'der MCP-Server {1} hat 1 angenommenes Werkzeug geändert; es ist aus, bis es wieder angenommen ist: /mcp list',
  ],
  [
    'the MCP server {1} changed {2} accepted tools, off until it is accepted again: /mcp list',
    'der MCP-Server {1} hat {2} angenommene Werkzeuge geändert; sie sind aus, bis sie wieder angenommen sind: /mcp list',
  ],
  ['{1} signals still under way, the oldest for {2}', '{1} Meldungen sind noch in Arbeit, die älteste seit {2}'],
  ['the console does not answer', 'die Konsole antwortet nicht'],
];

const JOBS: readonly SentencePair[] = [
  [
    'moments of [1] wait, the oldest since {2}: the next heartbeats take them (/jobs list)',
    'Termine warten ([1]), der älteste seit {2}: Die nächsten Herzschläge holen sie nach (/jobs list)',
  ],
  ['{1} job', '{1} Auftrag'],
  ['{1} jobs', '{1} Aufträge'],
  ['at least {1} jobs', 'mindestens {1} Aufträge'],
  [
    'the job {1} is [2]: /jobs history {3}, then /jobs resume {4}',
    'der Auftrag {1} ist [2]: /jobs history {3}, dann /jobs resume {4}',
  ],
  [
    'the job {1} missed its moment of {2}: /jobs run {3} runs it now',
    'der Auftrag {1} hat seinen Termin {2} verpasst: /jobs run {3} holt ihn jetzt nach',
  ],
  ['paused after {1} failures in a row', 'pausiert, nachdem er {1}-mal nacheinander gescheitert ist'],
  ['paused because its condition fails', 'pausiert, weil seine Bedingung scheitert'],
  ['paused', 'pausiert'],
  ['resumed', 'fortgesetzt'],
  ['removed', 'entfernt'],
];

const MODELS: readonly SentencePair[] = [
  [
    'no language model has answered since {1}; [2] (infra/troubleshooting.md#the-model)',
    'seit {1} hat kein Sprachmodell geantwortet; [2] (infra/troubleshooting.md#the-model)',
  ],
  [
    'no language model has been reachable since {1}; [2] (infra/troubleshooting.md#the-model)',
    'seit {1} ist kein Sprachmodell erreichbar; [2] (infra/troubleshooting.md#the-model)',
  ],
  ['{1} conversation waits', '{1} Gespräch wartet'],
  ['{1} conversations wait', '{1} Gespräche warten'],
  ['the model provider [1]: [2]', 'der Anbieter [1]: [2]'],
  ['[1] (asked at {2})', '[1] (gefragt um {2})'],
  ['{1} limits how often it may be asked', '{1} begrenzt, wie oft er gefragt werden darf'],
  ['{1} is not reachable', '{1} ist nicht erreichbar'],
  ['{1} did not answer in time', '{1} hat nicht rechtzeitig geantwortet'],
  ['{1} failed on its side', '{1} hat selbst eine Störung'],
  ['{1} refuses the key', '{1} lehnt den Schlüssel ab'],
  ['{1} does not permit this, though it knows the key', '{1} erlaubt das nicht, obwohl er den Schlüssel kennt'],
  ['{1} has no credit left', '{1} hat kein Guthaben mehr'],
  ['{1} knows no such model at this address', '{1} kennt an dieser Adresse kein solches Modell'],
  ['{1} takes no tools', '{1} nimmt keine Werkzeuge an'],
  ['{1} says the prompt is too long', '{1} sagt, die Anfrage sei zu lang'],
  ['{1} refuses such content', '{1} lehnt solchen Inhalt ab'],
  ['{1} refused the request', '{1} hat die Anfrage abgelehnt'],
  ['{1} answers in another format', '{1} antwortet in einem anderen Format'],
  ['{1} gave an empty answer', '{1} gab eine leere Antwort'],
  ['{1} was not asked', '{1} wurde nicht gefragt'],
  ['{1} failed in an unknown way', '{1} ist aus unbekanntem Grund gescheitert'],
  [
    'wait, or let it raise the limit of this key ({1})',
    'warten, oder dort die Grenze dieses Schlüssels anheben lassen ({1})',
  ],
  [
    'it is tried again by itself; see to its address and the network ({1})',
    'es wird von selbst wieder versucht; Adresse und Netz prüfen ({1})',
  ],
  [
    'it is tried again by itself; a smaller model answers sooner ([1])',
    'es wird von selbst wieder versucht; ein kleineres Modell antwortet schneller ([1])',
  ],
  [
    'it is tried again by itself; its own status page says more ({1})',
    'es wird von selbst wieder versucht; seine eigene Seite zum Betrieb sagt mehr ({1})',
  ],
  ['put a valid one in {1} ([2])', 'einen gültigen in {1} setzen ([2])'],
  [
    'let it permit the model to your account, project and region, or choose another model ([1])',
    'das Modell dort für Konto, Projekt und Region erlauben lassen, oder ein anderes wählen ([1])',
  ],
  ['add credit to its account ({1})', 'Guthaben auf das Konto laden ({1})'],
  ['choose one that it has, or mend the address ([1])', 'eines wählen, das er hat, oder die Adresse berichtigen ([1])'],
  [
    'choose a model that takes tools ([1]), or say "tools": false of it in PROVIDERS',
    'ein Modell wählen, das Werkzeuge annimmt ([1]), oder in PROVIDERS "tools": false dazu schreiben',
  ],
  ['choose a model with a larger context window ([1])', 'ein Modell mit größerem Kontextfenster wählen ([1])'],
  ['ask in other words, or choose another model ([1])', 'anders fragen, oder ein anderes Modell wählen ([1])'],
  ['choose another model or address ([1])', 'ein anderes Modell oder eine andere Adresse wählen ([1])'],
  ['mend the address, which often ends in /v1 ([1])', 'die Adresse berichtigen; oft endet sie mit /v1 ([1])'],
  ['ask again, or choose another model ([1])', 'noch einmal fragen, oder ein anderes Modell wählen ([1])'],
  ['send it again', 'noch einmal senden'],
  ['send it again; the log may say more ({1})', 'noch einmal senden; das Log sagt vielleicht mehr ({1})'],
  [SET_UP, SET_UP_GERMAN],
];

const MACHINES: readonly SentencePair[] = [
  [
    'the machine {1} runs release {2}, the stack {3}: bring it to the same, then npx passepartout runner start {4}',
    'auf dem Rechner {1} läuft Version {2}, hier {3}: auf dieselbe bringen, dann npx passepartout runner start {4}',
  ],
  ['the machine {1}: [2] ([3] for it): {4}', 'der Rechner {1}: [2] ([3]): {4}'],
  ['{1} call', '{1} Aufruf wartet'],
  ['{1} calls', '{1} Aufrufe warten'],
  ['Machine {1}: [2].', 'Rechner {1}: [2].'],
  [
    'Machine {1}: [2]; for it {3} call waits, the first until {4}.',
    'Rechner {1}: [2]; auf ihn wartet {3} Aufruf, bis {4}.',
  ],
  [
    'Machine {1}: [2]; for it {3} calls wait, the first until {4}.',
    'Rechner {1}: [2]; auf ihn warten {3} Aufrufe, der erste bis {4}.',
  ],
  [
    'paused: two copies of its folder were at work; end both, start one, and resume it, [1]',
    'pausiert: Zwei Kopien seines Ordners waren am Werk; beide beenden, eine starten und ihn fortsetzen, [1]',
  ],
  [
    'paused: two copies of its folder were at work; end both, start one, and resume it',
    'pausiert: Zwei Kopien seines Ordners waren am Werk; beide beenden, eine starten und ihn fortsetzen',
  ],
  [
    'On your machine: {1} ([2]: it would wait for an hour at most)',
    'Auf dem eigenen Rechner: {1} ([2]: es würde höchstens eine Stunde warten)',
  ],
  ['{1} ([2]: it would wait for an hour at most)', '{1} ([2]: es würde höchstens eine Stunde warten)'],
  ['On your machine: {1}', 'Auf dem eigenen Rechner: {1}'],
  ['ready, [1]', 'bereit, [1]'],
  ['paused, [1]', 'pausiert, [1]'],
  ['stopped, [1]', 'beendet, [1]'],
  ['away, [1]', 'nicht da, [1]'],
  ['never started', 'nie gestartet'],
  ['last seen [1]', 'zuletzt gesehen [1]'],
  ['just now', 'gerade eben'],
  ['{1} minute ago', 'vor {1} Minute'],
  ['{1} minutes ago', 'vor {1} Minuten'],
  ['{1} hour ago', 'vor {1} Stunde'],
  ['{1} hours ago', 'vor {1} Stunden'],
  ['{1} day ago', 'vor {1} Tag'],
  ['{1} days ago', 'vor {1} Tagen'],
  ['{1}: ready, [2]', '{1}: bereit, [2]'],
  ['{1}: paused, [2]', '{1}: pausiert, [2]'],
  ['{1}: stopped, [2]', '{1}: beendet, [2]'],
  ['{1}: away, [2]', '{1}: nicht da, [2]'],
  [
    '{1}: paused: two copies of its folder were at work; end both, start one, and resume it, [2]',
    '{1}: pausiert: Zwei Kopien seines Ordners waren am Werk; beide beenden, eine starten und ihn fortsetzen, [2]',
  ],
  ['  reads: {1}', '  liest: {1}'],
  ['  writes: {1}', '  schreibt: {1}'],
  ['  writes: none', '  schreibt: nichts'],
  ['  reads: none', '  liest: nichts'],
  [
    '  programs beside those that only read: {1}; network: none',
    '  Programme außer denen, die nur lesen: {1}; Netz: nein',
  ],
  [
    '  programs beside those that only read: none; network: none',
    '  Programme außer denen, die nur lesen: keine; Netz: nein',
  ],
  [
    '  programs beside those that only read: {1}; network: yes',
    '  Programme außer denen, die nur lesen: {1}; Netz: ja',
  ],
  ['  key {1}, allow-file {2}', '  Schlüssel {1}, Datei der Erlaubnisse {2}'],
  ['  paired {1} by {2}', '  gekoppelt {1} von {2}'],
  ['{1} did not take it until {2}', '{1} hat es bis {2} nicht übernommen'],
  ['{1} began it and never said how it ended', '{1} hat es begonnen und nie gesagt, wie es ausging'],
  ['it was stopped before it began', 'es wurde angehalten, bevor es begann'],
  [
    'it was handed to the machine before, and no job runs a second time; ask for it again',
    'es wurde dem Rechner schon übergeben, und nichts läuft zweimal; noch einmal darum bitten',
  ],
];

export const FINDINGS: readonly SentencePair[] = [...STACK, ...JOBS, ...MODELS, ...MACHINES];

/** Faults of what a person wrote: jobs, runbooks, skills, settings, notes. In German. Pure. */
import type { SentencePair } from './sentence-speaker.ts';

/** Forms of values. */
const FORMS: readonly SentencePair[] = [
  ['/{1}, the id as /memory or /recall show it', '/{1}, die id, wie /memory oder /recall sie zeigen'],
  ['/{1}. Several go one a line; - takes a field away', '/{1}. Mehrere stehen in je einer Zeile; - nimmt ein Feld weg'],
  [
    '/{1}, at most {2} letters, digits, spaces, dots and dashes',
    '/{1}, höchstens {2} Buchstaben, Ziffern, Leerzeichen, Punkte und Striche',
  ],
  [
    '/{1}, each a snapshot or the number of a commit',
    '/{1}, jedes ein gesicherter Stand oder die Nummer eines Commits',
  ],
  ['/{1}, such as tea every 2h: remind me to drink', '/{1}, zum Beispiel tee every 2h: erinnere mich ans Trinken'],
  ['{1} must be 1-60 of A-Z a-z 0-9 _ . : -', '{1} muss aus 1 bis 60 Zeichen bestehen: A-Z a-z 0-9 _ . : -'],
  ['{1} line {2}: <3>', '{1}, Zeile {2}: <3>'],
  ['the folder: <1>', 'der Ordner: <1>'],
  ['{1}: <2>', '{1}: <2>'],
  ['<1>; did you mean {2}?', '<1>; war {2} gemeint?'],
  ['<1>: did you mean {2}?', '<1>: War {2} gemeint?'],
  ['{1} has too many entries', '{1} hat zu viele Einträge'],
  ['{1} is given twice', '{1} steht doppelt'],
  ['{1} must be lower-case words joined by -', '{1} muss aus kleinen Wörtern bestehen, mit - verbunden'],
  [
    '{1} must be lower-case words of letters and digits, joined by -',
    '{1} muss aus kleinen Wörtern aus Buchstaben und Ziffern bestehen, mit - verbunden',
  ],
  ['{1} must be a single line', '{1} muss eine einzige Zeile sein'],
  ['{1} must be a single word', '{1} muss ein einziges Wort sein'],
  ['{1} names too many tools', '{1} nennt zu viele Werkzeuge'],
  ['{1} must be a JSON schema of the type object', '{1} muss ein JSON-Schema vom Typ object sein'],
  [
    '{1} cannot come with a skill: prompts and keys would go to the address in a file. Name the endpoint in the setting PROVIDERS',
    '{1} kann nicht mit einer Fähigkeit kommen: Fragen und Schlüssel gingen an die Adresse in einer Datei. Den Anbieter in der Einstellung PROVIDERS nennen',
  ],
  ['{1} may have one … between words', '{1} darf ein … zwischen Wörtern haben'],
  [
    '{1} must hold no user name, password, fragment or field',
    '{1} darf weder Benutzername, Passwort, Fragment noch Feld enthalten',
  ],
  ['{1} must have at most {2} entries', '{1} darf höchstens {2} Einträge haben'],
  ['{1} must name a place of its channel', '{1} muss einen Ort seines Kanals nennen'],
  ['{1} must be the id of a chat, a number', '{1} muss die Kennung eines Chats sein, eine Zahl'],
  ['{1} must be the id of an approval, or its beginning', '{1} muss die Kennung einer Freigabe sein, oder ihr Anfang'],
  [
    '{1} must be one word of letters, digits and _ that begins with a small letter',
    '{1} muss ein Wort aus Buchstaben, Ziffern und _ sein, mit einem kleinen Buchstaben am Anfang',
  ],
  ['{1} must be the name of a tool', '{1} muss der Name eines Werkzeugs sein'],
  ['it holds a character that nobody sees: {1}', 'sie enthält ein Zeichen, das niemand sieht: {1}'],
  ['it is nested too deeply', 'es ist zu tief verschachtelt'],
  ['aliases (&, *) are not allowed', 'Verweise (&, *) sind nicht erlaubt'],
  ['tags (!) are not allowed', 'Marken (!) sind nicht erlaubt'],
  [
    'it is not plain YAML: put a text with special characters in quotes',
    'es ist kein einfaches YAML: Text mit Sonderzeichen in Anführungszeichen setzen',
  ],
  ['it is more than one document', 'es ist mehr als ein Dokument'],
];

/** Values of settings, behind their name. */
const SETTINGS: readonly SentencePair[] = [
  [
    'the environment configures {1} already, and its key goes to the address there',
    'die Umgebung richtet {1} schon ein, und sein Schlüssel geht an die Adresse dort',
  ],
  ['EVENT_FORMS holds {1}, which is no path', 'EVENT_FORMS enthält {1}, und das ist kein Pfad'],
  [
    '{1} must be the key itself: letters, digits and signs, no spaces',
    '{1} muss der Schlüssel selbst sein: Buchstaben, Ziffern und Zeichen, ohne Leerzeichen',
  ],
  [
    '{1} must be 1-32 lower-case letters, digits or "-"',
    '{1} muss aus 1 bis 32 kleinen Buchstaben, Ziffern oder "-" bestehen',
  ],
  ['{1} must be digits only', '{1} darf nur Ziffern haben'],
  ['{1} must be an e-mail address', '{1} muss eine E-Mail-Adresse sein'],
  [
    '{1} must be an https address (plain http only on this machine)',
    '{1} muss eine Adresse mit https sein (http nur auf diesem Rechner)',
  ],
  ['{1} must be 0 or 1', '{1} muss 0 oder 1 sein'],
  ['{1} must have no spaces', '{1} darf keine Leerzeichen haben'],
  ['{1} needs 16 characters or more', '{1} braucht mindestens 16 Zeichen'],
  ['{1} must be name=dollars, as in deploy=0.25,sms=0.01', '{1} muss Name=Dollar sein, etwa deploy=0.25,sms=0.01'],
  ['{1} must be 0, or 2 to {2} providers', '{1} muss 0 sein, oder 2 bis {2} Anbieter'],
  [
    '{1} must be source=host, as in github=github.com,ci=ci.example',
    '{1} muss Quelle=Host sein, etwa github=github.com,ci=ci.example',
  ],
  ['{1} must look like 123456:ABC…', '{1} muss aussehen wie 123456:ABC…'],
  ['{1} must be the name of a bot', '{1} muss der Name eines Bots sein'],
  ['{1} must be 16-256 letters, digits, _ or -', '{1} muss aus 16 bis 256 Buchstaben, Ziffern, _ oder - bestehen'],
  [
    '{1} must be letters, digits or "-", from a letter',
    '{1} muss aus Buchstaben, Ziffern oder "-" bestehen, zuerst ein Buchstabe',
  ],
  ['{1} must be the name of a table', '{1} muss der Name einer Tabelle sein'],
  ['{1} must be an https address', '{1} muss eine https-Adresse sein'],
  ['{1} must be a time zone such as Europe/Berlin', '{1} muss eine Zeitzone sein, etwa Europe/Berlin'],
  ['{1} needs a bot (TELEGRAM_BOT_TOKEN is missing)', '{1} braucht einen Bot (TELEGRAM_BOT_TOKEN fehlt)'],
  ['{1} is missing (TELEGRAM_MODE is webhook)', '{1} fehlt (TELEGRAM_MODE ist webhook)'],
  [
    '{1} needs an https address (or this machine, with ALLOW_LOOPBACK_WEBHOOKS=1)',
    '{1} braucht eine https-Adresse (oder diesen Rechner, mit ALLOW_LOOPBACK_WEBHOOKS=1)',
  ],
  ['{1} is not an http or https address', '{1} ist keine http- oder https-Adresse'],
  ['{1} must not hold a user name or password', '{1} darf weder Benutzername noch Passwort enthalten'],
  ['PROVIDER_CASCADE names "{1}", which is none of {2}', 'PROVIDER_CASCADE nennt "{1}"; es gibt {2}'],
  ['PROVIDER_CASCADE names {1}, but {2} is not set', 'PROVIDER_CASCADE nennt {1}, aber {2} ist nicht gesetzt'],
  ['PROVIDERS is not JSON: name → {1}', 'PROVIDERS ist kein JSON: Name → {1}'],
  ['PROVIDERS has more than {1} providers', 'PROVIDERS hat mehr als {1} Anbieter'],
  [
    'PROVIDERS: "{1}" is no name for one (lower-case letters, digits, "-"; not a built-in one)',
    'PROVIDERS: "{1}" ist kein Name dafür (kleine Buchstaben, Ziffern, "-"; kein eingebauter)',
  ],
  ['PROVIDERS: {1} does not fit: [2]', 'PROVIDERS: {1} passt nicht: [2]'],
  ['unknown fields', 'unbekannte Felder'],
  ['MODEL_RULES: does not fit: [1]', 'MODEL_RULES: passt nicht: [1]'],
  ['rule {1}: [2]', 'Regel {1}: [2]'],
  ['rule {1} names "{2}", which is none of {3}', 'Regel {1} nennt "{2}"; es gibt {3}'],
  ['rule {1} leaves out {2}', 'Regel {1} lässt {2} aus'],
  ['rule {1} asks {2}', 'Regel {1} fragt {2}'],
  ['"use" or "skip" is missing, or a field too many', '"use" oder "skip" fehlt, oder ein Feld ist zu viel'],
  [
    '{1} must be JSON: a list of up to {2} rules, each {"sensor"?, "words"?, "tier"?, "use"?, "skip"?}',
    '{1} muss JSON sein: eine Liste von höchstens {2} Regeln, jede {"sensor"?, "words"?, "tier"?, "use"?, "skip"?}',
  ],
  ['its key would travel unencrypted', 'sein Schlüssel ginge unverschlüsselt durchs Netz'],
  ['{1} must be JSON: [2]', '{1} muss JSON sein: [2]'],
  [
    'name → {"url"} or {"preset"}, with "secret", "bearer" or others of infra/webhooks.md',
    'Name → {"url"} oder {"preset"}, mit "secret", "bearer" oder anderen aus infra/webhooks.md',
  ],
  ['name → https address, or {"url"} or {"preset"}', 'Name → https-Adresse, oder {"url"} oder {"preset"}'],
  ['name → {1}', 'Name → {1}'],
  ['key of a witness → its web address', 'Schlüssel eines Zeugen → seine Adresse'],
  ['source → event → line', 'Quelle → Ereignis → Zeile'],
  ['{1} must be JSON: [2]; look at {3}', '{1} muss JSON sein: [2]; nachsehen bei {3}'],
  ['configuration is not usable:', 'die Angaben sind nicht brauchbar:'],
  ['{1} must have at most {2} witnesses', '{1} darf höchstens {2} Zeugen haben'],
  [
    'then nobody could approve on {1}: first let in the private chat of another approver',
    'dann könnte niemand auf {1} freigeben: erst den privaten Chat einer anderen freigebenden Person zulassen',
  ],
  ['the settings are being changed by others', 'andere ändern gerade die Einstellungen'],
];

/** Entries of API_TOKENS. */
const TOKENS: readonly SentencePair[] = [
  [
    '{1} needs another name: 1-24 of a-z 0-9 -, and a letter first',
    '{1} braucht einen anderen Namen: 1 bis 24 von a-z 0-9 -, zuerst ein Buchstabe',
  ],
  [
    '{1} must be JSON: name → {"token": "…", "scopes": ["read", "speak" or "speak-as-owner"]}',
    '{1} muss JSON sein: Name → {"token": "…", "scopes": ["read", "speak" oder "speak-as-owner"]}',
  ],
  ['{1} must be {"token", "scopes"}', '{1} muss {"token", "scopes"} sein'],
  ['{1} has a member beside "token" and "scopes"', '{1} hat eine Angabe neben "token" und "scopes"'],
  ['{1} needs a "token"', '{1} braucht ein "token"'],
  [
    '{1} has a token with a space or a character that an HTTP header cannot carry',
    '{1} hat ein Token mit Leerzeichen oder mit einem Zeichen, das in keinen HTTP-Header passt',
  ],
  ['{1} needs a token of {2} characters or more', '{1} braucht ein Token aus mindestens {2} Zeichen'],
  ['{1} needs "scopes": a list of {2}', '{1} braucht "scopes": eine Liste von {2}'],
  [
    '{1} has a scope that does not exist, number {2}: there are {3}',
    '{1} hat einen Umfang, den es nicht gibt, den {2}. der Liste: es gibt {3}',
  ],
  ['{1} has the same scope twice', '{1} hat denselben Umfang zweimal'],
  [
    "{1} has both speak and speak-as-owner: its words are either untrusted or the owner's",
    '{1} hat speak und speak-as-owner: Seine Worte sind entweder fremde oder eigene',
  ],
  ["{1} has the approver's token: give it one of its own", '{1} hat das Token zum Freigeben: ihm ein eigenes geben'],
  ['{1} has the token of {2}: give each its own', '{1} hat das Token von {2}: jedem ein eigenes geben'],
  ['{1} has {2} tokens; at most {3} are taken', '{1} hat {2} Token; höchstens {3} werden genommen'],
];

/** Entries of WEBHOOK_SECRETS. */
const SOURCES: readonly SentencePair[] = [
  ['{1} needs a "secret"', '{1} braucht ein "secret"'],
  ['{1} needs a secret of {2} characters or more', '{1} braucht ein Geheimnis aus mindestens {2} Zeichen'],
  ['{1} has more than {2} secrets', '{1} hat mehr als {2} Geheimnisse'],
  ['{1} has a secret that <2>', '{1} hat ein falsches Geheimnis: <2>'],
  ['must be user:password', 'es muss Name:Passwort sein'],
  [
    "must be the application's public key, 64 hex digits",
    'es muss der öffentliche Schlüssel der Anwendung sein, 64 Hex-Ziffern',
  ],
  ['must be the ARN of a topic, arn:aws:sns:…', 'es muss die ARN eines Topics sein, arn:aws:sns:…'],
  ['must be 24 or more of A-Z a-z 0-9 _ -', 'es muss aus mindestens 24 von A-Z a-z 0-9 _ - bestehen'],
  ['must begin with whsec_, and base64 follows', 'es muss mit whsec_ beginnen, und base64 folgt'],
  ['{1} must be "whsec_…" or {"scheme", "secret"}', '{1} muss "whsec_…" sein, oder {"scheme", "secret"}'],
  [
    '{1} must be JSON: source → "whsec_…" or {"scheme", "secret"}',
    '{1} muss JSON sein: Quelle → "whsec_…" oder {"scheme", "secret"}',
  ],
  [
    '{1} needs another name: 1-30 of A-Z a-z 0-9 _ . -',
    '{1} braucht einen anderen Namen: 1 bis 30 von A-Z a-z 0-9 _ . -',
  ],
  [
    '{1} has a member that its scheme does not have; there are {2}',
    '{1} hat eine Angabe, die sein Verfahren nicht hat; es gibt {2}',
  ],
  ['{1} names a scheme that does not exist; there are {2}', '{1} nennt ein Verfahren, das es nicht gibt; es gibt {2}'],
  ['{1} needs a text as "{2}"', '{1} braucht einen Text als "{2}"'],
  [
    '{1} needs a text of at most {2} characters as "form"',
    '{1} braucht einen Text von höchstens {2} Zeichen als "form"',
  ],
  [
    '{1} has {2} in its form; write {{ and }} around a path such as alert.name',
    '{1} hat {2} in seiner Zeile; um einen Pfad wie alert.name gehören {{ und }}',
  ],
  ['{1} needs "repeatMinutes" of 0 to {2}', '{1} braucht "repeatMinutes" von 0 bis {2}'],
  ['{1} needs an algorithm of {2}', '{1} braucht als "algorithm" eines von {2}'],
  ['{1} needs an encoding of hex, base64', '{1} braucht als "encoding" hex oder base64'],
  [
    '{1} needs "signed" with {body}, and {time} or {id} before it, such as "{time}.{body}"',
    '{1} braucht "signed" mit {body}, davor {time} oder {id}, etwa "{time}.{body}"',
  ],
  [
    '{1} needs both "time", the header of the time, and {time} in "signed", or neither',
    '{1} braucht beides, "time", den Header der Zeit, und {time} in "signed", oder keines',
  ],
  [
    '{1} needs "id", the header of the id that is signed',
    '{1} braucht "id", den Header der Kennung, die unterschrieben ist',
  ],
];

const JOBS: readonly SentencePair[] = [
  ['{1} must be a time such as 90m, 2h or 1d', '{1} muss eine Dauer sein wie 90m, 2h oder 1d'],
  ['{1} must be whole minutes', '{1} muss aus ganzen Minuten bestehen'],
  [
    'name must be one or two words of letters, digits and -',
    'name muss aus ein oder zwei Wörtern bestehen, aus Buchstaben, Ziffern und -',
  ],
  [
    'at must be now, or the time on the clock of the zone, such as 2026-11-24T09:00',
    'at muss now sein, oder die Uhrzeit in der Zeitzone, etwa 2026-11-24T09:00',
  ],
  ['{1} needs a value behind it', 'hinter {1} fehlt ein Wert'],
  [
    '"{1}" is not understood there; write a colon before what to ask',
    '"{1}" ist dort nicht zu verstehen; vor die Frage gehört ein Doppelpunkt',
  ],
  [
    '"{1}" is not understood there; a value of several words goes in quotes',
    '"{1}" ist dort nicht zu verstehen; ein Wert aus mehreren Wörtern gehört in Anführungszeichen',
  ],
  [
    '"{1}" is not understood there; a value of several words goes in quotes; a time zone is written as Europe/Berlin',
    '"{1}" ist dort nicht zu verstehen; ein Wert aus mehreren Wörtern gehört in Anführungszeichen; eine Zeitzone schreibt sich Europe/Berlin',
  ],
  [
    '"{1}" is not understood there; write a name for the job before "{2}"',
    '"{1}" ist dort nicht zu verstehen; vor "{2}" gehört ein Name für den Auftrag',
  ],
  [
    'at now begins a new job; /jobs run {1} runs this one now',
    'at now beginnt einen neuen Auftrag; /jobs run {1} startet diesen jetzt',
  ],
  ['give one of at, every, cron, event and condition', 'eines angeben von at, every, cron, event und condition'],
  ['give only one of {1}: a job has one rule', 'nur eines angeben von {1}: ein Auftrag hat eine Regel'],
  ['this rule has no zone: it does not follow a clock', 'diese Regel hat keine Zeitzone: Sie folgt keiner Uhr'],
  [
    'tools belong to a prompt: steps and runbooks name theirs',
    'tools gehören zu einer Frage: Schritte und Runbooks nennen ihre selbst',
  ],
  ['give only one of prompt, steps and runbook', 'nur eines angeben von prompt, steps und runbook'],
  [
    'its work is missing: write a colon and what to ask (prompt), or steps or a runbook',
    'die Arbeit fehlt: einen Doppelpunkt und die Frage schreiben (prompt), oder Schritte (steps) oder ein Runbook',
  ],
  [
    'to: nobody is answered here; name a chat, such as telegram:7',
    'to: hier gibt es niemanden für die Antwort; einen Chat nennen, etwa telegram:7',
  ],
  ['to must hold here, {1} or webhook:<name>', 'to muss here, {1} oder webhook:<name> enthalten'],
  ['catchUp must be skip, once 6h or all 3 6h', 'catchUp muss skip, once 6h oder all 3 6h sein'],
  ['capUsd must be dollars a day, such as 0.50', 'capUsd muss ein Betrag in Dollar am Tag sein, etwa 0.50'],
  [
    'a step says something, and to names nobody who hears it',
    'ein Schritt sagt etwas, und to nennt niemanden, der es hört',
  ],
  [
    'it promises a reply, and to names nobody who gets it',
    'er verspricht eine Antwort, und to nennt niemanden, der sie bekommt',
  ],
  ['a yes to the whole job lasts {1} days at most', 'ein Ja zum ganzen Auftrag gilt höchstens {1} Tage'],
  ['this job still catches up with moments it missed', 'dieser Auftrag holt noch verpasste Läufe nach'],
  ['the job was changed before it started', 'der Auftrag wurde vor dem Beginn geändert'],
  [
    'the job {1} has ended; /jobs edit gives it a new rule',
    'der Auftrag {1} ist zu Ende; /jobs edit gibt ihm eine neue Regel',
  ],
  ['{1} was not started: [2]', '{1} wurde nicht gestartet: [2]'],
  ['the message that asked for it is gone', 'die Nachricht, die darum bat, gibt es nicht mehr'],
  ['a newer run takes its place; this one was [1] late', 'ein neuerer Lauf ersetzt ihn; dieser war [1] zu spät'],
  [
    'it would have been [1] late, and this job is not caught up with',
    'er wäre [1] zu spät gewesen, und dieser Auftrag wird nicht nachgeholt',
  ],
  [
    'it would have been [1] late, and this job is caught up with for [2]',
    'er wäre [1] zu spät gewesen, und nachgeholt wird dieser Auftrag nur innerhalb von [2]',
  ],
  ['the run before it has not ended', 'der Lauf davor ist nicht zu Ende'],
  ['{1} is no time zone; give one such as Europe/Berlin', '{1} ist keine Zeitzone; eine angeben wie Europe/Berlin'],
  ['{1} is over in {2}', '{1} ist in {2} vorbei'],
  ['this rule has no moment in the future', 'diese Regel hat keinen Termin in der Zukunft'],
  [
    '"{1}" is no cron rule: give minute, hour, day of month, month and day of week, such as 0 8 * * 1-5',
    '"{1}" ist keine Cron-Regel: Minute, Stunde, Monatstag, Monat und Wochentag angeben, etwa 0 8 * * 1-5',
  ],
  ['{1} is no time that exists', '{1} ist keine Zeit, die es gibt'],
  ['its condition [1]', 'seine Bedingung [1]'],
];

const RUNBOOKS: readonly SentencePair[] = [
  ['"{1}" is no input, such as service=shop', '"{1}" ist keine Eingabe wie service=shop'],
  ['runbook must be the name of a runbook', 'runbook muss der Name eines Runbooks sein'],
  ['it has {1} steps, and {2} are allowed', 'es hat {1} Schritte, und {2} sind erlaubt'],
  ['there are two steps {1}', 'es gibt zwei Schritte {1}'],
  ['a runbook may not use the tool {1}', 'ein Runbook darf das Werkzeug {1} nicht benutzen'],
  ['a runbook cannot use the tool {1}', 'ein Runbook kann das Werkzeug {1} nicht benutzen'],
  ['there is no tool {1}', 'ein Werkzeug {1} gibt es nicht'],
  ['it uses {1}, which tools does not list', 'es benutzt {1}, und tools nennt das nicht'],
  ['it names item, which only the steps of an each know', 'es nennt item, und das kennen nur die Schritte eines each'],
  ['there is no input {1}', 'eine Eingabe {1} gibt es nicht'],
  [
    'it names {1}; it may name inputs, steps, item and event',
    'es nennt {1}; erlaubt sind inputs, steps, item und event',
  ],
  [
    'it names {1}; it may name inputs, steps, item and event: did you mean {2}?',
    'es nennt {1}; erlaubt sind inputs, steps, item und event: War {2} gemeint?',
  ],
  ['the step {1} has not been done yet at this place', 'der Schritt {1} ist an dieser Stelle noch nicht getan'],
  ['there is no step {1}', 'einen Schritt {1} gibt es nicht'],
  [
    '{1} is no template: write {{ and }} around a path such as inputs.service',
    '{1} ist keine Vorlage: {{ und }} um einen Pfad wie inputs.service schreiben',
  ],
  ['the expression <1>', 'der Ausdruck <1>'],
  [
    'an expression takes no templates: write inputs.service, without {{ and }}',
    'ein Ausdruck nimmt keine Vorlagen: inputs.service schreiben, ohne {{ und }}',
  ],
  [
    'this step puts in no {1}: a shape is for a value of an answer, or for item',
    'dieser Schritt setzt kein {1} ein: shape gilt für einen Wert einer Antwort oder für item',
  ],
  [
    'a default may name parts of the event only, such as {{event.body.version}}',
    'eine Vorgabe darf nur Teile des Ereignisses nennen, etwa {{event.body.version}}',
  ],
  ['it has {1} characters, and {2} are allowed', 'es hat {1} Zeichen, und {2} sind erlaubt'],
  [
    'its names, tools, templates and expressions are checked once the form is right',
    'Namen, Werkzeuge, Vorlagen und Ausdrücke werden geprüft, sobald die Form stimmt',
  ],
  ['must be a time such as 30s, 5m, 2h or 1d', 'muss eine Dauer sein wie 30s, 5m, 2h oder 1d'],
  ['must be at most 7d', 'darf höchstens 7d sein'],
  ['it is of no kind: a step is one of {1}', 'er ist von keiner Art: Ein Schritt ist eines von {1}'],
  ['it is {1} at once: a step is one of {2}', 'er ist {1} zugleich: Ein Schritt ist eines von {2}'],
  ['{1} does not belong to a step of the kind {2}', '{1} gehört nicht zu einem Schritt der Art {2}'],
  ['undo names one of webhook and tool', 'undo nennt eines von webhook und tool'],
  [
    'each needs steps, which are performed for every entry',
    'each braucht Schritte (steps), die für jeden Eintrag laufen',
  ],
  ['steps may be nested {1} deep at most', 'Schritte dürfen höchstens {1} tief verschachtelt sein'],
  ['gives neither true nor false', 'ergibt weder true noch false'],
  ['gives no list', 'ergibt keine Liste'],
  ['gives {1} entries, and {2} are allowed', 'ergibt {1} Einträge, und {2} sind erlaubt'],
  ['the input {1} has more than {2} characters', 'die Eingabe {1} hat mehr als {2} Zeichen'],
  [
    'the input {1} may name parts of the event only, such as {{event.body.version}}',
    'die Eingabe {1} darf nur Teile des Ereignisses nennen, etwa {{event.body.version}}',
  ],
  [
    'the input {1} names the event, and no event starts this run',
    'die Eingabe {1} nennt das Ereignis, und kein Ereignis startet diesen Lauf',
  ],
  ['{1} has no input {2}; it has none', '{1} hat keine Eingabe {2}; es hat keine'],
  ['{1} has no input {2}; it has {3}', '{1} hat keine Eingabe {2}; es hat {3}'],
  ['the input {1} is missing: {2}', 'die Eingabe {1} fehlt: {2}'],
  ['each step was left out', 'jeder Schritt wurde ausgelassen'],
  [
    'it has performed {1} steps, and no run may perform more',
    'es hat {1} Schritte ausgeführt, und mehr darf kein Lauf',
  ],
  ['[1]; what it had done was taken back', '[1]; was er getan hatte, ist zurückgenommen'],
  ['[1]; {2} could not be taken back: [3]', '[1]; {2} ließ sich nicht zurücknehmen: [3]'],
  ['{1} has an unknown outcome: [2]', '{1} ging ungewiss aus: [2]'],
  ['the time limit of the run is over', 'die Frist des Laufs ist vorbei'],
  ['the run does not fit its runbook', 'der Lauf passt nicht zu seinem Runbook'],
  [
    'the text of the runbook {1} is not there, or is of another form',
    'der Text des Runbooks {1} ist nicht da, oder hat eine andere Form',
  ],
  [
    'names {1}, and there is no such value in this run',
    'nennt {1}, und einen solchen Wert gibt es in diesem Lauf nicht',
  ],
  ['would hold more than {1} characters of other steps', 'enthielte mehr als {1} Zeichen anderer Schritte'],
  ['it has more than {1} expressions between two steps', 'es hat mehr als {1} Ausdrücke zwischen zwei Schritten'],
  ['the list of step {1} is shorter than it was', 'die Liste von Schritt {1} ist kürzer als vorher'],
  ['the list of step {1} <2>', 'die Liste von Schritt {1} <2>'],
  ['the condition of step {1} <2>', 'die Bedingung von Schritt {1} <2>'],
  [
    'it names {1}, and there is no such value in this run',
    'es nennt {1}, und einen solchen Wert gibt es in diesem Lauf nicht',
  ],
  ['it would hold more than {1} characters of other steps', 'es enthielte mehr als {1} Zeichen anderer Schritte'],
  // Code.
  ['does not parse as one JavaScript expression', 'ist kein Ausdruck in JavaScript'],
  ['does not parse', 'lässt sich nicht lesen'],
  ['does not parse (line {1})', 'lässt sich nicht lesen (Zeile {1})'],
  ['does not define its function', 'definiert seine Funktion nicht'],
  ['ended with an error', 'endete mit einem Fehler'],
  ['took too many steps and was ended', 'brauchte zu viele Schritte und wurde beendet'],
  ['needed more memory than it may have and was ended', 'brauchte zu viel Speicher und wurde beendet'],
  ['calls itself too deeply and was ended', 'ruft sich zu tief selbst auf und wurde beendet'],
  ['gave a longer result than it may', 'gab ein zu langes Ergebnis'],
  ['gave a result that JSON cannot say', 'gab ein Ergebnis, das JSON nicht sagen kann'],
  ['the script <1>', 'das Skript <1>'],
  ['the function {1} of the skill {2} <3>', 'die Funktion {1} der Fähigkeit {2} <3>'],
  ['the handler {1} of the skill {2} <3>', 'der Handler {1} der Fähigkeit {2} <3>'],
  ['gave no text that it may give', 'gab keinen erlaubten Text'],
  ['gave no answer that it may give', 'gab keine erlaubte Antwort'],
  ['may choose only on an error', 'darf nur bei einem Fehler wählen'],
];

const SKILLS: readonly SentencePair[] = [
  [
    'this stack has no store of files, so no skill can bring files for a machine',
    'hier gibt es keinen Ort für Dateien, also kann keine Fähigkeit Dateien für einen Rechner mitbringen',
  ],
  ['a file for a machine has at most {1} bytes', 'eine Datei für einen Rechner hat höchstens {1} Bytes'],
  [
    'the bytes of {1} were not uploaded, or are gone: add the skill from its folder',
    'die Bytes von {1} wurden nicht hochgeladen, oder sind nicht mehr da: die Fähigkeit aus ihrem Ordner hinzufügen',
  ],
  ['it must be a text in UTF-8', 'sie muss ein Text in UTF-8 sein'],
  [
    'its files for a machine have {1} bytes, and {2} are allowed',
    'die Dateien für einen Rechner haben {1} Bytes, und {2} sind erlaubt',
  ],
  ['the text of {1} was not uploaded, or is gone', 'der Text von {1} wurde nicht hochgeladen, oder ist nicht mehr da'],
  [
    'While its text is shown, only these tools are offered: {1}.',
    'Solange ihr Text gezeigt wird, gibt es nur diese Werkzeuge: {1}.',
  ],
  [
    'no card showed the addresses of its webhooks and places: send {1} with its text',
    'keine Karte zeigte die Adressen ihrer Webhooks und Orte: {1} mit seinem Text senden',
  ],
  [
    'the skill {1} has a place {2} already: give this one another name',
    'die Fähigkeit {1} hat schon einen Ort {2}: diesem einen anderen Namen geben',
  ],
  [
    'there is a place {1} already: the skill must give its own another name',
    'es gibt schon einen Ort {1}: Die Fähigkeit muss ihrem einen anderen Namen geben',
  ],
  ['must name a place of its channel', 'muss einen Ort seines Kanals nennen'],
  [
    'the skill {1} has a webhook {2} already: give this one another name',
    'die Fähigkeit {1} hat schon einen Webhook {2}: diesem einen anderen Namen geben',
  ],
  [
    'your settings have a webhook {1} already: the skill must give its own another name',
    'die Einstellungen haben schon einen Webhook {1}: Die Fähigkeit muss ihrem einen anderen Namen geben',
  ],
  [
    'the version before stays, because this one does not load: [1]',
    'die Fassung davor bleibt, weil diese nicht lädt: [1]',
  ],
  [
    'isOff is for built-in skills: leave it out, then /skill off',
    'isOff gilt für eingebaute Fähigkeiten: weglassen, dann /skill off',
  ],
  [
    'there is a built-in skill {1}: give this one another name',
    'es gibt eine eingebaute Fähigkeit {1}: dieser einen anderen Namen geben',
  ],
  ['{1} is in force: trust outside, {2} files, {3} bytes.', '{1} ist in Kraft: von außen, {2} Dateien, {3} Bytes.'],
  ['{1} is in force: trust owner, {2} files, {3} bytes.', '{1} ist in Kraft: eigene, {2} Dateien, {3} Bytes.'],
  [
    '{1} is in force as before: trust outside, {2} files, {3} bytes.',
    '{1} ist in Kraft wie vorher: von außen, {2} Dateien, {3} Bytes.',
  ],
  [
    '{1} is in force as before: trust owner, {2} files, {3} bytes.',
    '{1} ist in Kraft wie vorher: eigene, {2} Dateien, {3} Bytes.',
  ],
  ['the skill has no such file; it has {1}', 'die Fähigkeit hat keine solche Datei; sie hat {1}'],
  ['there is no added skill {1}, or it is off', 'eine hinzugefügte Fähigkeit {1} gibt es nicht, oder sie ist aus'],
  ['the skill has no such tool; it has {1}', 'die Fähigkeit hat kein solches Werkzeug; sie hat {1}'],
  [
    'the skill {1} was changed since this was asked; ask for it again',
    'die Fähigkeit {1} wurde seit der Frage geändert; noch einmal darum bitten',
  ],
  ['the change does not make the version that was approved', 'die Änderung ergibt nicht die freigegebene Fassung'],
  ['the text to replace does not stand in {1}', 'der Text zum Ersetzen steht nicht in {1}'],
  [
    'the text to replace stands in {1} more than once: give more of the text around it',
    'der Text zum Ersetzen steht mehrmals in {1}: mehr vom Text darum angeben',
  ],
  ['the new version does not load: [1]', 'die neue Fassung lädt nicht: [1]'],
  ['a change cannot give the skill another name', 'eine Änderung kann der Fähigkeit keinen anderen Namen geben'],
  ['the new version fails its own examples: [1]', 'die neue Fassung besteht ihre eigenen Beispiele nicht: [1]'],
  [
    '{1} is no plain YAML and is read as one text: put it in quotes',
    '{1} ist kein einfaches YAML und gilt als ein Text: in Anführungszeichen setzen',
  ],
  ['metadata is no list of names and values: left out', 'metadata ist keine Liste von Namen und Werten: weggelassen'],
  [
    'metadata has {1} characters, and {2} are allowed: left out',
    'metadata hat {1} Zeichen, und {2} sind erlaubt: weggelassen',
  ],
  [
    'name is taken as {1}: names are lower-case words joined by -',
    'als Name gilt {1}: Namen sind kleine Wörter, mit - verbunden',
  ],
  [
    '{1} has {2} characters, and {3} are allowed: lists show its beginning',
    '{1} hat {2} Zeichen, und {3} sind erlaubt: Listen zeigen den Anfang',
  ],
  ['there is no fact {{{1}}}: {2}', 'eine Tatsache {{{1}}} gibt es nicht: {2}'],
  ['there are two runbooks {1}', 'es gibt zwei Runbooks {1}'],
  [
    'a tool has a description and args, and nothing else has',
    'ein Werkzeug hat description und args, und sonst nichts',
  ],
  ['{1} is named twice in {2}', '{1} steht doppelt in {2}'],
  [
    'its block of YAML never ends: write a line "---" below it',
    'der Block in YAML endet nie: darunter eine Zeile "---" schreiben',
  ],
  [
    'it must begin with a block of YAML between two lines "---"',
    'am Anfang muss ein Block in YAML stehen, zwischen zwei Zeilen "---"',
  ],
  ['it is switched off', 'sie ist ausgeschaltet'],
  ['a built-in skill has its name', 'eine eingebaute Fähigkeit hat ihren Namen'],
  ['it requires {1}, which is off', 'sie braucht {1}, und das ist aus'],
  ['it requires {1}, which is not there', 'sie braucht {1}, und das gibt es nicht'],
  ['there is no room for its mandates', 'für ihre Vorgaben ist kein Platz'],
  ['there is no such skill', 'eine solche Fähigkeit gibt es nicht'],
  ['it expects {1} and got {2}', 'es erwartet {1} und bekam {2}'],
  ['it got another answer', 'es bekam eine andere Antwort'],
  ['its facts are no facts', 'die Tatsachen sind keine'],
  ['its action is no action', 'die Handlung ist keine'],
  ['the skill has no {1} {2}', 'die Fähigkeit hat kein {1} {2}'],
  ['it has no examples ({1})', 'sie hat keine Beispiele ({1})'],
  ['its example passes', 'ihr Beispiel stimmt'],
  ['all {1} examples pass', 'alle {1} Beispiele stimmen'],
  ['example {1} ({2} {3}): <4>', 'Beispiel {1} ({2} {3}): <4>'],
  ['there are two such files', 'es gibt zwei solche Dateien'],
  [
    'its path must be relative, of plain names, without hidden files',
    'der Pfad muss relativ sein, aus einfachen Namen, ohne versteckte Dateien',
  ],
  ['it is missing: every skill has one, so spelled', 'sie fehlt: Jede Fähigkeit hat eine, so geschrieben'],
  ['it holds {1} files, and {2} are allowed', 'er enthält {1} Dateien, und {2} sind erlaubt'],
  ['it holds {1} bytes, and {2} are allowed', 'er enthält {1} Bytes, und {2} sind erlaubt'],
  ['it has {1} bytes, and {2} are allowed', 'sie hat {1} Bytes, und {2} sind erlaubt'],
  [
    'its job {1} names the runbook {2}, which the skill does not have',
    'ihr Auftrag {1} nennt das Runbook {2}, und das hat die Fähigkeit nicht',
  ],
  [
    'its job {1} has steps, which only a skill that you vouch for may have',
    'ihr Auftrag {1} hat Schritte, und die darf nur eine Fähigkeit haben, für die gebürgt ist',
  ],
  [
    "there is a job {1} already; remove it or give the skill's another name",
    'es gibt schon einen Auftrag {1}; ihn entfernen oder dem der Fähigkeit einen anderen Namen geben',
  ],
  ['made by the skill {1}', 'von der Fähigkeit {1} angelegt'],
  ['removed with the skill {1}', 'mit der Fähigkeit {1} entfernt'],
  ['changed by a new release', 'von einer neuen Version geändert'],
  ['the skill {1} is off', 'die Fähigkeit {1} ist aus'],
  ['the piece before was not uploaded, or is gone', 'das Stück davor wurde nicht hochgeladen, oder ist nicht mehr da'],
  ['a file of a skill has at most {1} bytes', 'eine Datei einer Fähigkeit hat höchstens {1} Bytes'],
  [
    'there are {1} added skills already; remove one first',
    'es gibt schon {1} hinzugefügte Fähigkeiten; erst eine entfernen',
  ],
  ['the skills are being changed by others', 'andere ändern gerade die Fähigkeiten'],
  ['there is no room for so many large skills', 'für so viele große Fähigkeiten ist kein Platz'],
];

const NOTES: readonly SentencePair[] = [
  [
    'memory is too large to find a tree by its key: name its root',
    'das Gedächtnis ist zu groß, um einen Baum nach seinem Schlüssel zu finden: seine Wurzel nennen',
  ],
  ['the object {1} is no child of {2}', 'die Notiz {1} liegt nicht unter {2}'],
  ['two nodes of a tree have the same key', 'zwei Notizen eines Baums haben denselben Schlüssel'],
  ['the cursor is none that this list gave', 'diese Stelle hat die Liste nie genannt'],
  ['nodes.0.level must be 1', 'nodes.0.level muss 1 sein'],
  ['nodes.{1}.level must be 2 to {2}', 'nodes.{1}.level muss 2 bis {2} sein'],
  ['nodes.{1}.key is that of nodes.{2} too', 'nodes.{1}.key ist auch der von nodes.{2}'],
  ['what was remembered is not there', 'was gemerkt wurde, ist nicht da'],
  [
    'one change of memory takes at most {1} objects, this one has {2}',
    'eine Änderung des Gedächtnisses nimmt höchstens {1} Notizen, diese hat {2}',
  ],
  ['a memory object is larger than the table takes', 'eine Notiz ist größer, als sich speichern lässt'],
  [
    'one change of memory takes at most {1} bytes, this one has {2}',
    'eine Änderung des Gedächtnisses nimmt höchstens {1} Bytes, diese hat {2}',
  ],
  ['a tree of memory has at most {1} levels', 'Notizen lassen sich höchstens {1} Ebenen tief ordnen'],
  ['the object {1} has version {2} by now, not {3}', 'die Notiz {1} hat inzwischen Fassung {2}, nicht {3}'],
  ['an object cannot be moved under itself', 'eine Notiz lässt sich nicht unter sich selbst verschieben'],
  ['memory has an object {1} already', 'im Gedächtnis gibt es schon eine Notiz {1}'],
  [
    'the property {1} is set by its scope or its file alone',
    'die Eigenschaft {1} setzt nur der Geltungsbereich oder die Datei',
  ],
  [
    'notes without a parent have no order: the newest comes first',
    'Notizen ohne obere Notiz haben keine Reihenfolge: Die neueste kommt zuerst',
  ],
  ['{1} would hang below itself: move {2} out of it first', '{1} hinge unter sich selbst: erst {2} herausnehmen'],
  [
    'text from outside cannot make a private note visible: type /edit yourself',
    'Text von außen kann keine private Notiz sichtbar machen: selbst /edit schreiben',
  ],
  [
    "a snapshot's name is at most {1} letters, digits, spaces, dots and dashes",
    'der Name eines Stands hat höchstens {1} Zeichen: Buchstaben, Ziffern, Leerzeichen, Punkte und Striche',
  ],
  [
    'the summary it was made from has been forgotten since',
    'die Zusammenfassung, aus der es entstand, ist inzwischen vergessen',
  ],
  ['the summary was not kept', 'die Zusammenfassung wurde nicht behalten'],
  ['its words do not fit their hash', 'die Worte passen nicht zu ihrer Prüfsumme'],
  ['it does not fit its hash', 'sie passt nicht zu ihrer Prüfsumme'],
  ['its entry {1} is missing, or has another hash', 'der Eintrag {1} darin fehlt, oder hat eine andere Prüfsumme'],
  ['the note above it does not list it', 'die Notiz darüber nennt sie nicht'],
  ['it is gone from the table', 'sie fehlt in der Tabelle'],
  ['a tree has at most {1} nodes', 'ein Baum hat höchstens {1} Notizen'],
  [
    'this idempotencyKey was used for something else: use a new one',
    'dieser idempotencyKey stand schon für etwas anderes: einen neuen nehmen',
  ],
];

/** Refusals of pairing a machine, and of its words. */
const RUNNERS: readonly SentencePair[] = [
  [
    'this code is unknown, used or older than ten minutes; make another with: npx passepartout runners pair',
    'dieser Code ist unbekannt, gebraucht oder älter als zehn Minuten; einen neuen machen: npx passepartout runners pair',
  ],
  [
    'this code was altered on its way: copy the whole line again',
    'dieser Code wurde unterwegs verändert: die ganze Zeile noch einmal kopieren',
  ],
  [
    'no runner is paired with this key: if it was removed, pair this machine again',
    'mit diesem Schlüssel ist kein Rechner gekoppelt: wenn er entfernt wurde, neu koppeln',
  ],
  ['a request may have {1} bytes; shorten the output', 'eine Anfrage darf {1} Bytes haben; die Ausgabe kürzen'],
  [
    'the clock of this machine is off by more than five minutes; set it',
    'die Uhr dieses Rechners geht um mehr als fünf Minuten falsch; stellen',
  ],
  ['this runner was removed; pair it again', 'dieser Rechner wurde entfernt; neu koppeln'],
  ['this runner has no queue; pair it again', 'dieser Rechner hat keine Warteschlange; neu koppeln'],
  ['its conversation was stopped', 'sein Gespräch wurde angehalten'],
  ['the run it belongs to was stopped', 'der Lauf dazu wurde angehalten'],
  ['there is no such job for this runner', 'eine solche Aufgabe hat dieser Rechner nicht'],
  ['the runner is paused', 'der Rechner ist pausiert'],
  ['it was taken before, or is over', 'sie wurde schon übernommen, oder ist vorbei'],
  ['another claim was faster', 'ein anderer war schneller'],
  ['it has expired', 'es ist verfallen'],
  ['the machine {1} was paused', 'der Rechner {1} wurde pausiert'],
  ['the machine {1} was removed', 'der Rechner {1} wurde entfernt'],
  [
    'RUNNER_SIGNING_KEY is missing: no runner can be given an order',
    'RUNNER_SIGNING_KEY fehlt: Kein Rechner kann eine Aufgabe bekommen',
  ],
  [
    "the script that it runs was not read yet: call read-file with the script's path and nothing else, then propose this command again",
    'das Skript, das er ausführt, hat noch niemand gelesen',
  ],
];

export const WRITTEN: readonly SentencePair[] = [
  ...FORMS,
  ...SETTINGS,
  ...TOKENS,
  ...SOURCES,
  ...JOBS,
  ...RUNBOOKS,
  ...SKILLS,
  ...NOTES,
  ...RUNNERS,
];

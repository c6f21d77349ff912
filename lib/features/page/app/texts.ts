/**
 * All texts of the page, in English and German, in the order of its views. A text with values is a
 * function. Words of the server, such as the reasons of gates, are no part of it. Pure.
 */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

type Both<T> = Readonly<Record<Language, T>>;
type Value = string | number | undefined;
type Table = Readonly<Record<string, Both<string> | Both<(...values: never[]) => string>>>;

/** Such as `1 leaf` and `2 leaves`. */
const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** A part of a sentence that needs its value. */
const given = (before: string, value: Value, after = ''): string =>
  value === undefined ? '' : `${before}${value}${after}`;

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;
const inWords = (count: number): string => WORDS[count] ?? String(count);
const manyOf = (kind: string): string => kind + (/(?:s|x|ch|sh)$/.test(kind) ? 'es' : 's');

export const TEXTS = {
  // The frame and the door.
  otherLanguage: { en: 'Deutsch', de: 'English' },
  views: { en: 'Views', de: 'Ansichten' },
  home: { en: 'Home', de: 'Übersicht' },
  talk: { en: 'Talk', de: 'Gespräch' },
  decisions: { en: 'Decisions', de: 'Entscheidungen' },
  memory: { en: 'Memory', de: 'Gedächtnis' },
  jobs: { en: 'Jobs', de: 'Aufträge' },
  evidence: { en: 'Evidence', de: 'Nachweis' },
  manage: { en: 'Manage', de: 'Verwalten' },
  health: { en: 'Health', de: 'Zustand' },
  stop: { en: 'Stop', de: 'Anhalten' },
  resume: { en: 'Resume', de: 'Fortsetzen' },
  signIn: { en: 'Sign in', de: 'Anmelden' },
  aboutToken: {
    en: "Paste the whole address, or the token alone. The token is in the address that `npm start` prints in a terminal, and in `tokens.json` of the data folder; on AWS it is the `APPROVER_TOKEN` that you deployed with. It goes only to this server. A script's token that may read shows everything, and can change nothing here.",
    de: 'Hierher gehört die ganze Adresse oder das Token allein. Das Token steht in der Adresse, die `npm start` im Terminal ausgibt, und in `tokens.json` im Datenordner; auf AWS ist es das `APPROVER_TOKEN` der Installation. Es geht nur an diesen Server. Das Token eines Skripts, das lesen darf, zeigt alles und kann hier nichts ändern.',
  },
  afterSignIn: {
    en: 'After it you see what this address names.',
    de: 'Danach erscheint, was diese Adresse nennt.',
  },
  approversToken: { en: "Approver's token", de: 'Token zum Freigeben' },
  staySignedIn: {
    en: 'Stay signed in on this device for 30 days',
    de: 'Auf diesem Gerät 30 Tage angemeldet bleiben',
  },
  signOut: { en: 'Sign out', de: 'Abmelden' },
  signInLost: {
    en: 'The sign-in that this browser kept is damaged. Sign in again.',
    de: 'Die gemerkte Anmeldung ist beschädigt. Bitte neu anmelden.',
  },
  lastDecisions: { en: 'Last decisions', de: 'Letzte Entscheidungen' },
  allDecisions: { en: 'All decisions', de: 'Alle Entscheidungen' },
  noneYet: { en: 'None yet.', de: 'Noch keine.' },
  asking: { en: 'asking…', de: 'wird abgefragt …' },
  someWait: {
    en: (count: number) => (count === 1 ? 'one waits for your yes' : `${inWords(count)} wait for your yes`),
    de: (count: number) => `${countOf(count, 'Handlung wartet', 'Handlungen warten')} auf ein Ja`,
  },

  // Failures of the page itself.
  unreachable: { en: 'The server cannot be reached.', de: 'Der Server ist nicht erreichbar.' },
  tryingAgain: {
    en: 'The server cannot be reached; trying again.',
    de: 'Der Server ist nicht erreichbar; der nächste Versuch läuft.',
  },
  unknownToken: {
    en: 'The server does not know this token. Copy all of it again.',
    de: 'Der Server kennt dieses Token nicht. Es muss ganz kopiert sein.',
  },
  serverAnswered: {
    en: (status: number) => `the server answered ${status}`,
    de: (status: number) => `der Server hat mit ${status} geantwortet`,
  },
  failed: {
    en: (why: string) => `That did not work: ${why}`,
    de: (why: string) => `Das hat nicht geklappt: ${why}`,
  },
  lostSeen: {
    en: 'The moment up to which you had seen everything was damaged and is gone: “While you were away” begins now.',
    de: 'Bis wann alles gesehen war, ist beschädigt und verloren: „In der Zwischenzeit“ beginnt jetzt.',
  },
  lostAside: {
    en: 'The list of what you set aside was damaged and is gone: all that waits for you shows again.',
    de: 'Die Liste des Zurückgestellten ist beschädigt und verloren: Alles, was wartet, ist wieder zu sehen.',
  },
  lostEvidence: {
    en: 'The key and the checkpoint that this browser kept were damaged and are gone: verify the log again, with a key that you know.',
    de: 'Schlüssel und Prüfpunkt in diesem Browser sind beschädigt und verloren: Das Protokoll muss mit einem bekannten Schlüssel neu geprüft werden.',
  },

  // Home.
  someEvents: {
    en: (count: number, kind: string) => `${inWords(count)} ${count === 1 ? kind : manyOf(kind)}`,
    de: (count: number, kind: string) => `${countOf(count, 'Ereignis', 'Ereignisse')} „${kind}“`,
  },
  otherEvents: {
    en: (count: number) => `${inWords(count)} other ${count === 1 ? 'event' : 'events'}`,
    de: (count: number) => countOf(count, 'anderes Ereignis', 'andere Ereignisse'),
  },
  runsDone: {
    en: (count: number, name: string) => `${name} done${count === 1 ? '' : ` ${count} times`}`,
    de: (count: number, name: string) => `${name} ${count === 1 ? '' : `${count}-mal `}erledigt`,
  },
  jobsRan: {
    en: (count: number) => `${inWords(count)} job ${count === 1 ? 'run' : 'runs'}`,
    de: (count: number) => countOf(count, 'Lauf eines Auftrags', 'Läufe von Aufträgen'),
  },
  answered: {
    en: (count: number) => `${inWords(count)} ${count === 1 ? 'message' : 'messages'} answered`,
    de: (count: number) => countOf(count, 'Nachricht beantwortet', 'Nachrichten beantwortet'),
  },
  someFailed: { en: (count: number) => `${inWords(count)} failed`, de: (count: number) => `${count} gescheitert` },
  nothingWaits: { en: 'nothing waits', de: 'nichts wartet' },
  moneyToday: { en: (amount: string) => `${amount} today`, de: (amount: string) => `heute ${amount}` },
  unread: {
    en: (n: number) =>
      `${n === 1 ? 'One entry' : `${n} entries`} cannot be read by this release and ${n === 1 ? 'is' : 'are'} not shown.`,
    de: (n: number) =>
      `${n === 1 ? 'Einen Eintrag' : `${n} Einträge`} kann diese Version nicht lesen; gezeigt werden nur die anderen.`,
  },
  andMore: { en: 'Only the newest are counted.', de: 'Gezählt sind nur die neuesten.' },
  inFigures: { en: 'In figures', de: 'In Zahlen' },
  spending: { en: 'Spent', de: 'Ausgegeben' },
  latency: { en: 'Until decided', de: 'Bis zur Entscheidung' },
  events: { en: 'Events', de: 'Ereignisse' },
  day: { en: 'Day', de: 'Tag' },
  inWeek: { en: (amount: string) => `${amount} in 7 days`, de: (amount: string) => `${amount} in 7 Tagen` },
  medianOf: { en: (time: string) => `mostly ${time}`, de: (time: string) => `meist ${time}` },
  inDay: { en: (count: number) => `${count} in 24 hours`, de: (count: number) => `${count} in 24 Stunden` },
  questions: { en: 'Questions', de: 'Fragen' },
  tool: { en: 'Tool', de: 'Werkzeug' },
  aText: { en: 'a text', de: 'ein Text' },
  nobody: { en: 'nobody answered', de: 'ohne Antwort' },
  inWeekAsked: {
    en: (asked: number, quick: number) => `${asked} in 7 days, a yes within 3 seconds to ${quick}`,
    de: (asked: number, quick: number) => `${asked} in 7 Tagen, ein Ja binnen 3 Sekunden zu ${quick}`,
  },
  askedRates: {
    en: (aTask: Value, aDay: number, aHundredCalls: Value) =>
      `${given('', aTask, ' a task, ')}${aDay} a day${given(', ', aHundredCalls, ' a hundred calls')}`,
    de: (aTask: Value, aDay: number, aHundredCalls: Value) =>
      `${given('', aTask, ' je Aufgabe, ')}${aDay} am Tag${given(', ', aHundredCalls, ' auf hundert Aufrufe')}`.replaceAll(
        /(\d)\.(\d)/g,
        '$1,$2',
      ),
  },
  answersTo: {
    en: (asked: number, yes: number, quick: number) => `${asked} asked, ${yes} yes, ${quick} within 3 seconds`,
    de: (asked: number, yes: number, quick: number) => `${asked} gefragt, ${yes} Ja, ${quick} binnen 3 Sekunden`,
  },
  asTable: { en: 'Table', de: 'Tabelle' },
  away: { en: 'While you were away', de: 'In der Zwischenzeit' },
  nothingSince: {
    en: (time: string) => `Nothing since ${time}.`,
    de: (time: string) => `Nichts seit ${time}.`,
  },
  markSeen: { en: 'Mark as seen', de: 'Als gesehen markieren' },
  running: { en: 'Running now', de: 'Läuft gerade' },
  nothingRuns: { en: 'Nothing is being worked on.', de: 'Es ist nichts in Arbeit.' },
  next: { en: 'Next', de: 'Als Nächstes' },
  grants: { en: 'Allowed without asking', de: 'Ohne Frage erlaubt' },
  revoke: { en: 'Revoke', de: 'Zurücknehmen' },
  noGrants: { en: 'Nothing beyond single approvals.', de: 'Nichts außer einzelnen Freigaben.' },
  stopped: { en: 'Stopped conversations', de: 'Angehaltene Gespräche' },
  stoppedAt: { en: (time: string) => `stopped at ${time}`, de: (time: string) => `angehalten um ${time}` },
  stoppedAsked: {
    en: 'Somebody there asked for it. What was still to be done there is refused.',
    de: 'Jemand dort wollte es so. Was dort noch zu tun war, ist abgelehnt.',
  },
  stoppedBlocks: {
    en: 'Too many of its actions were blocked within an hour. What was still to be done there is refused.',
    de: 'Innerhalb einer Stunde waren zu viele seiner Handlungen verboten. Was dort noch zu tun war, ist abgelehnt.',
  },
  stoppedApprovals: {
    en: 'It asked for more approvals than people can look through. What was still to be done there is refused.',
    de: 'Es bat um mehr Freigaben, als sich durchsehen lassen. Was dort noch zu tun war, ist abgelehnt.',
  },
  whyStopped: { en: 'Why it was stopped', de: 'Warum es angehalten ist' },
  resumingNeeds: {
    en: 'Resuming needs the token of an approver.',
    de: 'Fortsetzen geht nur mit einem Token zum Freigeben.',
  },

  // Cards.
  waits: { en: 'Waits for you', de: 'Wartet auf ein Ja' },
  approve: { en: 'Approve', de: 'Freigeben' },
  deny: { en: 'Deny', de: 'Ablehnen' },
  later: { en: 'Later', de: 'Später' },
  allowSimilar: { en: 'Allow similar', de: 'Ähnliches erlauben' },
  allowTask: { en: 'Allow for this task', de: 'Für diese Aufgabe erlauben' },
  allowSimilarAfter: { en: 'Allow similar…', de: 'Ähnliches erlauben …' },
  aboutSimilar: {
    en: (session: string, uses: number, hours: number, outside?: string) =>
      `Approves this one, and lets this very action pass in ${session} ${uses} more times within ${hours} h without asking${given(', also when outside text asks for it (', outside, ')')}.`,
    de: (session: string, uses: number, hours: number, outside?: string) =>
      `Gibt diese Handlung frei, und genau diese in ${session} innerhalb von ${hours} h noch ${uses}-mal ohne Frage${given(', auch wenn ein Text von außen sie will (', outside, ')')}.`,
  },
  together: {
    en: (count: number) => `The next ${count} were proposed together:`,
    de: (count: number) => `Die nächsten ${count} wurden zusammen vorgeschlagen:`,
  },
  approveAll: { en: 'Approve all', de: 'Alle freigeben' },
  denyAll: { en: 'Deny all', de: 'Alle ablehnen' },
  choose: { en: 'choose', de: 'auswählen' },
  chooseAll: { en: (count: number) => `Choose all ${count}`, de: (count: number) => `Alle ${count} auswählen` },
  approveChosen: {
    en: (count: number) => `Approve the ${count} chosen`,
    de: (count: number) => `Die ${count} ausgewählten freigeben`,
  },
  denyChosen: {
    en: (count: number) => `Deny the ${count} chosen`,
    de: (count: number) => `Die ${count} ausgewählten ablehnen`,
  },
  yesApprove: { en: 'Yes, approve', de: 'Ja, freigeben' },
  yesDeny: { en: 'Yes, deny', de: 'Ja, ablehnen' },
  yesLater: { en: 'Yes, later', de: 'Ja, später' },
  yes: { en: 'Yes', de: 'Ja' },
  no: { en: 'No', de: 'Nein' },
  aboutKeys: {
    en: 'While a card has the focus: a approves, d denies, l sets it aside. Each asks once more; Escape goes back.',
    de: 'Solange eine Karte den Fokus hat: a gibt frei, d lehnt ab, l stellt zurück. Jede Taste fragt noch einmal; Escape bricht ab.',
  },
  waitsUntil: {
    en: (time: string, left: string, session: string, requester?: string) =>
      `Waits for your yes until ${time}, ${left} more. Asked in ${session}${given(' by ', requester)}.`,
    de: (time: string, left: string, session: string, requester?: string) =>
      `Wartet bis ${time} auf ein Ja, noch ${left}. Gefragt in ${session}${given(' von ', requester)}.`,
  },
  whyItAsks: { en: 'Why it asks', de: 'Warum es fragt' },
  allOfIt: { en: 'Details', de: 'Einzelheiten' },
  decidingNeeds: {
    en: 'Deciding needs the token of an approver.',
    de: 'Entscheiden geht nur mit einem Token zum Freigeben.',
  },
  aside: { en: 'Set aside for an hour', de: 'Für eine Stunde zurückgestellt' },
  expires: {
    en: (time: string, left: string) => `It expires at ${time}, in ${left}.`,
    de: (time: string, left: string) => `Verfällt um ${time}, in ${left}.`,
  },
  showAgain: { en: 'Show again', de: 'Wieder zeigen' },
  noSuchApproval: {
    en: 'No approval of the last ones begins so, or this token may not see it.',
    de: 'Keine der letzten Freigaben beginnt so, oder dieses Token darf sie nicht sehen.',
  },

  // Talk.
  writing: { en: 'writing…', de: 'schreibt …' },
  working: { en: (state: string) => `working on it (${state})…`, de: (state: string) => `in Arbeit (${state}) …` },
  waitsForApproval: { en: 'waiting for an approval', de: 'wartet auf eine Freigabe' },
  counts: {
    en: (cards: number, rules: number) =>
      `${countOf(cards, 'card waits', 'cards wait')} · ${countOf(rules, 'rule learned', 'rules learned')}`,
    de: (cards: number, rules: number) =>
      `${countOf(cards, 'Karte wartet', 'Karten warten')} · ${countOf(rules, 'Regel gelernt', 'Regeln gelernt')}`,
  },
  returned: { en: 'What tools returned', de: 'Was Werkzeuge zurückgaben' },
  asksFor: {
    en: 'Asks for your yes:',
    de: 'Bittet um ein Ja:',
  },
  fittingCommands: { en: 'Commands that fit', de: 'Passende Befehle' },
  aboutTalk: {
    en: 'Say hello, or try one of these. What the model wants to do is checked by fixed rules before it happens, and what needs your yes waits here.',
    de: 'Zum Anfang genügt ein Gruß oder eines dieser Beispiele. Was das Modell tun will, prüfen vorher feste Regeln, und was ein Ja braucht, wartet hier.',
  },
  exampleNote: { en: 'remember that my bike is blue', de: 'merk dir, dass mein Fahrrad blau ist' },
  exampleJob: { en: 'every 10 minutes say drink water', de: 'alle 10 Minuten sag Wasser trinken' },
  message: { en: 'Message', de: 'Nachricht' },
  writeMessage: { en: 'Write a message, or / for commands', de: 'Nachricht schreiben, oder / für Befehle' },
  aboutEnter: {
    en: 'Enter sends, Shift + Enter makes a new line',
    de: 'Eingabe sendet, Umschalt + Eingabe macht eine neue Zeile',
  },
  send: { en: 'Send', de: 'Senden' },
  conversation: { en: 'Conversation', de: 'Gespräch' },
  earlierTurns: { en: 'Show earlier ones', de: 'Frühere zeigen' },
  nothingSaid: { en: 'Nothing was said here yet.', de: 'Hier ist noch nichts gesagt.' },
  sentThere: {
    en: 'Messages to this conversation are sent there, not here.',
    de: 'Nachrichten an dieses Gespräch werden dort gesendet, nicht hier.',
  },
  conversations: { en: 'Conversations', de: 'Gespräche' },
  newConversation: { en: 'New conversation', de: 'Neues Gespräch' },
  nameRule: { en: 'letters, digits, and . _ -', de: 'Buchstaben ohne Umlaute, Ziffern und . _ -' },
  itsName: { en: 'its name', de: 'sein Name' },
  begin: { en: 'Begin', de: 'Beginnen' },

  // Decisions.
  searchDecisions: { en: 'Search decisions', de: 'Entscheidungen durchsuchen' },
  filters: { en: 'Filters', de: 'Filter' },
  any: { en: 'any', de: 'alle' },
  filterChannel: { en: 'Answered in', de: 'Beantwortet in' },
  filterSource: { en: 'Came from', de: 'Kam von' },
  filterJob: { en: 'Job', de: 'Auftrag' },
  filterTool: { en: 'Used the tool', de: 'Mit dem Werkzeug' },
  filterFrom: { en: 'From the day', de: 'Ab dem Tag' },
  filterTo: { en: 'To the day', de: 'Bis zum Tag' },
  filterCost: { en: 'Cost at least', de: 'Kostete mindestens' },
  byState: { en: 'By state', de: 'Nach Zustand' },
  countedSoFar: { en: 'Counted so far:', de: 'Bisher gezählt:' },
  showAll: { en: 'Show all again', de: 'Wieder alle zeigen' },
  noneFits: {
    en: 'None of those that were looked through fits.',
    de: 'Von den durchsuchten passt keine.',
  },
  searchOn: { en: 'Search further back', de: 'Weiter zurück suchen' },
  stepOf: {
    en: (n?: number, of?: number) =>
      n === undefined ? `: the beginning${given(' of ', of, ' steps')}` : `: step ${n}${given(' of ', of)}`,
    de: (n?: number, of?: number) =>
      n === undefined ? `: der Beginn${given(' von ', of, ' Schritten')}` : `: Schritt ${n}${given(' von ', of)}`,
  },
  jobIsDue: {
    en: (job: string) => `the job ${job} is due`,
    de: (job: string) => `der Auftrag ${job} ist fällig`,
  },
  jobDidNotRun: {
    en: (job: string) => `the job ${job} did not run`,
    de: (job: string) => `der Auftrag ${job} lief nicht`,
  },
  youApproved: { en: 'you approved:', de: 'freigegeben:' },
  youDenied: { en: 'you denied:', de: 'abgelehnt:' },
  youAllowed: { en: 'you allowed similar ones:', de: 'Ähnliches erlaubt:' },
  youLooked: { en: 'you looked at:', de: 'angesehen:' },
  gatesPassed: {
    en: (passed: number, all: number) => `${passed} of ${all} gates passed`,
    de: (passed: number, all: number) => `Regeln, die es erlauben: ${passed} von ${all}`,
  },
  attempt: {
    en: (n: number, model: string) => `Attempt ${n} · ${model}`,
    de: (n: number, model: string) => `Versuch ${n} · ${model}`,
  },
  tokens: {
    en: (input: number, output: number) => ` · ${input} + ${output} tokens`,
    de: (input: number, output: number) => ` · ${input} + ${output} Token`,
  },
  action: { en: (n: number) => `Action ${n}`, de: (n: number) => `Handlung ${n}` },
  why: { en: 'Why:', de: 'Warum:' },
  whyModel: { en: 'Why, says the model:', de: 'Warum, sagt das Modell:' },
  effect: {
    en: (n: number, actuator: string) => `Effect ${n} · ${actuator}`,
    de: (n: number, actuator: string) => `Wirkung ${n} · ${actuator}`,
  },
  effects: { en: 'Effects', de: 'Wirkungen' },
  receipt: { en: 'Receipt', de: 'Beleg' },
  fromOwner: { en: 'from you', de: 'vom Besitzer' },
  fromAgent: { en: 'from the agent', de: 'vom Agenten' },
  fromOutside: { en: 'from outside: not trusted', de: 'von außen: nicht vertrauenswürdig' },
  commit: { en: (n: number) => `commit ${n}`, de: (n: number) => `Stand ${n}` },
  log: { en: 'Log', de: 'Protokoll' },
  leavesAndRoot: {
    en: (leaves: number, root: Value) => `${leaves} leaves, root ${root}`,
    de: (leaves: number, root: Value) => `${leaves} Blätter, Wurzel ${root}`,
  },
  settings: { en: 'Settings', de: 'Einstellungen' },
  version: { en: (n: Value) => `version ${n}`, de: (n: Value) => `Fassung ${n}` },
  skill: { en: 'Skill', de: 'Fähigkeit' },
  gates: { en: 'Gates', de: 'Regeln' },
  policy: { en: 'Policy', de: 'Richtlinie' },
  decidedWith: {
    en: (notes: number) => `Decided with ${countOf(notes, 'note', 'notes')}, and these versions`,
    de: (notes: number) => `Entschieden mit ${countOf(notes, 'Notiz', 'Notizen')} und diesen Fassungen`,
  },
  seenNote: {
    en: (id: string, version: number) => `note ${id}, version ${version}`,
    de: (id: string, version: number) => `Notiz ${id}, Fassung ${version}`,
  },
  refused: { en: 'Refused:', de: 'Abgelehnt:' },
  whereTimeWent: { en: 'Where the time went', de: 'Wofür die Zeit verging' },
  step: { en: 'Step', de: 'Schritt' },
  when: { en: 'When', de: 'Wann' },
  took: { en: 'Took', de: 'Dauer' },
  spanWork: { en: 'at work', de: 'in Arbeit' },
  spanQueue: { en: 'in a queue', de: 'wartet' },
  spanPerson: { en: 'waits for you', de: 'bis zum Ja' },
  queuesAndCode: { en: 'queues and code', de: 'Wartezeit und Code' },
  queuesAndPerceive: { en: 'queues and Perceive', de: 'Wartezeit und Perceive' },
  attemptAndGates: {
    en: (n: number, model: string) => `attempt ${n} (${model}) and its gates`,
    de: (n: number, model: string) => `Versuch ${n} (${model}) und seine Regeln`,
  },
  effectOf: {
    en: (n: number, actuator: string) => `effect ${n} (${actuator})`,
    de: (n: number, actuator: string) => `Wirkung ${n} (${actuator})`,
  },
  itsQueue: { en: 'queue', de: 'Wartezeit' },
  personsYes: { en: "a person's yes", de: 'das Ja eines Menschen' },
  compare: { en: 'Compare with another decision', de: 'Mit einer anderen Entscheidung vergleichen' },
  theOther: { en: 'The other one', de: 'Die andere' },
  sameBut: { en: 'Nothing differs but ids and times.', de: 'Nur Kennungen und Zeiten sind verschieden.' },
  differState: {
    en: (here: string, there: string) => `It ended as “${here}” here, and as “${there}” there.`,
    de: (here: string, there: string) => `Hier endete es als „${here}“, dort als „${there}“.`,
  },
  differWords: {
    en: (here: string, there: string) => `It was told: here “${here}”, there “${there}”.`,
    de: (here: string, there: string) => `Gesagt war: hier „${here}“, dort „${there}“.`,
  },
  differActions: {
    en: (here: string, there: string) => `It was to do: here ${here}; there ${there}.`,
    de: (here: string, there: string) => `Zu tun war: hier ${here}; dort ${there}.`,
  },
  differModel: {
    en: (here: string, there: string) => `Another model answered: ${here} here, ${there} there.`,
    de: (here: string, there: string) => `Ein anderes Modell hat geantwortet: hier ${here}, dort ${there}.`,
  },
  differGate: {
    en: (gate: string, here: string, there: string) => `The gate ${gate} says “${here}” here, “${there}” there.`,
    de: (gate: string, here: string, there: string) => `Die Regel ${gate} sagt hier „${here}“, dort „${there}“.`,
  },
  notAsked: { en: 'not asked', de: 'nicht gefragt' },
  otherPolicy: { en: 'Another policy was in force.', de: 'Es galt eine andere Richtlinie.' },
  otherGates: { en: 'Other gates were in force.', de: 'Es galten andere Regeln.' },
  otherSettings: { en: 'The settings were others.', de: 'Die Einstellungen waren andere.' },
  otherMemory: { en: 'Memory had changed.', de: 'Das Gedächtnis war ein anderes.' },
  otherSkill: { en: 'Another skill was used.', de: 'Eine andere Fähigkeit war im Spiel.' },
  differences: {
    en: (count: number) => countOf(count, 'difference in all', 'differences in all'),
    de: (count: number) => countOf(count, 'Unterschied', 'Unterschiede im Ganzen'),
  },
  what: { en: 'What', de: 'Was' },
  here: { en: 'Here', de: 'Hier' },
  there: { en: 'There', de: 'Dort' },
  judgeAgain: { en: 'Judge it again', de: 'Noch einmal urteilen' },
  aboutAgain: {
    en: 'Nothing is done and nothing is stored: the server runs the gates on the stored facts.',
    de: 'Es wird nichts getan und nichts gespeichert: Der Server wendet die Regeln auf die gespeicherten Tatsachen an.',
  },
  replay: { en: 'Replay', de: 'Wiederholen' },
  aPolicy: { en: 'A policy, in Cedar', de: 'Eine Richtlinie, in Cedar' },
  wouldFlip: {
    en: 'What would flip under this policy?',
    de: 'Was ginge mit dieser Richtlinie anders aus?',
  },
  steps: { en: 'Its steps', de: 'Seine Schritte' },
  plainWords: { en: 'In plain words', de: 'In einfachen Worten' },
  andThen: { en: (what: string) => `then ${what}`, de: (what: string) => `dann ${what}` },

  // Memory.
  untitled: { en: 'Untitled', de: 'Ohne Titel' },
  search: { en: 'Search', de: 'Suche' },
  find: { en: 'Find', de: 'Finden' },
  noneFound: {
    en: 'Nothing in memory has any of these words.',
    de: 'Keines dieser Wörter steht im Gedächtnis.',
  },
  noEarlier: { en: 'There is no earlier state.', de: 'Es gibt keinen früheren Stand.' },
  nowCommit: { en: (n: number) => `Now, commit ${n}`, de: (n: number) => `Jetzt, Stand ${n}` },
  commitOf: {
    en: (at: number, newest: number, date: string) => `Commit ${at} of ${newest} ${date}`,
    de: (at: number, newest: number, date: string) => `Stand ${at} von ${newest} ${date}`,
  },
  takeSnapshot: { en: 'Take a snapshot now', de: 'Diesen Stand benennen' },
  moveBack: {
    en: 'Move it back to see what changed since then.',
    de: 'Weiter links zeigt sich, was sich seitdem geändert hat.',
  },
  noSnapshots: { en: 'No moment has a name yet.', de: 'Noch hat kein Stand einen Namen.' },
  goBack: {
    en: (commit: number) => `Go back to commit ${commit}`,
    de: (commit: number) => `Auf Stand ${commit} zurücksetzen`,
  },
  noNotes: {
    en: 'Nothing is remembered yet: say “remember that …” in Talk.',
    de: 'Noch ist nichts gemerkt: „merk dir, dass …“ im Gespräch ändert das.',
  },
  earlier: { en: 'Earlier', de: 'Früher' },
  seenBy: { en: 'Decisions that saw it', de: 'Entscheidungen, die sie sahen' },
  decisionsOfDays: {
    en: (count: number) => `${countOf(count, 'decision', 'decisions')} of the last days.`,
    de: (count: number) => `${countOf(count, 'Entscheidung', 'Entscheidungen')} der letzten Tage.`,
  },
  allMemory: { en: 'All of memory', de: 'Das ganze Gedächtnis' },
  note: { en: 'Note', de: 'Notiz' },
  forget: { en: 'Forget', de: 'Löschen' },
  forgetAfter: { en: 'Forget…', de: 'Löschen …' },
  yesForget: { en: 'Yes, forget it', de: 'Ja, löschen' },
  aboutForget: {
    en: 'Erases the note for good, and the turns that told of it. Hashes stay, so that the proof holds.',
    de: 'Löscht die Notiz endgültig, und die Gespräche, die von ihr erzählten. Prüfsummen bleiben, damit der Nachweis gilt.',
  },
  itsVersions: { en: 'Its versions', de: 'Ihre Fassungen' },

  // Jobs.
  moments: { en: (job: string) => `Moments of ${job}`, de: (job: string) => `Termine von ${job}` },
  late: { en: (time: string) => `, ${time} late`, de: (time: string) => `, ${time} zu spät` },
  notDue: { en: 'It has not been due yet.', de: 'Noch war nichts fällig.' },
  in: { en: (time: string) => `, in ${time}`, de: (time: string) => `, in ${time}` },
  runNow: { en: 'Run now', de: 'Jetzt ausführen' },
  pause: { en: 'Pause', de: 'Pausieren' },
  noJob: {
    en: 'There is no job. Say, for example, “every 10 minutes say drink water”:',
    de: 'Es gibt keinen Auftrag. Ein Beispiel, „alle 10 Minuten sag Wasser trinken“:',
  },
  editJobs: {
    en: 'Make, edit, try or remove a job',
    de: 'Einen Auftrag anlegen, ändern, proben oder entfernen',
  },

  ownJobs: { en: 'Make or change a job', de: 'Einen Auftrag anlegen oder ändern' },
  builtInJobs: {
    en: (count: number) => `${countOf(count, 'job', 'jobs')} of the program itself`,
    de: (count: number) => `${countOf(count, 'Auftrag', 'Aufträge')} des Programms selbst`,
  },
  whichJob: { en: 'Which job', de: 'Welcher Auftrag' },
  newJob: { en: 'a new one', de: 'ein neuer' },
  jobName: { en: 'Its name', de: 'Sein Name' },
  jobRule: { en: 'Runs', de: 'Läuft' },
  jobWhen: { en: 'When exactly', de: 'Wann genau' },
  ruleEvery: { en: 'again and again', de: 'immer wieder' },
  ruleAt: { en: 'once, at a time', de: 'einmal, zu einer Zeit' },
  ruleCron: { en: 'by a cron line', de: 'nach einer Cron-Zeile' },
  ruleEvent: { en: 'on an event of a service', de: 'bei einem Ereignis eines Dienstes' },
  ruleCondition: { en: 'when something becomes true', de: 'wenn etwas wahr wird' },
  jobWork: { en: 'What it does', de: 'Was er tut' },
  workSay: { en: 'says a text', de: 'sagt einen Text' },
  workPrompt: { en: 'asks the model', de: 'fragt das Modell' },
  workRunbook: { en: 'runs a runbook', de: 'führt ein Runbook aus' },
  workKept: { en: 'what it does now', de: 'was er jetzt tut' },
  jobWords: { en: 'Its words', de: 'Seine Worte' },
  jobTo: {
    en: 'Where its words go (several with commas)',
    de: 'Wohin seine Worte gehen (mehrere mit Kommas)',
  },
  makeJob: { en: 'Make it', de: 'Anlegen' },
  changeJob: { en: 'Change it', de: 'Ändern' },
  whichRunbook: { en: 'Which runbook', de: 'Welches Runbook' },
  startRun: { en: 'Start it', de: 'Starten' },
  startRunbook: { en: 'Start a runbook', de: 'Ein Runbook starten' },
  ownHooks: { en: 'Tell a webhook what happens here', de: 'Einem Webhook sagen, was hier geschieht' },
  whichHook: { en: 'Which webhook', de: 'Welcher Webhook' },
  newHook: { en: 'another one', de: 'ein anderer' },
  hookTarget: { en: 'Its name in WEBHOOK_TARGETS', de: 'Sein Name in WEBHOOK_TARGETS' },
  hookNews: { en: 'It is told (nothing chosen: no more)', de: 'Er erfährt (nichts gewählt: nichts mehr)' },
  ownProvider: { en: 'Add a model provider', de: 'Einen Modell-Anbieter hinzufügen' },
  providerName: { en: 'Its name', de: 'Sein Name' },
  providerUrl: { en: 'Its address, which often ends in /v1', de: 'Seine Adresse, die oft auf /v1 endet' },
  providerModels: {
    en: 'Model, or a small and a large one (empty: the only one it offers)',
    de: 'Modell, oder ein kleines und ein großes (leer: das einzige, das er anbietet)',
  },
  providerKey: { en: 'Its key (empty: it needs none)', de: 'Sein Schlüssel (leer: er braucht keinen)' },
  aboutKey: {
    en: 'It goes to the vault for this name at this address alone, and is never shown again.',
    de: 'Er kommt in den Tresor, nur für diesen Namen unter dieser Adresse, und wird nie wieder gezeigt.',
  },
  addProvider: { en: 'Add', de: 'Hinzufügen' },
  ownPlaces: { en: 'Name a place for texts', de: 'Einem Ort für Texte einen Namen geben' },
  whichPlace: { en: 'Which place', de: 'Welcher Ort' },
  newPlace: { en: 'a new one', de: 'ein neuer' },
  placeName: { en: 'Its name', de: 'Sein Name' },
  placeChats: {
    en: 'Its chats or webhooks (several with commas; nothing: the name ends)',
    de: 'Seine Chats oder Webhooks (mehrere mit Kommas; nichts: der Name endet)',
  },
  save: { en: 'Save', de: 'Speichern' },
  moreCommands: { en: 'More commands', de: 'Weitere Befehle' },

  // Evidence.
  verified: { en: 'verified', de: 'bestätigt' },
  aboutVerified: {
    en: 'Every hash, proof and signature agrees, with the key above and with what this browser keeps.',
    de: 'Prüfsummen, Beweise und Unterschriften stimmen, auch mit dem Schlüssel oben und dem, was dieser Browser verwahrt.',
  },
  consistent: { en: 'consistent', de: 'stimmig' },
  aboutConsistent: {
    en: 'All of it agrees with itself. Without a key that you know, whoever made it could have forged all of it.',
    de: 'Alles stimmt in sich. Ohne einen bekannten Schlüssel kann alles gefälscht sein.',
  },
  incomplete: { en: 'incomplete', de: 'unvollständig' },
  aboutIncomplete: {
    en: 'What is there agrees, and a part is missing.',
    de: 'Was da ist, stimmt; ein Teil fehlt.',
  },
  older: { en: 'older', de: 'älter' },
  aboutOlder: {
    en: 'It is older than the kept checkpoint. What is there agrees.',
    de: 'Es ist älter als der verwahrte Prüfpunkt. Was da ist, stimmt.',
  },
  withheld: { en: 'withheld', de: 'verdeckt' },
  aboutWithheld: {
    en: 'What is shown agrees, and an action is not shown.',
    de: 'Was gezeigt wird, stimmt; eine Handlung wird nicht gezeigt.',
  },
  cut: { en: 'cut off', de: 'abgeschnitten' },
  aboutCut: { en: 'The file ends too early.', de: 'Die Datei endet zu früh.' },
  wrong: { en: 'WRONG', de: 'FALSCH' },
  aboutWrong: { en: 'Something was changed or forged.', de: 'Etwas ist geändert oder gefälscht.' },
  checked: {
    en: (leaves: number, checkpoints: number, records: number, time: string) =>
      `${countOf(leaves, 'leaf', 'leaves')}, ${countOf(checkpoints, 'checkpoint', 'checkpoints')} and ${countOf(records, 'record', 'records')}, checked in ${time}.`,
    de: (leaves: number, checkpoints: number, records: number, time: string) =>
      `${countOf(leaves, 'Blatt', 'Blätter')}, ${countOf(checkpoints, 'Prüfpunkt', 'Prüfpunkte')} und ${countOf(records, 'Eintrag', 'Einträge')}, geprüft in ${time}.`,
  },
  rootAndNewest: {
    en: (root: string, newest?: string) => `Root ${root}${given(', newest leaf of ', newest)}.`,
    de: (root: string, newest?: string) => `Wurzel ${root}${given(', neuestes Blatt von ', newest)}.`,
  },
  leafNumber: { en: (index: number) => `leaf ${index}`, de: (index: number) => `Blatt ${index}` },
  notCovered: {
    en: (cosignatures: number) =>
      `Not covered: a checkpoint before the newest may be left out, but none of its leaves${cosignatures === 0 ? '' : `; ${countOf(cosignatures, 'cosignature', 'cosignatures')} of witnesses`}.`,
    de: (cosignatures: number) =>
      `Nicht abgedeckt: Ein Prüfpunkt vor dem neuesten kann fehlen, doch keines seiner Blätter${cosignatures === 0 ? '' : `; ${countOf(cosignatures, 'Mitunterschrift', 'Mitunterschriften')} von Zeugen`}.`,
  },
  mayBeOld: {
    en: 'Its newest leaf is more than an hour older than the time that it claims: it may be an old copy.',
    de: 'Das neueste Blatt ist mehr als eine Stunde älter als die angegebene Zeit: Es kann eine alte Kopie sein.',
  },
  noExport: {
    en: 'This file is neither an export of evidence nor a receipt. Nothing was checked.',
    de: 'Diese Datei ist weder ein Export des Nachweises noch ein Beleg. Es wurde nichts geprüft.',
  },
  begins: { en: 'begins', de: 'beginnt' },
  noVerifier: {
    en: 'The verifier could not be loaded.',
    de: 'Das Prüfprogramm ließ sich nicht laden.',
  },
  verify: { en: 'Verify', de: 'Prüfen' },
  aboutVerify: {
    en: 'This browser computes every hash again and checks every proof and signature. The page goes on meanwhile.',
    de: 'Dieser Browser rechnet alle Prüfsummen nach und prüft alle Beweise und Unterschriften. Die Seite bleibt dabei benutzbar.',
  },
  keyOfLog: {
    en: 'Key of the log, as you know it (optional)',
    de: 'Bekannter Schlüssel des Protokolls (optional)',
  },
  verifyNow: { en: 'Verify now', de: 'Jetzt prüfen' },
  aFile: { en: 'A file', de: 'Eine Datei' },
  chooseFile: {
    en: 'An export or a receipt, also of another stack if its key stands above: choose it, or drop it here',
    de: 'Ein Export oder ein Beleg, auch von anderswo, wenn oben der Schlüssel dazu steht: auswählen oder hierher ziehen',
  },
  keeps: {
    en: (leaves: number, time: string) =>
      `This browser keeps the key, and the checkpoint of ${countOf(leaves, 'leaf', 'leaves')} from ${time}: nothing before it can be cut off or written anew unseen.`,
    de: (leaves: number, time: string) =>
      `Dieser Browser verwahrt den Schlüssel und den Prüfpunkt über ${countOf(leaves, 'Blatt', 'Blätter')} von ${time}: Nichts davor lässt sich unbemerkt abschneiden oder neu schreiben.`,
  },
  forgetThem: { en: 'Forget them', de: 'Beides löschen' },
  theLog: { en: 'The log', de: 'Das Protokoll' },
  leaves: { en: 'Leaves', de: 'Blätter' },
  leavesSigned: {
    en: (leaves: number, signed: number) => `${leaves}, of which ${signed} are signed`,
    de: (leaves: number, signed: number) => `${leaves}, davon ${signed} unterschrieben`,
  },
  waiting: { en: 'Waiting', de: 'Wartet' },
  noLeafYet: {
    en: 'something was done that has no leaf yet',
    de: 'etwas Getanes, das noch kein Blatt hat',
  },
  nothing: { en: 'nothing', de: 'nichts' },
  signedBy: { en: 'Signed by', de: 'Unterschrieben von' },
  nobodyYet: { en: 'nobody yet', de: 'noch niemandem' },
  root: { en: 'Root', de: 'Wurzel' },
  key: { en: 'Key', de: 'Schlüssel' },
  keepOutside: {
    en: 'Keep the key and a checkpoint outside this machine: `npx passepartout evidence checkpoint`.',
    de: 'Schlüssel und ein Prüfpunkt gehören auch an einen Ort außerhalb dieses Rechners: `npx passepartout evidence checkpoint`.',
  },
  askAgain: { en: 'Ask again', de: 'Neu laden' },

  // Manage.
  waitsForYes: { en: 'It waits for your yes: see Home.', de: 'Das wartet auf ein Ja: siehe Übersicht.' },
  stillAtWork: { en: 'It is still at work.', de: 'Es ist noch in Arbeit.' },
  mustBeJson: {
    en: (field: string) => `${field} must be JSON, such as {"service": "shop"}`,
    de: (field: string) => `${field} muss JSON sein, wie {"service": "shop"}`,
  },
  optional: { en: ' (optional)', de: ' (optional)' },
  asJson: { en: 'as JSON', de: 'als JSON' },
  show: { en: 'Show', de: 'Zeigen' },
  doIt: { en: 'Do it', de: 'Ausführen' },
  busy: { en: 'working…', de: 'in Arbeit …' },
  more: { en: 'More', de: 'Mehr' },
  itsDecision: { en: 'Its decision', de: 'Die Entscheidung dazu' },
  noForm: {
    en: 'It takes more than a form can ask for: say it in Talk, in your own words.',
    de: 'Das braucht mehr, als ein Formular fragen kann: im Gespräch geht es mit eigenen Worten.',
  },
  otherCommands: { en: 'other commands', de: 'andere Befehle' },
  nothingHere: { en: 'There is nothing here.', de: 'Hier ist nichts.' },

  // Health.
  whatRuns: { en: 'What runs', de: 'Was läuft' },
  models: { en: 'Models', de: 'Modelle' },
  none: { en: 'none', de: 'keine' },
  store: { en: 'Store', de: 'Speicher' },
  heartbeat: { en: 'Heartbeat', de: 'Herzschlag' },
  noHeartbeat: { en: 'none yet', de: 'noch keiner' },
  ago: { en: (time: string) => `${time} ago`, de: (time: string) => `vor ${time}` },
  killSwitch: { en: 'Kill switch', de: 'Notaus' },
  killSwitchOn: { en: 'on: nothing is done', de: 'an: es wird nichts getan' },
  off: { en: 'off', de: 'aus' },
  thisToken: { en: 'This token', de: 'Dieses Token' },
  ofApprover: { en: 'approver', de: 'darf freigeben' },
  ofScript: {
    en: 'of a script: nothing can be changed here',
    de: 'von einem Skript: hier lässt sich nichts ändern',
  },
  release: { en: 'Release', de: 'Version' },
  newerRelease: {
    en: (version: string) => `${version} is out`,
    de: (version: string) => `${version} ist erschienen`,
  },
  spentToday: { en: 'Spent today', de: 'Heute ausgegeben' },
  shareSpent: { en: "Share of today's cap that is spent", de: 'Ausgegebener Teil der Tagesgrenze' },
  notifications: { en: 'Notifications', de: 'Benachrichtigungen' },
  notifies: {
    en: 'This browser tells you when something waits for you, while the page is open in a tab.',
    de: 'Dieser Browser meldet, wenn etwas auf ein Ja wartet, solange die Seite in einem Tab offen ist.',
  },
  notify: { en: 'Tell me when something waits', de: 'Melden, wenn etwas wartet' },
  otherWays: { en: 'Other ways to talk to it', de: 'Andere Wege ins Gespräch' },
  inTerminal: {
    en: 'In a terminal: `npx passepartout chat`, `send "…"`, `why <signal>`, `approvals`, `doctor`.',
    de: 'Im Terminal: `npx passepartout chat`, `send "…"`, `why <signal>`, `approvals`, `doctor`.',
  },
  fromScript: {
    en: 'From a script: `POST /api/messages` with `{"text": "…"}` and a token of `API_TOKENS` as `Authorization: Bearer …`, then `GET /api/signals/<id>`.',
    de: 'Aus einem Skript: `POST /api/messages` mit `{"text": "…"}` und einem Token aus `API_TOKENS` als `Authorization: Bearer …`, danach `GET /api/signals/<id>`.',
  },
  fromTelegram: {
    en: 'From Telegram: `npx passepartout pair` gives a code; send the bot `/pair` and the code.',
    de: 'Aus Telegram: `npx passepartout pair` gibt einen Code; dann geht `/pair` mit dem Code an den Bot.',
  },
  doctor: { en: 'Doctor', de: 'Diagnose' },
  costOfWeek: { en: 'Cost of the week', de: 'Kosten der Woche' },
} satisfies Table;

type Key = keyof typeof TEXTS;
/** A text without values. */
export type PlainKey = { [K in Key]: (typeof TEXTS)[K]['en'] extends string ? K : never }[Key];

export const phraseIn = <K extends Key, L extends Language>(language: L, key: K): (typeof TEXTS)[K][L] =>
  TEXTS[key][language];

/** Channels and senders that the product itself names. */
const SOURCES: Readonly<Record<string, Both<string>>> = {
  console: { en: 'this page, terminal, scripts', de: 'diese Seite, Terminal, Skripte' },
  telegram: { en: 'Telegram', de: 'Telegram' },
  system: { en: 'the program itself', de: 'das Programm selbst' },
};

export const sourceWordIn = (language: Language, source: string): string => SOURCES[source]?.[language] ?? source;

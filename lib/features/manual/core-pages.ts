/** Pages of the manual about what the core and its command line do. */
import type { ManualPage } from '../manual-pages.ts';

export const CORE_PAGES: readonly ManualPage[] = [
  {
    title: 'Set the agent up for the first time',
    german: 'Den Agenten zum ersten Mal einrichten',
    words:
      'install installation begin start get started first steps configure wizard requirements new run launch download ' +
      'installieren Installation anfangen starten erste Schritte konfigurieren Assistent Voraussetzungen neu loslegen clone repository docker requirements node macos linux windows klonen Repository',
    steps: [
      [
        'npm ci && npm start',
        'starts it and opens a chat; without a model key a demo model answers',
        'startet und öffnet ein Gespräch; ohne Schlüssel antwortet ein Vorführmodell',
      ],
      [
        'npx passepartout setup',
        'asks for model, bot, webhook, budget, zone and rules, and tries each value at once',
        'fragt nach Modell, Bot, Webhook, Budget, Zone und Regeln, und probiert jeden Wert gleich aus',
      ],
    ],
    see: 'README.md',
  },
  {
    title: 'Give it a language model: the key of a provider, or Ollama',
    german: 'Ihm ein Sprachmodell geben: den Schlüssel eines Anbieters, oder Ollama',
    words:
      'api key openai anthropic claude gpt chatgpt gemini groq openrouter mistral llm ai local own provider enter token credentials subscription ' +
      'Schlüssel API KI Anbieter Zugang eintragen hinterlegen lokal eigenes Sprachmodell rejects refused invalid wrong expired account credit demo script abgelehnt ungültig falsch Konto Vorführmodell echte Antworten',
    steps: [
      [
        'npx passepartout setup --only model',
        'asks for the provider and its key, and tries them with a real answer',
        'fragt nach Anbieter und Schlüssel, und probiert sie mit einer echten Antwort',
      ],
      [
        'npx passepartout models',
        'each provider: models, windows, prices, reachable or why not',
        'jeder Anbieter: Modelle, Fenster, Preise, erreichbar oder warum nicht',
      ],
    ],
    see: 'README.md',
  },
  {
    title: 'Choose which model answers',
    german: 'Wählen, welches Modell antwortet',
    words:
      'switch change select other different ai llm gpt claude smarter cheaper faster better stronger provider brain ' +
      'wechseln ändern umstellen anderes KI klüger billiger günstiger schneller stärker besseres Anbieter use try this conversation only newer nicer older quality dumb slow probieren nur dieses Gespräch dumm langsam',
    verbs: ['model'],
    see: 'lib/core/llm/README.md',
  },
  {
    title: 'Find out what is wrong, such as when no answer comes',
    german: 'Herausfinden, was nicht stimmt, etwa wenn keine Antwort kommt',
    words:
      'broken problem error trouble fault help diagnose silent dead not working does not answer reply respond reacts hangs slow health check repair fix support ' +
      'kaputt Problem Fehler Störung Hilfe Diagnose stumm geht nicht funktioniert antwortet reagiert hängt langsam Gesundheit reparieren beheben nothing happens ignores down offline unreachable error message weird strange crashed passiert nichts offline spinnt seltsam Meldung',
    steps: [
      [
        'npx passepartout doctor',
        'says whether it can answer, checks everything, says what to do; --fix, --watch',
        'sagt, ob es antworten kann, prüft alles, sagt, was zu tun ist; --fix, --watch',
      ],
    ],
    verbs: ['doctor', 'status'],
    see: 'infra/troubleshooting.md',
  },
  {
    title: 'Stop everything at once',
    german: 'Alles sofort anhalten',
    words:
      'stop halt emergency kill switch panic abort cancel off shut down freeze brake immediately quit end danger ' +
      'stopp anhalten Notfall Notaus Not-Aus abbrechen abschalten ausschalten einfrieren Bremse sofort beenden Gefahr schief going crazy wild out of control runaway spam spinnt durchdreht außer Kontrolle sofort aufhören Stecker',
    verbs: ['stop'],
    steps: [
      [
        'STOP',
        'written in a chat, does the same; npx passepartout stop in a terminal',
        'in einem Chat geschrieben, tut dasselbe (auch STOPP); npx passepartout stop im Terminal',
      ],
    ],
    see: 'infra/operating.md#stop-everything-now',
  },
  {
    title: 'Carry on after a stop',
    german: 'Nach einem Halt weitermachen',
    words:
      'resume continue restart again unfreeze wake start back brake emergency stopped halted going ' +
      'fortsetzen weiter wieder aufwecken starten Bremse Notaus angehalten gestoppt los',
    verbs: ['resume'],
    steps: [
      [
        'npx passepartout resume',
        'carries on; --session <id>: one conversation that was stopped',
        'macht weiter; --session <id>: ein Gespräch, das angehalten wurde',
      ],
    ],
    see: 'infra/operating.md#stop-everything-now',
  },
  {
    title: 'See why something was done or refused',
    german: 'Sehen, warum etwas getan oder abgelehnt wurde',
    words:
      'why reason explain explanation cause decision rule gate blocked denied rejected forbidden not allowed did trace how come ' +
      'warum wieso Grund Begründung erklären Erklärung Ursache Entscheidung Regel blockiert verweigert verboten gemacht',
    verbs: ['why', 'signals'],
    see: 'README.md',
  },
  {
    title: 'See what waits for a yes, and answer it',
    german: 'Sehen, was auf ein Ja wartet, und es beantworten',
    words:
      'approve approval confirm accept permit ok okay allow deny decline reject no pending open card question decide consent waiting ' +
      'genehmigen Genehmigung freigeben Freigabe bestätigen zustimmen erlauben ablehnen nein offen ausstehend Karte entscheiden sent me card button tap choose what now agree sign off what to do with it Knopf tippen abnicken wo sehe ich Anfrage',
    verbs: ['approvals', 'approve', 'deny'],
    see: 'infra/telegram.md#cards',
  },
  {
    title: 'Allow the same again without being asked',
    german: 'Dasselbe wieder erlauben, ohne gefragt zu werden',
    words:
      'grant standing permission always repeat confirm every time annoying stop asking trust remember answer similar tired again same thing ' +
      'Dauererlaubnis Erlaubnis immer jedes Mal bestätigen nervt nicht mehr fragen vertrauen gleiche ähnliche ständig withdraw take away cancel given yes permanently auto approve entziehen wegnehmen durchwinken pauschal',
    verbs: ['grants add', 'grants', 'revoke'],
    steps: [
      [
        'npx passepartout approve <approval> --similar',
        'approves, and allows exactly this action a few more times; --task: its like, in this task',
        'gibt frei und erlaubt genau diese Handlung noch einige Male; --task: ihresgleichen, in dieser Aufgabe',
      ],
    ],
    see: 'lib/core/approvals/README.md',
  },
  {
    title: 'See how often and how fast questions are answered',
    german: 'Sehen, wie oft und wie schnell Fragen beantwortet werden',
    words: 'statistics too many questions hasty count ; Statistik zu viele Fragen vorschnell Anzahl',
    verbs: ['questions'],
    see: 'lib/core/approvals/README.md',
  },
  {
    title: 'Name the agent, and say how it speaks and what it calls you',
    german: 'Dem Agenten einen Namen geben, und sagen, wie er spricht und dich nennt',
    words:
      'identity personality rename call yourself tone style formal friendly short polite character who are you my name address ' +
      'Identität Persönlichkeit umbenennen heißen Ton Stil förmlich freundlich kurz höflich duzen siezen Charakter wer bist du anreden casual relaxed chatty verbose brief emoji humour sarcastic locker knapp ausführlich witzig nenn mich',
    verbs: ['identity', 'identity name', 'identity owner', 'identity style', 'identity reset'],
    see: 'infra/README.md#settings',
  },
  {
    title: 'Choose the language: English or German',
    german: 'Die Sprache wählen: Englisch oder Deutsch',
    words:
      'language translate speak talk german english deutsch switch change ; Sprache übersetzen sprich sprechen reden englisch umstellen wechseln',
    verbs: ['language'],
    see: 'lib/core/text/README.md#languages',
  },
  {
    title: 'Change a setting while it runs, such as the time zone',
    german: 'Eine Einstellung ändern, während es läuft, etwa die Zeitzone',
    words:
      'setting option preference configure configuration time zone clock wrong hour adjust value default variable environment ' +
      'Einstellung Option Vorliebe konfigurieren Konfiguration Zeitzone Uhr falsche Uhrzeit anpassen Wert Vorgabe Variable change preference where do I set options adjust ahead behind offset summer winter verschoben umstellen Sommerzeit',
    verbs: ['config list', 'config get', 'config set', 'config reset'],
    see: 'infra/README.md#settings',
  },
  {
    title: 'Start it with the computer',
    german: 'Mit dem Computer starten lassen',
    words:
      'service autostart boot reboot login automatically background daemon systemd launchd always on permanent keep running after restart power ' +
      'Dienst Autostart hochfahren Neustart automatisch Hintergrund dauerhaft immer an laufen lassen einschalten',
    steps: [
      [
        'npx passepartout service --install',
        'writes what starts the stack with this machine; without --install it prints it',
        'schreibt, was den Stack mit diesem Rechner startet; ohne --install wird es nur gezeigt',
      ],
    ],
    see: 'infra/operating.md#start-with-the-machine',
  },
  {
    title: 'Upgrade to a newer release, and go back',
    german: 'Auf eine neuere Version umsteigen, und zurück',
    words:
      'update upgrade new version release patch install latest downgrade previous older rollback ' +
      'aktualisieren Update Aktualisierung neue Version einspielen installieren neueste vorherige ältere zurück',
    steps: [
      [
        'git pull && npm ci',
        'takes the newer release; then start again (npm start), or npm run deploy in the cloud',
        'holt die neuere Version; danach neu starten (npm start), oder in der Cloud npm run deploy',
      ],
      [
        'npx passepartout go-back --stack <name>',
        'puts a deployed stack on the release before',
        'setzt einen Stack in der Cloud auf die Version davor',
      ],
    ],
    see: 'infra/operating.md#upgrade',
  },
  {
    title: 'Run it in the cloud (AWS)',
    german: 'In der Cloud betreiben (AWS)',
    words:
      'deploy deployment amazon lambda server host hosting online always available account credentials ' +
      'ausliefern Bereitstellung Amazon Server hosten Hosting online Konto Zugangsdaten Wolke',
    steps: [
      [
        'npm run deploy',
        'creates or renews the stack in your AWS account',
        'legt den Stack in deinem AWS-Konto an oder erneuert ihn',
      ],
      [
        'npx passepartout setup --stack <name>',
        'tries values for a deployed stack, and says where secrets go',
        'probiert Werte für einen Stack in der Cloud, und sagt, wohin Geheimnisse gehören',
      ],
    ],
    see: 'infra/from-nothing-to-aws.md',
  },
  {
    title: 'Move to another computer',
    german: 'Auf einen anderen Computer umziehen',
    words:
      'migrate transfer relocate new machine laptop server copy folder switch host ' +
      'umziehen Umzug übertragen mitnehmen neuer Rechner Laptop Server kopieren Ordner wechseln',
    steps: [
      [
        'copy .passepartout/ and .env',
        'stop the stack first; then npm ci && npm start there, and npx passepartout doctor',
        'vorher den Stack beenden; dort dann npm ci && npm start, und npx passepartout doctor',
      ],
    ],
    see: 'infra/operating.md#move-to-another-machine',
  },
  {
    title: 'Change a key, token or other secret',
    german: 'Einen Schlüssel, ein Token oder anderes Geheimnis wechseln',
    words:
      'rotate renew replace leaked exposed compromised stolen password credential revoke expired ' +
      'erneuern ersetzen austauschen bekannt geworden geleakt Passwort Zugangsdaten abgelaufen tauschen hacked stranger has my token reset invalidate gehackt ungültig machen zurücksetzen',
    steps: [
      [
        'npx passepartout setup --only keys',
        'of embeddings, recordings and voice answers; --only model and --only telegram of those; others are lines of .env',
        'der Einbettungen, Aufnahmen und Sprachantworten; --only model und --only telegram deren; andere sind Zeilen der .env',
      ],
    ],
    see: 'infra/operating.md#rotate-a-secret',
  },
  {
    title: 'Let a script or another program in, over HTTP',
    german: 'Ein Skript oder anderes Programm hereinlassen, über HTTP',
    words:
      'api rest http endpoint token curl programmatically integrate code automation bearer openapi developer ' +
      'Schnittstelle Programmierung Zugriff Token Entwickler anbinden Automatisierung',
    steps: [
      [
        'API_TOKENS={"nightly-report": {"token": "…", "scopes": ["read", "speak"]}}',
        'a line of .env: a token for each script; GET /api/openapi.json describes every route',
        'eine Zeile der .env: ein Token für jedes Skript; GET /api/openapi.json beschreibt jeden Weg',
      ],
    ],
    see: 'lib/core/edge/README.md',
  },
  {
    title: 'Talk in the terminal',
    german: 'Im Terminal sprechen',
    words:
      'chat conversation command line console shell cli type write screen reader plain exit leave ' +
      'Gespräch Kommandozeile Konsole Eingabe tippen schreiben Vorlesehilfe Bildschirmleser verlassen',
    steps: [
      [
        'npx passepartout chat',
        'a conversation in the terminal, also without the word chat; /exit leaves; --plain for screen readers',
        'ein Gespräch im Terminal, auch ohne das Wort chat; /exit verlässt es; --plain für Vorleseprogramme',
      ],
      ['npx passepartout send "text"', 'one message, and its replies', 'eine Nachricht, und die Antworten darauf'],
      [
        'npx passepartout completion bash >> ~/.bashrc',
        'commands by the Tab key; or zsh, fish',
        'Befehle mit der Tabulatortaste; oder zsh, fish',
      ],
    ],
    see: 'infra/cli/README.md#the-chat',
  },
  {
    title: 'See every command, and how one is written',
    german: 'Alle Befehle sehen, und wie einer geschrieben wird',
    words:
      'help commands list overview usage syntax manual instructions documentation how do i what can i type ' +
      'Hilfe Befehle Liste Übersicht Anleitung Handbuch Dokumentation Schreibweise was kann ich tippen which commands exist cheat sheet examples where is explained Spickzettel Beispiele wo steht erklärt',
    steps: [
      [
        '/help',
        'lists commands; /help jobs says how one is written, and /help <words> searches this manual',
        'nennt Befehle; /help jobs sagt, wie einer geschrieben wird, und /help <Wörter> durchsucht dieses Handbuch',
      ],
      ['npx passepartout help <command>', 'the same on the command line', 'dasselbe auf der Kommandozeile'],
    ],
    see: 'infra/cli/README.md',
  },
  {
    title: 'Try again what failed, or settle what is unknown',
    german: 'Noch einmal versuchen, was gescheitert ist, oder Ungewisses klären',
    words:
      'retry redrive again failed failure stuck dead letter lost unknown outcome error happened message crashed did not arrive ' +
      'wiederholen erneut nochmal versuchen probieren gescheitert fehlgeschlagen hängen liegen geblieben steckt ungewiss Ausgang Fehler angekommen did not go through once more didn’t work never arrived second attempt bounced nicht durch nochmals kam nicht an abgestürzt',
    verbs: ['redrive', 'effects resolve'],
    see: 'infra/troubleshooting.md#things-that-failed',
  },
  {
    title: 'Check that the log was not rewritten',
    german: 'Prüfen, dass das Protokoll nicht umgeschrieben wurde',
    words:
      'verify evidence tamper tampered manipulated forged falsified changed integrity audit export trust signed merkle proof records history ' +
      'prüfen Beweis manipuliert gefälscht verfälscht verändert Echtheit Nachweis Revision unversehrt Aufzeichnungen Verlauf',
    steps: [
      [
        'npx passepartout evidence export --out <file>',
        'writes all records, as evidence',
        'schreibt alle Aufzeichnungen als Beweis in eine Datei',
      ],
      [
        'npx passepartout verify <file>',
        'checks such a file, offline; with --anchor <checkpoint> or --key <key>',
        'prüft eine solche Datei, ohne Netz; mit --anchor <Prüfpunkt> oder --key <Schlüssel>',
      ],
      [
        'npx passepartout replay --since 7d',
        'judges the gates again on what is stored',
        'urteilt noch einmal mit den Regeln über das Gespeicherte',
      ],
    ],
    see: 'infra/cli/README.md#check-evidence',
  },
  {
    title: 'See the built-in rules (gates)',
    german: 'Die eingebauten Regeln sehen (Gates)',
    words:
      'rules safety guard protection security checks what is forbidden not allowed protects secrets prompt injection ' +
      'Regeln Sicherheit Schutz Prüfungen was ist verboten nicht erlaubt schützt Geheimnisse',
    steps: [
      [
        'npx passepartout gates list',
        'every built-in rule, in the order it runs',
        'jede eingebaute Regel, in der Reihenfolge, in der sie läuft',
      ],
    ],
    see: 'lib/core/gates/README.md',
  },
  {
    title: 'What is done with your data, and what stays private',
    german: 'Was mit deinen Daten geschieht, und was privat bleibt',
    words:
      'privacy confidential personal share provider stored where kept gdpr secret leak upload tag mark hide ' +
      'Datenschutz vertraulich persönlich gespeichert wo liegen Anbieter DSGVO geheim verraten verbergen kennzeichnen delete all uninstall who can read encrypted leave company see my messages wer liest mit Firma sieht meine Nachrichten',
    steps: [
      [
        '/remember … #personal',
        'a note marked so is never shown to a model, and a text marked so never leaves; all data lies in .passepartout/',
        'eine so markierte Notiz sieht nie ein Modell, ein so markierter Text geht nie hinaus; alle Daten liegen in .passepartout/',
      ],
    ],
    see: 'lib/core/memory/README.md',
  },
  {
    title: 'Have a web page opened and read',
    german: 'Eine Webseite öffnen und lesen lassen',
    words:
      'internet browse browser url link site website online article look up open visit download google search web ' +
      'Internet surfen Seite Webseite Link Adresse Artikel nachsehen aufrufen besuchen lesen suchen',
    steps: [
      [
        'read https://example.com and say what is new',
        'a card shows the address; your yes opens it, and its text counts as a stranger’s words',
        'eine Karte zeigt die Adresse; dein Ja öffnet sie, und ihr Text gilt als Worte eines Fremden',
      ],
    ],
    see: 'lib/core/tools/README.md',
  },
  {
    title: 'Have numbers worked out, or a small program run',
    german: 'Zahlen ausrechnen oder ein kleines Programm laufen lassen',
    words:
      'calculate calculator math maths sum percent convert compute javascript code script program execute date days between ' +
      'rechnen Rechner ausrechnen Mathe Summe Prozent umrechnen Programm Skript Datum Tage',
    steps: [
      ['what is 17 % of 2,400?', 'worked out exactly, without a question', 'genau ausgerechnet, ohne Frage'],
      [
        'write a program that …',
        'a small JavaScript program runs in a sandbox, after your yes',
        'ein kleines Programm in JavaScript läuft in einer Sandbox, nach deinem Ja',
      ],
    ],
    see: 'lib/core/tools/README.md',
  },
  {
    title: 'Set the order of several model providers',
    german: 'Die Reihenfolge mehrerer Anbieter von Modellen festlegen',
    words:
      'fallback backup second alternative cascade priority fails down several multiple providers keys preferred ' +
      'Ausweich Ersatz zweiter Kaskade Vorrang fällt aus mehrere Anbieter Schlüssel bevorzugt',
    steps: [
      [
        '/provider order anthropic openai ollama',
        'the first that answers is used; the others follow in their order',
        'der erste, der antwortet, wird benutzt; die übrigen folgen in ihrer Reihenfolge',
      ],
    ],
    see: 'infra/README.md#settings',
  },
];

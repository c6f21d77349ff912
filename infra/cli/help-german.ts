/** The help of the command line in German; sentences of verbs are in `verbs-german.ts`. Pure. */
import type { SentencePair } from '../../lib/core/language/sentence-speaker.ts';

export const HELP: readonly SentencePair[] = [
  // Around it.
  [
    'usage: npx passepartout <command> [options]     without a command: the chat',
    'Aufruf: npx passepartout <Befehl> [Optionen]     ohne Befehl: der Chat',
  ],
  [
    '"npx passepartout help <command>" tells all of one. The others:',
    '"npx passepartout help <Befehl>" sagt alles über einen. Die übrigen:',
  ],
  ['Everywhere:', 'Überall:'],
  ['print the result as JSON', 'das Ergebnis als JSON ausgeben'],
  ['a deployed stack instead of the local one', 'ein Stack bei AWS statt dessen auf diesem Rechner'],
  ['this text', 'dieser Text'],
  [
    'this text; what the manual says, as in: help how do I pair a machine',
    'dieser Text; was im Handbuch steht, wie in: help wie verbinde ich einen Rechner',
  ],
  [
    'Exit codes: 0 done · 1 failed, refused, not reached, or not ended in time · 2 wrong usage or configuration',
    'Endet mit: 0 erledigt · 1 gescheitert, abgelehnt, nicht erreicht oder noch nicht zu Ende · 2 falscher Aufruf oder falsche Angabe',
  ],
  [
    'The local stack is found through DATA_DIR (default .passepartout); APPROVER_TOKEN wins over',
    'DATA_DIR (sonst .passepartout) sagt, wo der Stack liegt; APPROVER_TOKEN gilt vor',
  ],
  [
    'the tokens kept there. Text that starts with "-" goes after "--".',
    'den Token, die dort liegen. Text, der mit "-" beginnt, steht hinter "--".',
  ],
  // The commands of this machine.
  [
    'talk to the agent, as without a command; /exit leaves, every other /command goes to the agent',
    'mit dem Agenten reden, wie ohne Befehl; /exit beendet es, jeder andere /Befehl geht an den Agenten',
  ],
  ['conversation to talk in (default: main)', 'das Gespräch, in dem geredet wird (sonst main)'],
  [
    'for screen readers: whole answers, no styles, nothing redrawn',
    'für Vorleseprogramme: ganze Antworten, keine Farben, nichts neu gezeichnet',
  ],
  ['send one message and print the replies', 'eine Nachricht senden und die Antworten ausgeben'],
  ['conversation to send it in (default: main)', 'das Gespräch, in das sie geht (sonst main)'],
  [
    'wait for the end of the turn (default 60; 0: not at all)',
    'auf das Ende warten (Sekunden, sonst 60; 0: gar nicht)',
  ],
  ['only those in this state', 'nur die in diesem Zustand'],
  ['at most so many, 1 to 100 (default 20)', 'höchstens so viele, 1 bis 100 (sonst 20)'],
  ['go on where an earlier list ended', 'weiter, wo eine frühere Liste endete'],
  ['list the decisions that were shown a memory object', 'die Entscheidungen auflisten, die eine Notiz sahen'],
  ['how far back, such as 7d (default 30d)', 'wie weit zurück, etwa 7d (sonst 30d)'],
  [
    'take Markdown and Org files into memory; again for what is new',
    'Markdown- und Org-Dateien ins Gedächtnis nehmen; noch einmal für Neues',
  ],
  [
    'they are your own words; else they count as outside text',
    'es sind eigene Worte; sonst gelten sie als fremder Text',
  ],
  [
    'notes that are gone from a file go from memory too',
    'Notizen, die in einer Datei fehlen, gehen auch aus dem Gedächtnis',
  ],
  [
    'notes memory does not have go in, though others of their file were forgotten',
    'Notizen, die dem Gedächtnis fehlen, kommen hinein, obwohl andere ihrer Datei vergessen wurden',
  ],
  ['write memory as Markdown and Org files', 'das Gedächtnis als Markdown- und Org-Dateien schreiben'],
  ['files that are there with other content are replaced', 'Dateien mit anderem Inhalt werden ersetzt'],
  [
    'the providers in order: models, windows, prices, and whether they answer',
    'die Anbieter der Reihe nach: Modelle, Fenster, Preise, und ob sie antworten',
  ],
  [
    'the built-in rules in order; or judge one call, or actions from standard input, one JSON object a line',
    'die eingebauten Regeln der Reihe nach; oder einen Aufruf beurteilen, oder Handlungen von der Standardeingabe, je Zeile ein JSON-Objekt',
  ],
  ['under this policy too', 'auch unter dieser Richtlinie'],
  [
    "the owner's rules: write a first file, check it, try it on past decisions, put it in force",
    'eigene Regeln: eine erste Datei schreiben, sie prüfen, an vergangenen Entscheidungen probieren, in Kraft setzen',
  ],
  [
    'decisions since then, such as 30d (the default) or 12h',
    'Entscheidungen seitdem, etwa 30d (der Normalfall) oder 12h',
  ],
  ['letting more through than before is meant', 'dass mehr durchgeht als vorher, ist gewollt'],
  [
    'this machine performs commands for the agent, in a sandbox',
    'dieser Rechner führt Befehle für den Agenten aus, abgeschottet',
  ],
  ['jobs may read it; for each one', 'Befehle dürfen ihn lesen; für jeden einzeln'],
  ['jobs may read and change it', 'Befehle dürfen ihn lesen und ändern'],
  [
    'run the gates again on what is stored: every trace must come out the same',
    'die Regeln auf das Gespeicherte noch einmal anwenden: alles muss gleich herauskommen',
  ],
  ['all signals since then, such as 7d or 12h', 'alle Meldungen seitdem, etwa 7d oder 12h'],
  [
    'the evidence log: all of it in one file, its public key, its newest checkpoint',
    'das Beweisprotokoll: alles in einer Datei, sein öffentlicher Schlüssel, sein neuester Prüfpunkt',
  ],
  ['the file to write', 'die Datei, die geschrieben wird'],
  [
    'whose evidence: refused where the stack serves another space',
    'wessen Beweise: abgelehnt, wenn der Stack einen anderen Bereich hat',
  ],
  [
    'check an evidence export or a receipt offline: every hash, proof and signature',
    'eine Beweisdatei oder einen Beleg offline prüfen: jede Prüfsumme, jeden Nachweis und jede Unterschrift',
  ],
  ["the log's public key, or a file that holds it", 'der öffentliche Schlüssel des Protokolls, oder eine Datei damit'],
  ['a checkpoint that was kept elsewhere', 'ein Prüfpunkt, der woanders verwahrt war'],
  ["a machine's own journal.jsonl, to compare", 'das journal.jsonl eines Rechners, zum Vergleich'],
  [
    'a witness that must have cosigned; several may be given',
    'ein Zeuge, der mitunterschrieben haben muss; auch mehrere',
  ],
  ['how many of the witnesses must have (default: all)', 'wie viele der Zeugen es getan haben müssen (sonst alle)'],
  [
    'cosign the checkpoints of logs on this machine, as long as each log only grows',
    'auf diesem Rechner die Prüfpunkte von Protokollen mitunterschreiben, solange jedes nur wächst',
  ],
  ['what "evidence key" prints; several may be given', 'was "evidence key" ausgibt; auch mehrere'],
  [
    'where its key is, and what it has seen (default: witness)',
    'wo sein Schlüssel liegt, und was er sah (sonst witness)',
  ],
  [
    "its name in cosignatures (default: witness/<this machine's name>)",
    'sein Name in Mitunterschriften (sonst witness/<Name dieses Rechners>)',
  ],
  ['where it listens (default: 8097)', 'wo er lauscht (sonst 8097)'],
  ['who reaches it (default: 127.0.0.1, this machine alone)', 'wer ihn erreicht (sonst 127.0.0.1, nur dieser Rechner)'],
  ['make a one-time code that pairs a chat', 'einen Code machen, der einmal einen Chat koppelt'],
  [
    "register a deployed stack's webhook with Telegram (--stack)",
    'Telegram die Adresse eines Stacks bei AWS sagen (--stack)',
  ],
  [
    'put all functions of a deployed stack on the release before (--stack)',
    'alle Funktionen eines Stacks bei AWS auf die vorige Version setzen (--stack)',
  ],
  ['everything in one encrypted file, as of one moment', 'alles in einer verschlüsselten Datei, von einem Augenblick'],
  [
    'its first line; else BACKUP_PASSPHRASE, else you are asked',
    'ihre erste Zeile; sonst BACKUP_PASSPHRASE, sonst wird gefragt',
  ],
  ['with the pictures and documents that people sent', 'mit den gesendeten Bildern und Dokumenten'],
  [
    'writes it though its newest records get no leaf',
    'schreibt sie, obwohl die neuesten Einträge noch kein Blatt haben',
  ],
  [
    'put a backup into an empty data folder, or an empty deployed table, and verify it',
    'eine Sicherung in einen leeren Datenordner oder eine leere Tabelle bei AWS einspielen, und prüfen',
  ],
  [
    'a copy of "anchors" that went on: what was forgotten since stays so',
    'eine neuere Kopie von "anchors": was seitdem vergessen wurde, bleibt es',
  ],
  [
    'restores though its evidence or memory does not verify',
    'spielt ein, obwohl Beweise oder Gedächtnis nicht stimmen',
  ],
  [
    'go through model, Telegram, webhooks and the rest, try each value, and end with a real answer',
    'Modell, Telegram, Webhooks und den Rest durchgehen, jede Angabe probieren, und mit einer echten Antwort enden',
  ],
  ['one step: {1}', 'ein Schritt: {1}'],
  [
    'numbered lines that are never redrawn; so it is too without a colour terminal',
    'nummerierte Zeilen, nie neu gezeichnet; so ist es auch ohne Farben',
  ],
  ['ask nothing: try what is set, and what --set gives', 'nichts fragen: probieren, was gesetzt ist und --set angibt'],
  [
    'a setting to try and write, without questions; NAME= takes it out',
    'eine Angabe probieren und schreiben, ohne Fragen; NAME= nimmt sie heraus',
  ],
  [
    'print what starts the stack, and a runner that is paired here, with this machine (systemd, launchd)',
    'ausgeben, was den Stack und einen hier gekoppelten Runner mit diesem Rechner startet (systemd, launchd)',
  ],
  ['write the files; nothing is started', 'die Dateien schreiben; nichts wird gestartet'],
  [
    'say whether it can answer, check everything it needs, and say what to do',
    'sagen, ob es antworten kann, alles Nötige prüfen, und sagen, was zu tun ist',
  ],
  [
    'do what does no harm, such as closing files to other accounts',
    'tun, was nicht schadet, etwa Dateien vor anderen Konten schließen',
  ],
  [
    'look again and again, and print what changes, until Ctrl-C',
    'immer wieder prüfen und ausgeben, was sich ändert, bis Ctrl-C',
  ],
  [
    'write it into a file to send, with the newest log lines; no secret',
    'in eine Datei zum Versenden schreiben, mit den neuesten Zeilen des Logs; ohne Geheimnisse',
  ],
  ['the release of this command; so does --version', 'die Version dieses Befehls; ebenso --version'],
  [
    'print a script that completes commands in your shell; append it to the file your shell starts with',
    'ein Skript ausgeben, das Befehle in der Shell vervollständigt; es gehört in deren Startdatei',
  ],
  // Nouns and their parts.
  ['the conversation it is about (default: main)', 'das Gespräch, um das es geht (sonst main)'],
  ['leave the action out; its hash stays', 'die Handlung auslassen; ihre Prüfsumme bleibt'],
  ['the file to write; printed if absent', 'die Datei; sonst wird es ausgegeben'],
  [
    'all of each, and also those that are decided, newest first',
    'jede ganz, und auch die entschiedenen, die neuesten zuerst',
  ],
  ['only plan, approved, denied, expired or done', 'nur plan, approved, denied, expired oder done'],
  ['once: local time, such as 2026-11-24T09:00', 'einmal: Ortszeit, etwa 2026-11-24T09:00'],
  ['local time, such as 2026-11-24T09:00', 'Ortszeit, etwa 2026-11-24T09:00'],
  ['again and again: 90m, 2h, 1d', 'immer wieder: 90m, 2h, 1d'],
  [
    'minute hour day-of-month month day-of-week, such as "0 8 * * 1-5"',
    'Minute Stunde Monatstag Monat Wochentag, etwa "0 8 * * 1-5"',
  ],
  ['at a webhook event', 'bei einem Ereignis eines Webhooks'],
  [
    'when it has become true, such as "facts.approvalsWaiting > 3"',
    'sobald es wahr wird, etwa "facts.approvalsWaiting > 3"',
  ],
  ['IANA zone, if not yours', 'Zeitzone (IANA), wenn nicht die eigene'],
  [
    'here, nowhere, telegram:7, console:main, webhook:shop; several with commas',
    'here, nowhere, telegram:7, console:main, webhook:shop; mehrere mit Kommas',
  ],
  ['missed runs: skip, "once 6h" or "all 3 6h"', 'verpasste Läufe: skip, "once 6h" oder "all 3 6h"'],
  ['if the run before has not ended: skip or queue', 'wenn der vorige Lauf noch läuft: skip oder queue'],
  ['start at a moment of its own within this time', 'in dieser Spanne zu einer eigenen Zeit beginnen'],
  ['failures in a row that pause it; 0 for never', 'Fehlschläge nacheinander, nach denen er ruht; 0 für nie'],
  ['dollars a day', 'Dollar am Tag'],
  ['reply, change or nothing', 'reply, change oder nothing'],
  ['a runbook as the work, instead of what to ask', 'ein Runbook als Arbeit, statt einer Frage'],
  [
    'the only tools that its prompt may use: recall,fetch-url',
    'die einzigen Werkzeuge für seinen Text: recall,fetch-url',
  ],
  [
    'memory: its prompt shows the notes that fit; none, as usual: it can recall them',
    'memory: sein Text zeigt passende Notizen; none, wie üblich: er kann sie abrufen',
  ],
  ['an input of the runbook; for each one', 'eine Eingabe des Runbooks; für jede einzeln'],
  [
    'one yes for so many runs of the runbook, until then: "20 30d"',
    'ein Ja für so viele Läufe des Runbooks, bis dann: "20 30d"',
  ],
  ['add, edit: the whole job as YAML or JSON', 'add, edit: der ganze Auftrag als YAML oder JSON'],
  [
    'take lines of your own for events; with an event only show what the file makes of it',
    'eigene Zeilen für Ereignisse nehmen; mit einem Ereignis nur zeigen, was die Datei daraus macht',
  ],
  [
    'send a sample event, signed as the service signs, and say what became of it',
    'ein Probeereignis senden, unterschrieben wie vom Dienst, und sagen, was daraus wurde',
  ],
  ['make a skill of a file and put it in force', 'aus einer Datei eine Fähigkeit machen und in Kraft setzen'],
  ['dry-run, run: value of an input; for each one', 'dry-run, run: Wert einer Eingabe; für jede einzeln'],
  ['you vouch for these bytes, and their words count as yours', 'für diese Bytes bürgen; ihre Worte gelten als eigene'],
  ['you vouch for these bytes, and its words count as yours', 'für diese Bytes bürgen; ihre Worte gelten als eigene'],
  ['make the files of a new skill', 'die Dateien einer neuen Fähigkeit anlegen'],
  [
    'show all of a skill and put exactly these bytes in force',
    'eine Fähigkeit ganz zeigen und genau diese Bytes in Kraft setzen',
  ],
  [
    'print the line that pairs a machine, once, within ten minutes',
    'die Zeile ausgeben, die einen Rechner koppelt, einmal, zehn Minuten lang',
  ],
];

/**
 * The sentence of each noun and verb, and of its fields, in German: for help, Telegram's menu and
 * the page. Pure.
 */
import type { SentencePair } from './sentence-speaker.ts';

export const VERBS: readonly SentencePair[] = [
  // Commands that no catalogue has.
  ['what I can do, and every command', 'was ich kann, und alle Befehle'],
  ['stop at once', 'sofort anhalten'],
  ['carry on after a stop', 'nach einem Halt fortsetzen'],
  ['stop every action at once', 'jede Handlung sofort anhalten'],
  ['only this conversation, such as telegram:7, that was stopped', 'nur dieses angehaltene Gespräch, etwa telegram:7'],
  [
    'take up a dead-lettered signal again; nothing already done is repeated',
    'eine aufgegebene Meldung wieder aufnehmen; nichts Erledigtes wird wiederholt',
  ],
  ['its id, or the start of it', 'ihre Kennung, oder der Anfang davon'],
  [
    'say what became of an effect that failed or is unknown: it happened, or may be tried again',
    'sagen, was aus einer gescheiterten oder ungewissen Wirkung wurde: sie geschah, oder darf wieder versucht werden',
  ],
  [
    'with a file, or as a reply to one: keep its text in memory',
    'mit einer Datei, oder als Antwort auf eine: ihren Text ins Gedächtnis nehmen',
  ],

  ['list signals, newest first', 'Meldungen auflisten, die neuesten zuerst'],
  ['what waits for a yes', 'was auf ein Ja wartet'],
  [
    'have the notes below one put in order; a card shows the difference',
    'die Notizen unter einer ordnen lassen; eine Karte zeigt den Unterschied',
  ],
  [
    'have a summary added to a note and those below it; a card shows it',
    'einer Notiz und denen darunter eine Zusammenfassung geben lassen; eine Karte zeigt sie',
  ],
  [
    'have related notes below one linked; a card shows each link',
    'verwandte Notizen unter einer verknüpfen lassen; eine Karte zeigt jeden Verweis',
  ],
  ['id of the note, or its first 6 characters or more', 'Kennung der Notiz, oder mindestens ihre ersten 6 Zeichen'],
  ['plans as notes: see, edit and approve them', 'Pläne als Notizen: ansehen, ändern und freigeben'],
  ['the plans that were written down and are not done', 'die Pläne, die aufgeschrieben und nicht erledigt sind'],
  ['the steps of a plan, and what became of each', 'die Schritte eines Plans, und was aus jedem wurde'],
  [
    'perform a plan exactly as it stands; its card shows every call',
    'einen Plan genau so ausführen, wie er dasteht; seine Karte zeigt jeden Aufruf',
  ],
  [
    'id of the plan’s note, or its first 6 characters or more',
    'Kennung der Notiz des Plans, oder mindestens ihre ersten 6 Zeichen',
  ],
  ['how often a person is asked, and how fast the yes comes', 'wie oft gefragt wird, und wie schnell das Ja kommt'],
  ['approve one waiting action, once', 'eine wartende Handlung einmal freigeben'],
  ['deny one waiting action', 'eine wartende Handlung ablehnen'],
  ['what may happen again without asking', 'was ohne Frage wieder geschehen darf'],
  ['allow the action of an approval again, within bounds', 'die Handlung einer Freigabe in Grenzen wieder erlauben'],
  ['take a grant back', 'eine Erlaubnis zurücknehmen'],
  [
    'which webhooks are told news of me, of which kinds, and whether they take it',
    'welche Webhooks meine Nachrichten erfahren, welche Arten, und ob sie sie annehmen',
  ],
  [
    'the newest news that a webhook was told, and whether it took each',
    'die neuesten Nachrichten an einen Webhook, und ob er jede annahm',
  ],
  ['tell a webhook my news: all, or some of {1}', 'einem Webhook meine Nachrichten senden: all, oder einige aus {1}'],
  ['tell a webhook no more news', 'einem Webhook keine Nachrichten mehr senden'],
  ['what is spent today, what is left, and the caps', 'was heute ausgegeben ist, was bleibt, und die Grenzen'],
  ['what language models cost, and what was saved', 'was Sprachmodelle kosten, und was gespart wurde'],
  [
    'the newest texts of jobs and services that came in one message, whole; of one source or of all',
    'die neuesten gesammelten Texte von Aufträgen und Diensten, ganz; von einer Quelle oder allen',
  ],
  ['keep something', 'etwas merken'],
  ['change what is kept', 'Gemerktes ändern'],
  [
    'say in the home chat that a note differs from its file, and which two answers there are',
    'im Heimchat sagen, dass eine Notiz von ihrer Datei abweicht, und welche zwei Antworten es gibt',
  ],
  ['the active projects', 'die laufenden Projekte'],
  ['begin a project', 'ein Projekt beginnen'],
  ['end a project', 'ein Projekt beenden'],
  ['where what you keep here is found', 'wo zu finden ist, was hier gemerkt wird'],
  [
    'choose where what you keep here is found: memex, session, or project (of the focus)',
    'wählen, wo es zu finden ist: memex, session oder project (im Blick)',
  ],
  ['what this conversation is about', 'worum es in diesem Gespräch geht'],
  ['say what this conversation is about; off ends it', 'sagen, worum es in diesem Gespräch geht; off beendet es'],
  ['find notes by their words', 'Notizen nach ihren Wörtern finden'],
  ['all that is remembered as an outline, or one note', 'alles Gemerkte als Gliederung, oder eine Notiz'],
  [
    'in a group: memory is read there, and answered from',
    'in einer Gruppe: dort im Gedächtnis lesen und daraus antworten',
  ],
  [
    'in a group: memory is read there, and an answer from it asks first',
    'in einer Gruppe: dort im Gedächtnis lesen; eine Antwort daraus fragt zuerst',
  ],
  ['memory is read in a group no more', 'in einer Gruppe nicht mehr im Gedächtnis lesen'],
  ['the groups that were named for memory', 'die Gruppen, in denen im Gedächtnis gelesen wird'],
  [
    'who wrote a note when; “audit verify” checks the log of evidence',
    'wer eine Notiz wann schrieb; „audit verify“ prüft das Protokoll',
  ],
  ['the named states of memory', 'die benannten Stände des Gedächtnisses'],
  ['give the state of memory a name', 'dem Stand des Gedächtnisses einen Namen geben'],
  ['what changed between two snapshots or commits', 'was sich zwischen zwei Ständen geändert hat'],
  [
    'erase a note for good, and the turns that told of it',
    'eine Notiz endgültig löschen, und die Gespräche, die von ihr erzählten',
  ],
  [
    'all of memory back to a snapshot or a commit, after a yes',
    'das ganze Gedächtnis auf einen Stand zurücksetzen, nach einem Ja',
  ],
  ['take back one change alone', 'eine einzelne Änderung zurücknehmen'],
  ['every runbook, and what it is for', 'jedes Runbook, und wozu es dient'],
  ['the steps of a runbook, or how far a run is', 'die Schritte eines Runbooks, oder wie weit ein Lauf ist'],
  ['the newest runs, and what became of each', 'die neuesten Läufe, und was aus jedem wurde'],
  ['perform a runbook; its card shows every step', 'ein Runbook ausführen; seine Karte zeigt jeden Schritt'],
  ['what a run would do now, without doing it', 'was ein Lauf jetzt täte, ohne es zu tun'],
  ['end a run: no further step is done', 'einen Lauf beenden: Kein weiterer Schritt geschieht'],
  ['the paired machines, and what each allows', 'die gekoppelten Rechner, und was jeder erlaubt'],
  ['let a machine pair; in a terminal only', 'einen Rechner koppeln lassen; nur in einem Terminal'],
  ['give a machine no further work', 'einem Rechner keine Arbeit mehr geben'],
  ['let a paused machine take work again', 'einen pausierten Rechner wieder Arbeit annehmen lassen'],
  [
    'end a pairing: the key of the machine counts no more',
    'eine Kopplung beenden: Der Schlüssel des Rechners gilt nicht mehr',
  ],
  [
    'the paired chats; a new one is paired in a terminal: npx passepartout pair',
    'die gekoppelten Chats; einen neuen koppelt in einem Terminal: npx passepartout pair',
  ],
  [
    'name a chat, or several (mum,dad,team), so that a text can be sent there; its earlier name ends',
    'einem Chat, oder mehreren (mama,papa,team), einen Namen geben, unter dem er Texte bekommt; sein früherer endet',
  ],
  ['take the name of a chat back', 'den Namen eines Chats zurücknehmen'],
  [
    'the names that a text can be sent to, and the chats or webhooks of each',
    'die Namen, an die ein Text gehen kann, und ihre Chats oder Webhooks',
  ],
  [
    'hours in which a chat gets answers only, such as 22:00-07:00; the rest is sent after them; off ends it',
    'Stunden, in denen ein Chat nur Antworten bekommt, etwa 22:00-07:00; der Rest kommt danach; off beendet es',
  ],
  [
    'all: I answer each message of this group, or of the one you name; mentions: only what is meant for me',
    'all: ich antworte auf jede Nachricht dieser oder der genannten Gruppe; mentions: nur auf das, was mir gilt',
  ],
  [
    'on: my answers in this chat, or in the one you name, come as voice notes too; off ends it',
    'on: meine Antworten in diesem oder dem genannten Chat auch gesprochen; off beendet es',
  ],
  [
    'on: below my answers in this chat, or in the one you name, one line says why; tap: a button shows it; off: neither',
    'on: unter meinen Antworten in diesem oder dem genannten Chat sagt eine Zeile, warum; tap: ein Knopf zeigt sie; off: beides nicht',
  ],
  ['the language of what I say here by myself', 'die Sprache, in der ich hier von mir aus spreche'],
  [
    'choose the language of what I say here by myself: en or de',
    'die Sprache wählen, in der ich hier von mir aus spreche: en oder de',
  ],
  [
    'send a text by name to a chat, a webhook that takes a text, several (mum,team), or console',
    'einen Text an einen Namen senden: Chat, Webhook, mehrere (mama,team) oder console',
  ],
  ['serve a paired chat no more', 'einen gekoppelten Chat entfernen'],
  ['who I am and how I speak', 'wer ich bin und wie ich spreche'],
  ['name the agent', 'dem Agenten einen Namen geben'],
  ['say what the agent calls you', 'sagen, wie der Agent seinen Besitzer nennt'],
  ['say how the agent speaks', 'sagen, wie der Agent spricht'],
  ['take one of them back', 'eines davon zurücknehmen'],
  ['which model answers here', 'welches Modell hier antwortet'],
  [
    'choose which model answers here: auto, cognition, reasoning or <provider>/<model>',
    'wählen, welches Modell hier antwortet: auto, cognition, reasoning oder <provider>/<model>',
  ],
  [
    'the settings that you may change now, and where each value comes from',
    'die Einstellungen, die jetzt änderbar sind, und woher jeder Wert kommt',
  ],
  ['one of them', 'eine davon'],
  [
    'change one; it holds within a minute, without a restart',
    'eine ändern; das gilt innerhalb einer Minute, ohne Neustart',
  ],
  ['take what was set back', 'zurücknehmen, was gesetzt war'],
  ['what is going on', 'was gerade geschieht'],
  ['whether it can answer, what is wrong, and what mends it', 'ob ich antworten kann, was fehlt, und was es behebt'],
  [
    'why something was done or refused: attempts, verdicts of the gates, effects',
    'warum etwas getan oder abgelehnt wurde: Versuche, Urteile der Regeln, Wirkungen',
  ],
  [
    'what a tool returned in the last turns here, word by word; no model is asked',
    'was ein Werkzeug hier zuletzt zurückgab, Wort für Wort; kein Modell wird gefragt',
  ],
  [
    'a task or <signal>#<n>, also the start of the id; or a number: 1 is the newest, as without it',
    'eine Aufgabe oder <Signal>#<n>, auch der Anfang davon; oder eine Zahl: 1 ist die neueste, wie ohne Angabe',
  ],
  ['of a long one; 1 without it', 'von einer langen; ohne Angabe 1'],
  [
    'proof of one action for a stranger: what was decided, who approved it, what became of it',
    'der Beweis einer Handlung für Fremde: entschieden, freigegeben, ausgegangen',
  ],
  [
    'take back the last change made here to memory, a job, a setting, a skill, a machine or a grant; shown first',
    'die letzte Änderung hier zurücknehmen, an Gedächtnis, Auftrag, Einstellung, Fähigkeit, Rechner oder Erlaubnis; erst wird sie gezeigt',
  ],
  // Nouns.
  [
    'what is remembered; in a group: whether I read memory there (open, ask, close)',
    'was gemerkt ist; in einer Gruppe: ob ich dort im Gedächtnis lese (open, ask, close)',
  ],
  ['projects: begin, end and list them', 'Projekte: beginnen, beenden, auflisten'],
  [
    'what runs by itself, and when: make, see, change, run',
    'was von selbst läuft, und wann: anlegen, ansehen, ändern, starten',
  ],
  [
    'events of other services: see, try and repeat them; and who is told mine',
    'Ereignisse anderer Dienste: ansehen, probieren, wiederholen; und wer meine erfährt',
  ],
  [
    'checked files of steps: see, try and run them; see and stop their runs',
    'geprüfte Dateien aus Schritten: ansehen, probieren, starten; ihre Läufe ansehen und beenden',
  ],
  [
    'machines that perform commands: see, pair, pause, remove',
    'Rechner, die Befehle ausführen: ansehen, koppeln, ruhen lassen, entfernen',
  ],
  [
    'the settings that change while I run: budgets, time zone, home chat and more',
    'die Einstellungen, die sich im Betrieb ändern: Ausgaben, Zeitzone, Hauptchat und mehr',
  ],
  ['the chats I serve because they were paired', 'die Chats, für die ich da bin, weil sie gekoppelt sind'],
  [
    'what the agent may do of its own: make, check, add and switch skills',
    'was der Agent von sich aus darf: Fähigkeiten anlegen, prüfen, hinzufügen, schalten',
  ],

  // Fields of forms, and options.
  ['of the signal, or its start; the last task if absent', 'der Meldung, oder ihr Anfang; sonst die letzte Aufgabe'],
  [
    '<signal>#<n>, also the start of the id; without it: the last one that was done here',
    '<Meldung>#<n>, auch der Anfang davon; sonst die letzte, die hier erledigt wurde',
  ],
  ['true leaves the action out; its hash stays', 'true lässt die Handlung aus; ihre Prüfsumme bleibt'],
  ['the words to keep, with #tags', 'die Worte, die bleiben sollen, mit #Schlagwörtern'],
  ['id of a note, or its first 6 characters or more', 'id einer Notiz, oder ihre ersten 6 Zeichen oder mehr'],
  ['what changes, as in a chat', 'was sich ändert, wie in einem Chat'],
  ['its title, with #tags', 'sein Titel, mit #Schlagwörtern'],
  ['its title or id', 'sein Titel oder seine id'],
  ['id of a note, title of a project, or off', 'id einer Notiz, Titel eines Projekts, oder off'],
  ['id of the group, if not this one', 'id der Gruppe, wenn nicht diese'],
  ['its name', 'sein Name'],
  ['further signals whose turns are erased', 'weitere Meldungen, deren Gespräche gelöscht werden'],
  ['name of a snapshot, or number of a commit', 'Name eines Schnappschusses, oder Nummer eines Standes'],
  ['its id, or the beginning; without it: what waits here', 'ihre id, oder deren Anfang; ohne: was hier wartet'],
  [
    'and let this very action pass in its conversation a few more times',
    'und genau diese Handlung im selben Gespräch noch einige Male erlauben',
  ],
  [
    'and let the tool pass in this task, with other words and smaller numbers',
    'und das Werkzeug in dieser Aufgabe erlauben, mit anderen Worten und kleineren Zahlen',
  ],
  ['the approval whose action is to be allowed', 'die Freigabe, deren Handlung erlaubt werden soll'],
  [
    'arguments that may be anything, or must only start so: a,b=start',
    'Angaben, die beliebig sein dürfen, oder nur so beginnen müssen: a,b=Anfang',
  ],
  ['how often', 'wie oft'],
  ['for how long', 'wie lange'],
  [
    'also when the outside text that its card named asks for it',
    'auch wenn der fremde Text danach verlangt, den die Karte nannte',
  ],
  ['in every conversation, not only in that one', 'in jedem Gespräch, nicht nur in jenem'],
  ['its id', 'seine id'],
  ['a name of WEBHOOK_TARGETS', 'ein Name aus WEBHOOK_TARGETS'],
  ['name of the job or service', 'Name des Auftrags oder Dienstes'],
  ['name of a runbook, or id of a run', 'Name eines Runbooks, oder id eines Laufs'],
  ['name of the runbook', 'Name des Runbooks'],
  ['the runbook itself, instead of one that a skill brings', 'das Runbook selbst, statt eines aus einer Fähigkeit'],
  ['one yes covers every step once', 'ein Ja gilt einmal für jeden Schritt'],
  ['id of the run, as the list of runs gives it', 'id des Laufs, wie die Liste der Läufe sie nennt'],
  ['name of the machine', 'Name des Rechners'],
  ['SHA-256 of the secret of a code', 'SHA-256 des Geheimnisses eines Codes'],
  ['of a job; or of a conversation, if not this one', 'eines Auftrags; oder eines Gesprächs, wenn nicht dieses'],
  ['of the setting, such as BUDGET_DAY_USD', 'der Einstellung, etwa BUDGET_DAY_USD'],
  [
    'id or name of the chat, or several with commas, webhooks among them',
    'id oder Name des Chats, oder mehrere mit Kommas, auch Webhooks',
  ],
  ['id or name of the chat', 'id oder Name des Chats'],
  ['name of the chat or webhook, or several with commas', 'Name des Chats oder Webhooks, oder mehrere mit Kommas'],
  ['what to keep', 'was bleiben soll'],
  ['code that was shown with the change', 'der Code, der bei der Änderung stand'],
];

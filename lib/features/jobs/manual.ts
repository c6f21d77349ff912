/** Pages of the manual: work at times and on events. */
import type { ManualPage } from '../manual-pages.ts';

export const JOB_PAGES: readonly ManualPage[] = [
  {
    title: 'Have something done or said at a time, such as a reminder each morning',
    german: 'Etwas zu einer Zeit tun oder sagen lassen, etwa jeden Morgen erinnern',
    words:
      'make create new job remind reminder alarm schedule scheduled recurring repeat regular regularly automatic automatically daily weekly monthly hourly every day week month hour monday weekday tomorrow later timer cron appointment wake task report ' +
      'Auftrag anlegen neu erstellen einrichten erinnern Erinnerung erinnere Wecker Termin planen Zeitplan regelmäßig wiederholen automatisch von selbst täglich wöchentlich monatlich stündlich jeden Tag Woche Montag morgens Uhr später Aufgabe Auftrag Bericht nudge ping tell me when at noon tonight tomorrow morning weekday sunday evening weekly summary briefing birthday deadline stupsen sag mir wenn Geburtstag Frist abends mittags sonntags Zusammenfassung wecken',
    steps: [
      [
        'say it: “every weekday at 8 check the deploys”',
        'a card shows the job and its next moments; your yes makes it',
        'eine Karte zeigt den Auftrag und seine nächsten Zeitpunkte; dein Ja legt ihn an',
      ],
      [
        '/jobs add tea every 2h: remind me to drink',
        'makes a job by a command; also at <time>, cron "0 8 * * 1-5", event <source/event>, condition "…"',
        'legt einen Auftrag durch einen Befehl an; auch at <Zeit>, cron "0 8 * * 1-5", event <Quelle/Ereignis>, condition "…"',
      ],
      [
        'npx passepartout jobs add <name> --cron "0 8 * * 1-5" "what to ask"',
        'the same on the command line; also --at, --every, --event, --condition, --file job.yaml',
        'dasselbe auf der Kommandozeile; auch --at, --every, --event, --condition, --file job.yaml',
      ],
    ],
    see: 'lib/features/jobs/README.md',
  },
  {
    title: 'See the jobs: which there are, and when each is due',
    german: 'Die Aufträge sehen: welche es gibt, und wann jeder fällig ist',
    words:
      'list scheduled reminders planned upcoming next recurring tasks automations overview what runs by itself ' +
      'Liste geplant Erinnerungen Aufgaben anstehend nächste Übersicht Automatik welche laufen von selbst later today coming up will fire pending timers agenda due was steht an heute noch kommt Agenda',
    verbs: ['jobs list', 'jobs show'],
    see: 'lib/features/jobs/README.md',
  },
  {
    title: 'See whether a job ran, and what became of each moment',
    german: 'Sehen, ob ein Auftrag gelaufen ist, und was aus jedem Zeitpunkt wurde',
    words:
      'history past did it run executed worked happened missed late skipped failed yesterday last night task reminder log result ' +
      'Verlauf gelaufen ausgeführt geklappt passiert verpasst verspätet ausgefallen gestern letzte Nacht Aufgabe Erinnerung Ergebnis',
    verbs: ['jobs history'],
    see: 'infra/troubleshooting.md#jobs',
  },
  {
    title: 'Let a job wait, and go on again',
    german: 'Einen Auftrag ruhen lassen, und wieder weitermachen',
    words:
      'pause hold suspend freeze disable temporarily holiday vacation reminder report task schedule break continue restart enable stop for a while ' +
      'pausieren Pause aussetzen anhalten ruhen deaktivieren Urlaub vorübergehend Erinnerung Bericht Aufgabe fortsetzen weiterlaufen',
    verbs: ['jobs pause', 'jobs resume'],
    see: 'infra/troubleshooting.md#jobs',
  },
  {
    title: 'End a job, such as a reminder that is no longer wanted',
    german: 'Einen Auftrag beenden, etwa eine Erinnerung, die niemand mehr braucht',
    words:
      'delete remove cancel unsubscribe drop get rid quit reminder report task schedule alarm anymore ' +
      'löschen entfernen abbestellen abbrechen absagen loswerden beenden Erinnerung Bericht Aufgabe Wecker nicht mehr',
    verbs: ['jobs remove'],
    see: 'lib/features/jobs/README.md',
  },
  {
    title: 'Change a job: another time or other words',
    german: 'Einen Auftrag ändern: andere Zeit oder andere Worte',
    words:
      'edit modify move reschedule postpone earlier later time reminder schedule task adjust shift ' +
      'bearbeiten verschieben umplanen früher später Uhrzeit Erinnerung Zeitplan Aufgabe anpassen verlegen hour half hour minutes instead of from to wrong time another day Stunde halbe Minuten statt falsche anderer Tag',
    verbs: ['jobs edit'],
    see: 'lib/features/jobs/README.md',
  },
  {
    title: 'Run a job now, or try what it would do',
    german: 'Einen Auftrag jetzt ausführen, oder ausprobieren, was er täte',
    words:
      'immediately execute start trigger test simulate rehearse dry without effect reminder report task preview ' +
      'sofort starten auslösen testen Probelauf simulieren ohne Wirkung Erinnerung Bericht Aufgabe Vorschau',
    verbs: ['jobs run', 'jobs dry-run'],
    see: 'lib/features/jobs/README.md',
  },
  {
    title: 'See what is being worked on in the background',
    german: 'Sehen, woran im Hintergrund gearbeitet wird',
    words:
      'busy doing currently at the moment running progress tasks parallel working ' +
      'beschäftigt gerade momentan jetzt läuft laufen Fortschritt Aufgaben Hintergrund arbeitest',
    verbs: ['tasks'],
    see: 'lib/features/jobs/README.md',
  },
];

/** Pages of the manual: speech. */
import type { ManualPage } from '../manual-pages.ts';

export const VOICE_PAGES: readonly ManualPage[] = [
  {
    title: 'Have answers spoken, as voice notes',
    german: 'Antworten vorlesen lassen, als Sprachnachrichten',
    words:
      'voice speak speech spoken aloud audio talk listen hear read out sound tts instead of text ' +
      'Stimme sprechen vorlesen laut Audio hören reden Sprachausgabe gesprochen statt Text driving car hands free ears eyes blind narrate Auto fahren freihändig Ohren blind lies mir vor',
    steps: [
      [
        '/voice on',
        'answers in this chat come as voice notes too',
        'Antworten kommen in diesem Chat auch als Sprachnachrichten',
      ],
      ['/voice off', 'ends that', 'beendet das'],
      [
        'SPEECH_MODEL=<model>',
        'a line of .env that names a model that speaks; npx passepartout setup --only keys asks for its key',
        'eine Zeile der .env, die ein sprechendes Modell nennt; npx passepartout setup --only keys fragt nach seinem Schlüssel',
      ],
    ],
    see: 'infra/telegram.md#what-you-send',
  },
  {
    title: 'Have voice messages and recordings understood',
    german: 'Sprachnachrichten und Aufnahmen verstehen lassen',
    words:
      'voice speech audio memo dictate dictation transcribe transcription microphone listen understand talk speak to you spoken ' +
      'Stimme Sprache Sprachmemo Audio diktieren Diktat transkribieren verstehen Mikrofon einsprechen zuhören Aufnahme recordings picked up ignored too lazy to type speak instead tippen zu faul stattdessen sprechen ignoriert',
    steps: [
      [
        'TRANSCRIPTION_MODEL=<model>',
        'a line of .env, such as gpt-transcribe, turns it on; npx passepartout setup --only keys asks for its key',
        'eine Zeile der .env, etwa gpt-transcribe, schaltet es ein; npx passepartout setup --only keys fragt nach seinem Schlüssel',
      ],
    ],
    see: 'infra/telegram.md#what-you-send',
  },
];

/** The texts of voice in German. */
import { inGerman } from '../../core/language/stored-german.ts';
import type { VoiceNotices, VoiceTexts } from './texts.ts';

export const DE: VoiceTexts = {
  onlyChats: 'Sprachnachrichten gibt es nur in Chats; der Chat steht hinter on oder off',
  noSpeech: 'kein Modell, das spricht, ist gesetzt; SPEECH_MODEL nennt eines, etwa gpt-4o-mini-tts',
  thisChat: 'dieser Chat',
};

export const NOTICES: VoiceNotices = {
  notSpoken: (reason) =>
    `Meine Antwort oben konnte nicht gesprochen werden: ${inGerman(reason)}. Ich versuche es nicht noch einmal; /voice off beendet die Sprachnachrichten.`,
  voiceSet: (chat, state) =>
    state === 'on'
      ? `Meine Antworten kommen nach dem Text auch als Sprachnachricht: ${chat}.`
      : `Meine Antworten kommen nur als Text: ${chat}.`,
};

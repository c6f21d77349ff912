/** The texts of voice: fixed texts with names filled in. */
import { textTable } from '../../core/base/language.ts';
import { buildNotices } from '../../core/judge/notices.ts';

const EN = {
  onlyChats: 'only chats have voice notes; name the chat behind on or off',
  noSpeech: 'no model that speaks is set; SPEECH_MODEL, such as gpt-4o-mini-tts, names one',
  thisChat: 'this chat',
};
export type VoiceTexts = typeof EN;

const NOTICES = {
  notSpoken: (why: string) =>
    `My answer above could not be said in a voice note: ${why}. It is not tried again; /voice off ends these notes.`,
  voiceSet: (chat: string, state: 'on' | 'off') =>
    state === 'on'
      ? `My answers in ${chat} come as voice notes too, after the text.`
      : `My answers in ${chat} come as text alone.`,
};
export type VoiceNotices = typeof NOTICES;

export const voiceTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
export const voiceNotices = buildNotices(
  textTable(NOTICES, { de: async () => (await import('./texts-german.ts')).NOTICES }),
);

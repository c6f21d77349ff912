/** Pages of the manual: digests. */
import type { ManualPage } from '../manual-pages.ts';

export const NEWS_PAGES: readonly ManualPage[] = [
  {
    title: 'Read whole what came together in one message (digest)',
    german: 'Ganz lesen, was in einer Nachricht zusammenkam (Sammelnachricht)',
    words:
      'news digest summary bundled collected too many messages shortened full text lines updates ' +
      'Neuigkeiten Sammel gebündelt zusammengefasst zu viele Nachrichten gekürzt vollständig Zeilen Meldungen less chatter in one go overview of the hour mehr auf einmal weniger Gerede',
    verbs: ['news'],
    see: 'infra/telegram.md#chats',
  },
];

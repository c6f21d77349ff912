/** Pages of the manual: files that people send. */
import type { ManualPage } from '../manual-pages.ts';

export const DOCUMENT_PAGES: readonly ManualPage[] = [
  {
    title: 'Have a file, picture or PDF read, kept or sent on',
    german: 'Eine Datei, ein Bild oder PDF lesen, behalten oder weiterschicken lassen',
    words:
      'document photo image scan attachment word excel powerpoint upload look at understand invoice contract forward ' +
      'Dokument Foto Bild Scan Anhang Tabelle hochladen anschauen verstehen Rechnung Vertrag weiterleiten',
    steps: [
      [
        'send it in the chat',
        'it is read as a stranger’s words: pictures, texts, PDF, DOCX, XLSX, PPTX, ODT, EPUB, mails',
        'es wird gelesen, als Worte eines Fremden: Bilder, Texte, PDF, DOCX, XLSX, PPTX, ODT, EPUB, Mails',
      ],
      [
        '/ingest',
        'as the caption, or as a reply to a file: its text is kept in memory, after your yes',
        'als Bildunterschrift, oder als Antwort auf eine Datei: ihr Text wird nach deinem Ja behalten',
      ],
    ],
    see: 'infra/telegram.md#what-you-send',
  },
];

/** Kinds of content that came with a message, in German; any other keeps its English name. Pure. */
const KINDS: Readonly<Record<string, string>> = {
  'a voice message': 'eine Sprachnachricht',
  'a video message': 'eine Videonachricht',
  'an audio file': 'eine Tondatei',
  'a file': 'eine Datei',
  'a photo': 'ein Foto',
  'a video': 'ein Video',
  'content of an unknown kind': 'Inhalt unbekannter Art',
};

export const fileKind = (kind: string): string => KINDS[kind] ?? kind;

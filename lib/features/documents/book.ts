/** The text of an EPUB file, its chapters in the order in which they are read. */
import { posix } from 'node:path';
import { ProtocolError } from '../../core/base/errors.ts';
import { htmlText } from '../../core/base/html-text.ts';
import type { TextReading } from './collect-text.ts';
import { readPart } from './relations.ts';
import { walkXml } from './walk-xml.ts';
import type { Zip } from './zip.ts';

const CONTAINER = 'META-INF/container.xml';

export const isBook = ({ names }: Zip): boolean => names.includes(CONTAINER);

const decodeName = (href: string): string => {
  try {
    return decodeURIComponent(href);
  } catch {
    // A name may have a percent sign of its own.
    return href;
  }
};

/** Addresses of a book's chapters, in the order in which they are read. */
const listChapters = (zip: Zip): readonly string[] => {
  let packageFile = '';
  walkXml(zip.read(CONTAINER) ?? '', {
    open: (name, attributes) => {
      if (name === 'rootfile') packageFile ||= attributes['full-path'] ?? '';
    },
  });
  const files = new Map<string, string>();
  const spine: string[] = [];
  walkXml(zip.read(packageFile) ?? '', {
    open: (name, { id = '', href = '', idref = '' }) => {
      if (name === 'item') files.set(id, posix.join(posix.dirname(packageFile), decodeName(href)));
      if (name === 'itemref') spine.push(idref);
    },
  });
  return spine.flatMap((id) => files.get(id) ?? []);
};

/** Of the files that are protected against copying, or whose fonts are. */
const listProtected = (zip: Zip): readonly string[] => {
  const names: string[] = [];
  walkXml(zip.read('META-INF/encryption.xml') ?? '', {
    open: (name, { URI = '' }) => {
      if (name === 'CipherReference') names.push(decodeName(URI));
    },
  });
  return names;
};

export const addBook = (zip: Zip, reading: TextReading): void => {
  const [chapters, locked] = [listChapters(zip), listProtected(zip)];
  if (chapters.length > 0 && chapters.every((name) => locked.includes(name)))
    throw new ProtocolError('it is protected against copying (DRM); send one that is not');
  for (const name of chapters) {
    const html = locked.includes(name) ? '' : readPart(zip, name, reading);
    if (locked.includes(name)) reading.add(`[${posix.basename(name)} is protected against copying]\n\n`);
    else if (html === undefined && !zip.has(name)) reading.add(`[${posix.basename(name)} is not in the file]\n\n`);
    else reading.add(`${htmlText(html ?? '')}\n\n`);
    for (const _ of (html ?? '').matchAll(/<(?:img|image)\b/gi)) reading.leaveOut('picture');
  }
};

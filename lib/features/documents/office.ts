/** The text of a zip of XML: DOCX, XLSX, PPTX, OpenDocument, EPUB. @throws ProtocolError */
import { ProtocolError } from '../../core/base/errors.ts';
import { addBook, isBook } from './book.ts';
import { type Collected, collectText, type TextReading } from './collect-text.ts';
import { addOpenDocument, isOpenDocument } from './open-document.ts';
import { addSlides, isSlides } from './slides.ts';
import { addSpreadsheet, isSpreadsheet } from './spreadsheet.ts';
import { addWord, isWord } from './word.ts';
import { openZip, type Zip } from './zip.ts';

/** Each kind by a part that only files of it have. */
const KINDS: readonly (readonly [is: (zip: Zip) => boolean, add: (zip: Zip, reading: TextReading) => void])[] = [
  [isWord, addWord],
  [isSpreadsheet, addSpreadsheet],
  [isSlides, addSlides],
  [isBook, addBook],
  [isOpenDocument, addOpenDocument],
];

/** Kinds that are not read, each by a part, and what its owner can do. */
const OTHERS: readonly (readonly [part: RegExp, cure: string])[] = [
  [/^xl\/workbook\.bin$/i, 'it is an XLSB file; save it as XLSX'],
  [/\.iwa$|^Index\.zip$/, 'it is of Pages, Numbers or Keynote; export it as PDF or for Word, Excel or PowerPoint'],
  [/^visio\/document\.xml$/i, 'it is a drawing of Visio; export it as PDF'],
];
const OTHER = 'it is a zip file and no DOCX, XLSX, PPTX, OpenDocument or EPUB; send the files in it';

export const officeText = (bytes: Uint8Array): Collected => {
  const zip = openZip(bytes);
  const [, addAll] = KINDS.find(([is]) => is(zip)) ?? [];
  const [, cure = OTHER] = OTHERS.find(([part]) => zip.names.some((name) => part.test(name))) ?? [];
  if (addAll === undefined) throw new ProtocolError(cure);
  return collectText((reading) => addAll(zip, reading));
};

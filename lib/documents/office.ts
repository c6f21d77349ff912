/** The text of a zip of XML: DOCX, XLSX, PPTX, OpenDocument, EPUB. @throws ProtocolError */
import { posix } from 'node:path';
import { ProtocolError } from '../base/errors.ts';
import { type Collected, collectText } from './collect-text.ts';
import { addFlowingText } from './flowing-text.ts';
import { htmlText } from './html-text.ts';
import { addSpreadsheet } from './spreadsheet.ts';
import { walkXml } from './walk-xml.ts';
import { openZip, type Zip } from './zip.ts';

type Add = (text: string) => void;

/** `slide2.xml` before `slide10.xml`. */
const inOrder = ({ names }: Zip, form: RegExp): readonly string[] => {
  const numberIn = (name: string): number => Number(/\d+(?=\.xml$)/.exec(name)?.[0] ?? 0);
  return names.filter((name) => form.test(name)).sort((a, b) => numberIn(a) - numberIn(b));
};

const addParts = (zip: Zip, form: RegExp, textIn: readonly string[], add: Add, title = ''): void => {
  for (const [n, name] of inOrder(zip, form).entries()) {
    if (title !== '') add(`[${title} ${n + 1}]\n`);
    addFlowingText(zip.read(name) ?? '', textIn, add);
  }
};

/** Addresses of a book's chapters, in the order in which they are read. */
const listChapters = (zip: Zip): readonly string[] => {
  let packageFile = '';
  walkXml(zip.read('META-INF/container.xml') ?? '', {
    open: (name, attributes) => {
      if (name === 'rootfile') packageFile ||= attributes['full-path'] ?? '';
    },
  });
  const files = new Map<string, string>();
  const spine: string[] = [];
  walkXml(zip.read(packageFile) ?? '', {
    open: (name, { id = '', href = '', idref = '' }) => {
      if (name === 'item') files.set(id, posix.join(posix.dirname(packageFile), decodeURIComponent(href)));
      if (name === 'itemref') spine.push(idref);
    },
  });
  return spine.flatMap((id) => files.get(id) ?? []);
};

const addBook = (zip: Zip, add: Add): void => {
  for (const name of listChapters(zip)) add(`${htmlText(zip.read(name) ?? '')}\n\n`);
};

/** Each kind by a part that only files of it have. */
const KINDS: readonly (readonly [part: RegExp, add: (zip: Zip, add: Add) => void])[] = [
  [/^word\/document\d*\.xml$/, (zip, add) => addParts(zip, /^word\/(?:document|footnotes)\d*\.xml$/, ['t'], add)],
  [/^xl\/workbook\.xml$/, addSpreadsheet],
  [/^ppt\/presentation\.xml$/, (zip, add) => addParts(zip, /^ppt\/slides\/slide\d+\.xml$/, ['t'], add, 'slide')],
  [/^META-INF\/container\.xml$/, addBook],
  [/^content\.xml$/, (zip, add) => addParts(zip, /^content\.xml$/, ['p', 'h'], add)],
];

export const officeText = (bytes: Uint8Array): Collected => {
  const zip = openZip(bytes);
  const [, addAll] = KINDS.find(([part]) => zip.names.some((name) => part.test(name))) ?? [];
  if (addAll === undefined)
    throw new ProtocolError('it is a zip file and no DOCX, XLSX, PPTX, OpenDocument or EPUB; send the files in it');
  return collectText((add) => addAll(zip, add));
};

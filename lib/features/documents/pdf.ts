/** The text of a PDF by pdf.js: no scripts, no fonts, no other file. @throws whatever it throws */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { DOCUMENT_CHARS_MAX, tellLeftOut } from './collect-text.ts';
import { DAMAGED, LOCKED } from './zip.ts';

/** A page costs some milliseconds even if it is empty. */
export const PDF_PAGES_MAX = 1_000;

export const NO_PDF_TEXT = 'it has no text, only pictures of pages; send those you need as photos';

const OPTIONS = {
  verbosity: 0,
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  useWasm: false,
  enableXfa: false,
} as const;

const Chunk = z.object({
  items: z.array(z.object({ str: z.optional(z.string()), hasEOL: z.optional(z.boolean()) })),
});

/** An annotation of a page: a field, a link, a remark. One of another form says nothing. */
const Text = z.catch(z.string(), '');
const Note = z.object({
  subtype: Text,
  fieldName: Text,
  fieldValue: Text,
  url: Text,
  contentsObj: z.catch(z.object({ str: Text }), { str: '' }),
  titleObj: z.catch(z.object({ str: Text }), { str: '' }),
});
type Note = z.infer<typeof Note>;
const Notes = z.catch(z.array(Note), []);
const NO_TEXT = '(this page has no text; it may be a picture)';
const BROKEN = '(this page is damaged and cannot be read)';

const tellNote = ({ subtype, fieldName, fieldValue, url, contentsObj, titleObj }: Note): string => {
  if (fieldValue !== '') return `\n${fieldName}: ${fieldValue}`;
  if (url !== '') return `\n[link] ${url}`;
  // A pop-up repeats its remark, and links and fields are described for the blind.
  if (['Popup', 'Link', 'Widget'].includes(subtype) || contentsObj.str === '') return '';
  return `\n[comment${titleObj.str === '' ? '' : ` by ${titleObj.str}`}] ${contentsObj.str}`;
};

type Pdf = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>;

/** Stops within a page: one page can hold millions of characters. */
const readPage = async (pdf: Pdf, number: number, charsMax: number): Promise<string> => {
  const page = await pdf.getPage(number);
  const reader = page.streamTextContent({}).getReader();
  let text = '';
  while (text.length <= charsMax) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const { str = '', hasEOL = false } of Chunk.parse(value).items) text += hasEOL ? `${str}\n` : str;
  }
  await reader.cancel(new Error('it is long enough'));
  const notes = new Set(Notes.parse(await page.getAnnotations()).map(tellNote));
  page.cleanup();
  return `${text.trim()}${[...notes].join('')}`.trim();
};

const openPdf = async (bytes: Uint8Array): Promise<Pdf> => {
  const { getDocumentProxy } = await import('unpdf');
  try {
    return await getDocumentProxy(new Uint8Array(bytes), OPTIONS);
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw new ProtocolError(LOCKED);
    throw error;
  }
};

const Files = z.catch(z.map(z.string(), z.unknown()), new Map());
const Info = z.catch(z.object({ info: z.object({ IsXFAPresent: z.boolean() }) }), { info: { IsXFAPresent: false } });

/** Attached files, such as the data of an invoice, and forms of XFA, which only Acrobat draws. */
const findLeftOut = async (pdf: Pdf): Promise<ReadonlyMap<string, number>> => {
  const none = (): undefined => undefined;
  const files = Files.parse(await pdf.getAttachments().catch(none)).size;
  const { IsXFAPresent: isForm } = Info.parse(await pdf.getMetadata().catch(none)).info;
  return new Map([
    ...(files === 0 ? [] : ([['attached file', files]] as const)),
    ...(isForm ? ([['XFA form', 1]] as const) : []),
  ]);
};

/** A page that cannot be read counts as one without text, unless it is so with all. */
const readPages = async (pdf: Pdf): Promise<string> => {
  const pages: string[] = [];
  let [left, broken, empty] = [DOCUMENT_CHARS_MAX, 0, 0];
  const skip = (): string => {
    broken += 1;
    return BROKEN;
  };
  for (let number = 1; number <= Math.min(pdf.numPages, PDF_PAGES_MAX) && left > 0; number += 1) {
    const words = await readPage(pdf, number, left).catch(skip);
    if (words === '') empty += 1;
    const text = `[page ${number}]\n${words || NO_TEXT}\n\n`;
    pages.push(text.slice(0, left));
    left -= text.length;
  }
  if (broken === pages.length) throw new ProtocolError(DAMAGED);
  const read = pages.length < pdf.numPages || left < 0 ? `, read up to page ${pages.length}` : '';
  if (empty === pages.length) throw new ProtocolError(NO_PDF_TEXT);
  const leftOut = tellLeftOut(await findLeftOut(pdf));
  return `PDF, ${pdf.numPages} ${pdf.numPages === 1 ? 'page' : 'pages'}${read}\n${leftOut === '' ? '' : `${leftOut}\n`}\n${pages.join('').trimEnd()}`;
};

export const pdfText = async (bytes: Uint8Array): Promise<string> => {
  const pdf = await openPdf(bytes);
  return readPages(pdf).finally(() => pdf.loadingTask.destroy());
};

/** The text of a PDF by pdf.js: no scripts, no fonts, no other file. @throws whatever it throws */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { DOCUMENT_CHARS_MAX } from './collect-text.ts';
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

/** Fields of a form that somebody filled in. */
const Fields = z.array(z.looseObject({ fieldName: z.optional(z.string()), fieldValue: z.optional(z.unknown()) }));

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
  const filled = Fields.parse(await page.getAnnotations()).flatMap(({ fieldName, fieldValue }) =>
    typeof fieldValue === 'string' && fieldValue !== '' ? `\n${fieldName}: ${fieldValue}` : [],
  );
  page.cleanup();
  return `${text.trim()}${filled.join('')}`.trim();
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

/** A page that cannot be read counts as one without text, unless it is so with all. */
const readPages = async (pdf: Pdf): Promise<string> => {
  const pages: string[] = [];
  let [left, broken] = [DOCUMENT_CHARS_MAX, 0];
  const skip = (): string => {
    broken += 1;
    return '';
  };
  for (let number = 1; number <= Math.min(pdf.numPages, PDF_PAGES_MAX) && left > 0; number += 1) {
    const text = `[page ${number}]\n${await readPage(pdf, number, left).catch(skip)}\n\n`;
    pages.push(text.slice(0, left));
    left -= text.length;
  }
  if (broken === pages.length) throw new ProtocolError(DAMAGED);
  const read = pages.length < pdf.numPages || left < 0 ? `, read up to page ${pages.length}` : '';
  if (pages.every((page) => page.split('\n')[1] === '')) throw new ProtocolError(NO_PDF_TEXT);
  return `PDF, ${pdf.numPages} ${pdf.numPages === 1 ? 'page' : 'pages'}${read}\n\n${pages.join('').trimEnd()}`;
};

export const pdfText = async (bytes: Uint8Array): Promise<string> => {
  const pdf = await openPdf(bytes);
  return readPages(pdf).finally(() => pdf.loadingTask.destroy());
};

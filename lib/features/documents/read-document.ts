/**
 * The text of a PDF, an office file, RTF or a mail, within bounds of bytes, pages and characters;
 * its function bounds time and memory. No error leaves here.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { ATTACHMENT_BYTES_MAX } from '../../core/base/limits.ts';
import type { DocumentAnswer } from '../../core/operations/document-messages.ts';
import { CUT } from '../../core/text/cut-text.ts';
import { type Collected, collectText, tellLeftOut } from './collect-text.ts';
import { type DocumentKind, documentKind } from './document-kind.ts';
import { officeText } from './office.ts';
import { pdfText } from './pdf.ts';
import { addRtf } from './rtf.ts';
import { DAMAGED } from './zip.ts';

const withHead = ({ text, isCut, leftOut }: Collected): string => {
  const head = [isCut ? CUT : '', tellLeftOut(leftOut)].filter((line) => line !== '').join('\n');
  if (text.trim() === '') throw new ProtocolError(`it has no text${leftOut.size === 0 ? '' : `; ${head}`}`);
  return head === '' ? text : `${head}\n\n${text}`;
};

const readText = async (bytes: Uint8Array, kind: DocumentKind | undefined, depth: number): Promise<string> => {
  switch (kind) {
    case 'pdf':
      return pdfText(bytes);
    case 'zip':
      return withHead(officeText(bytes));
    case 'rtf':
      return withHead(collectText((reading) => addRtf(bytes, reading)));
    case 'mail':
      return withHead(await (await import('./mail.ts')).mailText(bytes, depth, readWithin));
    case 'old-office':
      throw new ProtocolError(
        'it is an old Office file or a mail of Outlook, or has a password; save it as DOCX, XLSX, PPTX or PDF without one',
      );
    default:
      throw new ProtocolError('it is no document of a kind that is known');
  }
};

/** Letters that only a printer needs: hyphens where a line may end, and two letters in one. */
const plainLetters = (text: string): string =>
  text.replace(/\u00ad\n?/g, '').replace(/[\ufb00-\ufb06]/g, (letters) => letters.normalize('NFKC'));

/** @param depth how many mails it is attached within */
const readWithin = async (
  bytes: Uint8Array,
  kind: DocumentKind | undefined,
  depth: number,
): Promise<{ readonly text: string } | { readonly why: string }> => {
  try {
    return { text: plainLetters(await readText(bytes, kind, depth)).toWellFormed() };
  } catch (error) {
    // Parsers throw anything at all for bytes that are made to break them.
    return { why: error instanceof ProtocolError ? error.message : DAMAGED };
  }
};

export const readDocument = async (bytes: Uint8Array): Promise<DocumentAnswer> =>
  bytes.byteLength > ATTACHMENT_BYTES_MAX
    ? { why: 'it has more than 20 MB' }
    : readWithin(bytes, documentKind(bytes), 0);

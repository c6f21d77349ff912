/**
 * The text of a PDF or an office file, within bounds of bytes, pages and characters; its function
 * bounds time and memory. No error leaves here.
 */
import { ProtocolError } from '../base/errors.ts';
import { ATTACHMENT_BYTES_MAX } from '../base/limits.ts';
import { tellLeftOut } from './collect-text.ts';
import { CUT } from './cut-text.ts';
import { type DocumentAnswer, documentKind } from './document.ts';
import { officeText } from './office.ts';
import { pdfText } from './pdf.ts';
import { DAMAGED } from './zip.ts';

const readText = async (bytes: Uint8Array): Promise<string> => {
  switch (documentKind(bytes)) {
    case 'pdf':
      return pdfText(bytes);
    case 'zip': {
      const { text, isCut, leftOut } = officeText(bytes);
      const head = [isCut ? CUT : '', tellLeftOut(leftOut)].filter((line) => line !== '').join('\n');
      if (text.trim() === '') throw new ProtocolError(`it has no text${leftOut.size === 0 ? '' : `; ${head}`}`);
      return head === '' ? text : `${head}\n\n${text}`;
    }
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

export const readDocument = async (bytes: Uint8Array): Promise<DocumentAnswer> => {
  if (bytes.byteLength > ATTACHMENT_BYTES_MAX) return { why: 'it has more than 20 MB' };
  try {
    return { text: plainLetters(await readText(bytes)).toWellFormed() };
  } catch (error) {
    // Parsers throw anything at all for bytes that are made to break them.
    return { why: error instanceof ProtocolError ? error.message : DAMAGED };
  }
};

/**
 * The text of a PDF or an office file, within bounds of bytes, pages and characters; its function
 * bounds time and memory. No error leaves here.
 */
import { ProtocolError } from '../base/errors.ts';
import { ATTACHMENT_BYTES_MAX } from '../base/limits.ts';
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
      const { text, isCut } = officeText(bytes);
      if (text.trim() === '') throw new ProtocolError('it has no text');
      return isCut ? `${CUT}\n\n${text}` : text;
    }
    case 'old-office':
      throw new ProtocolError(
        'it is an old Office file, or has a password; save it as DOCX, XLSX, PPTX or PDF without one',
      );
    default:
      throw new ProtocolError('it is no document of a kind that is known');
  }
};

export const readDocument = async (bytes: Uint8Array): Promise<DocumentAnswer> => {
  if (bytes.byteLength > ATTACHMENT_BYTES_MAX) return { why: 'it has more than 20 MB' };
  try {
    return { text: (await readText(bytes)).toWellFormed() };
  } catch (error) {
    // Parsers throw anything at all for bytes that are made to break them.
    return { why: error instanceof ProtocolError ? error.message : DAMAGED };
  }
};

/** Documents as other programs write them, files of `documents/`, zipped here and read. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { htmlText } from '../../lib/core/base/html-text.ts';
import { readDocument } from '../../lib/features/documents/read-document.ts';
import { docx, epub, odt, pdfOf, streamOf, xlsx, zipOf } from '../support/documents.ts';
import { readCases } from './read-cases.ts';

const Case = z.strictObject({
  by: z.string(),
  /** Of the whole file, or in the part where its text is. */
  docx: z.string().optional(),
  xlsx: z.string().optional(),
  odt: z.string().optional(),
  epub: z.array(z.string()).optional(),
  html: z.string().optional(),
  /** Objects of a PDF; what begins with `stream` is the content of a stream. */
  pdf: z.array(z.string()).optional(),
  /** Empty lines stand before it. */
  blanks: z.boolean().optional(),
  hex: z.string().optional(),
  /** Lines of a mail in UTF-8; `hex:` begins bytes. */
  mail: z.array(z.string()).optional(),
  /** Lines; a letter is a byte. */
  rtf: z.array(z.string()).optional(),
  /** Its parts have a password. */
  locked: z.boolean().optional(),
  /** Parts of the zip, beside or in place of those that such a file has; `hex:` begins bytes. */
  files: z.record(z.string(), z.string()).optional(),
  /** Parts whose packed bytes are broken. */
  damaged: z.array(z.string()).default([]),
  expect: z.union([z.strictObject({ text: z.string() }), z.strictObject({ why: z.string() })]),
});
type Case = z.infer<typeof Case>;

const bytesOf = (text: string): Buffer =>
  text.startsWith('hex:') ? Buffer.from(text.slice(4), 'hex') : Buffer.from(text);

/** The packed bytes of a part follow its name; three bits of ones begin no block. */
const damage = (zip: Buffer, parts: readonly string[]): Buffer => {
  for (const part of parts) zip[zip.indexOf(part) + part.length] = 0xff;
  return zip;
};

const build = ({ files = {}, ...given }: Omit<Case, 'expect'>): Buffer => {
  const parts = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytesOf(text)]));
  if (given.docx !== undefined) return docx(given.docx, parts);
  if (given.xlsx !== undefined) return xlsx(given.xlsx, parts);
  if (given.odt !== undefined) return odt(given.odt, parts);
  if (given.epub !== undefined) return epub(...given.epub);
  if (given.hex !== undefined) return Buffer.from(given.hex, 'hex');
  if (given.mail !== undefined)
    return Buffer.concat(given.mail.flatMap((line) => [bytesOf(line), Buffer.from('\r\n')]));
  if (given.rtf !== undefined) return Buffer.from(given.rtf.join('\r\n'), 'latin1');
  if (given.pdf === undefined) return zipOf(parts, { flags: given.locked === true ? 1 : 0 });
  const pdf = pdfOf(
    given.pdf.map((one) => (one.startsWith('stream ') ? streamOf(Buffer.from(one.slice(7), 'latin1')) : one)),
  );
  return given.blanks === true ? Buffer.concat([Buffer.from('\r\n\r\n'), pdf]) : pdf;
};

describe('a document', () => {
  it.each(readCases('documents', Case))('$name', async ({ expect: expected, name: _, ...given }) => {
    const answer =
      given.html === undefined
        ? await readDocument(damage(build(given), given.damaged))
        : { text: htmlText(given.html) };
    // Empty lines and blanks at the ends say nothing.
    const tidy = (text: string) =>
      text
        .replace(/[ \t]+\n/g, '\n')
        .replace(/\n{2,}/g, '\n')
        .trim();
    expect('text' in answer ? { text: tidy(answer.text) } : answer).toStrictEqual(expected);
  });
});

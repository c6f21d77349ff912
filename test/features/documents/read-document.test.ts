/** The text of each kind of document, and every kind of file that is made to do harm. */
import { describe, expect, it } from 'vitest';
import { DOCUMENT_CHARS_MAX } from '../../../lib/features/documents/collect-text.ts';
import { NO_PDF_TEXT, PDF_PAGES_MAX } from '../../../lib/features/documents/pdf.ts';
import { readDocument } from '../../../lib/features/documents/read-document.ts';
import { DAMAGED, LOCKED, UNPACKED_BYTES_MAX } from '../../../lib/features/documents/zip.ts';
import {
  docx,
  drawn,
  epub,
  odt,
  paragraph,
  pdf,
  pdfOf,
  pdfWith,
  pptx,
  streamOf,
  xlsx,
  zipOf,
} from '../../support/documents.ts';

const textIn = async (bytes: Buffer): Promise<string> => {
  const answer = await readDocument(bytes);
  if (!('text' in answer)) throw new Error(JSON.stringify(answer));
  return answer.text;
};

describe('readDocument', () => {
  it.each<[string, Buffer, string]>([
    [
      'a PDF',
      pdf(['Tea 4.10', 'Bread (2) 2.40'], ['Total 6.50']),
      'PDF, 2 pages\n\n[page 1]\nTea 4.10\nBread (2) 2.40\n\n[page 2]\nTotal 6.50',
    ],
    ['a packed PDF', pdfWith([drawn(['Tea'])], true), 'PDF, 1 page\n\n[page 1]\nTea'],
    [
      'a form that somebody filled in',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[4 0 R]>>',
        '<</Type/Annot/Subtype/Widget/FT/Tx/T(iban)/V(DE00 1234)/Rect[0 0 9 9]>>',
      ]),
      'PDF, 1 page\n\n[page 1]\niban: DE00 1234',
    ],
    [
      'a DOCX with a table, without deleted text and second forms',
      docx(
        [
          '<w:p><w:pPr><w:tabs><w:tab w:pos="1"/></w:tabs></w:pPr><w:r><w:t>A &amp; B</w:t><w:br/><w:t>C</w:t><w:tab/><w:t>D</w:t><w:delText>X</w:delText></w:r></w:p>',
          `<w:tbl><w:tr><w:tc>${paragraph('Tea')}</w:tc><w:tc>${paragraph('4.10')}</w:tc></w:tr></w:tbl>`,
          `<mc:AlternateContent><mc:Choice>${paragraph('once')}</mc:Choice><mc:Fallback>${paragraph('once')}</mc:Fallback></mc:AlternateContent>`,
        ].join(''),
        { 'word/footnotes.xml': `<w:footnotes>${paragraph('a note')}</w:footnotes>` },
      ),
      'A & B\nC\tD\nTea \t4.10 \t\nonce\na note\n',
    ],
    [
      'an XLSX with shared texts, dates, gaps, and formulas with and without a value',
      xlsx(
        '<row><c r="A1" t="s"><v>0</v></c><c r="D1" t="s"><v>1</v></c></row>' +
          '<row><c r="A2" s="1"><v>45292</v></c><c r="B2" s="3" t="n"><v>45292.5</v></c><c r="C2" s="2"><f>1+1</f><v>2.5</v></c><c t="inlineStr"><is><t>in line</t></is></c><c t="b"><v>1</v></c><c><f>A1*2</f></c></row>',
      ),
      '[sheet Bills]\nTea\t\t\tBread\n2024-01-01\t2024-01-01 12:00\t2.5\tin line\tTRUE\t=A1*2\n\n[sheet Empty]\n\n',
    ],
    [
      'a PPTX, its slides in order',
      pptx(...Array.from({ length: 11 }, (_, n) => `S${n}`)),
      Array.from({ length: 11 }, (_, n) => `[slide ${n + 1}]\nS${n}\n`).join(''),
    ],
    [
      'an ODT',
      odt(
        '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Plan</text:h><text:p>a<text:s text:c="1"/>b<text:line-break/>c</text:p>',
      ),
      'Plan\na b\nc\n',
    ],
    [
      'an EPUB, its chapters in the order of reading',
      epub('<h1>One</h1>', '<p>Two</p><script>bad()</script>'),
      'One\n\nTwo\n\n',
    ],
  ])('gives the text of %s', async (_name, bytes, text) => {
    expect(await textIn(bytes)).toBe(text);
  });

  const catalogue = ['<</Type/Catalog/Pages 2 0 R>>'];
  const bomb = (bytes: number) => docx(paragraph('a'.repeat(bytes)));
  it.each<[string, () => Buffer, string]>([
    ['no document', () => Buffer.from('hello'), 'it is no document of a kind that is known'],
    [
      'another zip',
      () => zipOf({ 'a.txt': 'a' }),
      'it is a zip file and no DOCX, XLSX, PPTX, OpenDocument or EPUB; send the files in it',
    ],
    ['the beginning of a zip', () => docx('x').subarray(0, 90), DAMAGED],
    [
      'a zip whose list lies elsewhere',
      () => Buffer.concat([Buffer.from('PK\x03\x04'), docx('x').subarray(60)]),
      DAMAGED,
    ],
    ['noise called a zip', () => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5_000, 0xff)]), DAMAGED],
    ['a locked zip', () => zipOf({ 'word/document.xml': 'x' }, { flags: 1 }), LOCKED],
    [
      'an old or locked Office file',
      () => Buffer.from('d0cf11e0a1b11ae100', 'hex'),
      'it is an old Office file or a mail of Outlook, or has a password; save it as DOCX, XLSX, PPTX or PDF without one',
    ],
    ['a zip bomb', () => bomb(UNPACKED_BYTES_MAX), 'it unpacks to more than 64 MB'],
    [
      'a zip bomb that claims to be small',
      () => zipOf({ 'word/document.xml': 'a'.repeat(UNPACKED_BYTES_MAX + 1) }, { claimed: 3 }),
      'it unpacks to more than 64 MB',
    ],
    [
      'many parts that are a bomb together',
      () => pptx(...Array.from({ length: 9 }, () => `<!--${'a'.repeat(UNPACKED_BYTES_MAX / 8)}-->`)),
      'it unpacks to more than 64 MB',
    ],
    [
      'entities within entities',
      () =>
        docx('', {
          'word/document.xml':
            '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><w:p/>',
        }),
      'it has no text',
    ],
    ['an empty DOCX', () => docx(paragraph(' ')), 'it has no text'],
    ['a scanned PDF', () => pdfWith([Buffer.from('q Q'), Buffer.from('')]), NO_PDF_TEXT],
    ['the beginning of a PDF', () => pdf(['Tea']).subarray(0, 300), DAMAGED],
    ['noise called a PDF', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(500_000, 0xee)]), DAMAGED],
    [
      'a PDF with a password',
      () =>
        pdfOf(
          [
            ...catalogue,
            '<</Type/Pages/Kids[]/Count 0>>',
            '<</Filter/Standard/V 1/R 2/P -4/O(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)/U(yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy)>>',
          ],
          '/Encrypt 3 0 R/ID[(a)(b)]',
        ),
      LOCKED,
    ],
    ['pages that hold themselves', () => pdfOf([...catalogue, '<</Type/Pages/Kids[2 0 R]/Count 1>>']), DAMAGED],
    [
      'a form that draws itself',
      () =>
        pdfOf([
          ...catalogue,
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>/Contents 4 0 R>>',
          streamOf(Buffer.from('/X Do')),
          streamOf(
            Buffer.from('/X Do /X Do'),
            false,
            '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>',
          ),
        ]),
      NO_PDF_TEXT,
    ],
    ['more than 20 MB', () => Buffer.alloc(20_000_001), 'it has more than 20 MB'],
  ])('gives one sentence for %s', async (_name, build, why) => {
    expect(await readDocument(build())).toStrictEqual({ why });
  });

  it('expands no entity of the file’s own beside its text', async () => {
    const xml = `<!DOCTYPE l [<!ENTITY a "bomb">]><w:document>${paragraph('&a; &lt; &#x263a;')}</w:document>`;
    expect(await textIn(docx('', { 'word/document.xml': xml }))).toBe('&a; < ☺\n');
  });

  it('reads a PDF with a hundred thousand objects, and one with a page of a million texts, up to its bound', async () => {
    const objects = Array.from({ length: 100_000 }, () => Buffer.from('1'));
    expect(await textIn(pdfWith([drawn(['Tea'])], false, objects))).toBe('PDF, 1 page\n\n[page 1]\nTea');
    const long = await textIn(pdfWith([Buffer.from(`BT /F1 9 Tf ${'(aaaaaaaaaa) Tj '.repeat(1_000_000)} ET`)], true));
    expect(long.length).toBeLessThan(DOCUMENT_CHARS_MAX + 100);
  });

  it('says what it left out', async () => {
    const page = ['x'.repeat(100)];
    const many = pdf(...Array.from({ length: PDF_PAGES_MAX + 5 }, () => ['y']));
    expect(await textIn(many)).toMatch(new RegExp(`^PDF, 1005 pages, read up to page ${PDF_PAGES_MAX}\n`));
    const long = Array.from({ length: 20 }, () => Array.from({ length: 60 }, () => page[0] ?? ''));
    expect(await textIn(pdf(...long))).toMatch(/^PDF, 20 pages, read up to page 17\n/);
    const text = await textIn(docx(paragraph('a'.repeat(DOCUMENT_CHARS_MAX + 1))));
    expect(text).toMatch(/^\(Only the beginning is read: the document is longer\.\)\n\na+$/);
  });
});

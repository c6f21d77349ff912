/** Real PDF and office files, written by hand, so that each of their bytes can be made to lie. */
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** @param objects bodies of the objects 1, 2, …; the first is the catalogue */
export const pdfOf = (objects: readonly (string | Buffer)[], trailer = ''): Buffer => {
  const parts = [latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')];
  let xref = parts[0]?.length ?? 0;
  const places = objects.map((object, n) => {
    const bytes = Buffer.concat([latin(`${n + 1} 0 obj\n`), Buffer.from(object), latin('\nendobj\n')]);
    const place = `${String(xref).padStart(10, '0')} 00000 n \n`;
    parts.push(bytes);
    xref += bytes.length;
    return place;
  });
  const count = objects.length + 1;
  return Buffer.concat([
    ...parts,
    latin(`xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`),
    latin(`trailer\n<</Size ${count}/Root 1 0 R${trailer}>>\nstartxref\n${xref}\n%%EOF\n`),
  ]);
};

export const streamOf = (content: Buffer, isPacked = false, entries = ''): Buffer => {
  const bytes = isPacked ? deflateSync(content, { level: 1 }) : content;
  const filter = isPacked ? '/Filter/FlateDecode' : '';
  return Buffer.concat([
    latin(`<</Length ${bytes.length}${filter}${entries}>>\nstream\n`),
    bytes,
    latin('\nendstream'),
  ]);
};

/** What draws lines of text on a page. */
export const drawn = (lines: readonly string[]): Buffer =>
  latin(
    `BT /F1 10 Tf 14 TL 50 800 Td ${lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join('\n')} ET`,
  );

/** @param pages the content of each; @param more further objects */
export const pdfWith = (pages: readonly Buffer[], isPacked = false, more: readonly Buffer[] = []): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ')}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((content, n) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + 2 * n} 0 R>>`,
      streamOf(content, isPacked),
    ]),
    ...more,
  ]);

export const pdf = (...pages: readonly (readonly string[])[]): Buffer => pdfWith(pages.map(drawn));

/**
 * The same with so many further objects, packed into one stream: a few bytes of the file each. What
 * the page says stands in it too.
 */
export const pdfOfMany = (lines: readonly string[], count: number): Buffer => {
  const font = 3;
  const bodies = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 ${font} 0 R>>>>/Contents ${count + 1} 0 R>>`,
    ...Array<string>(count - 4).fill('0'),
  ];
  let offset = 0;
  const index = bodies.map((body, n) => {
    const at = `${n + 1} ${offset}`;
    offset += body.length + 1;
    return at;
  });
  const head = `${index.join(' ')} `;
  const packed = latin(`${head}${bodies.join(' ')}`);
  const parts = [latin('%PDF-1.7\n')];
  const places: number[] = [];
  const add = (number: number, stream: Buffer) => {
    places.push(parts.reduce((sum, { length }) => sum + length, 0));
    parts.push(Buffer.concat([latin(`${number} 0 obj\n`), stream, latin('\nendobj\n')]));
  };
  add(count + 1, streamOf(drawn(lines)));
  add(count + 2, streamOf(packed, true, `/Type/ObjStm/N ${count}/First ${head.length}`));
  const xref = Buffer.alloc(9 * (count + 4));
  for (let n = 1; n <= count; n += 1) {
    xref.writeUInt8(2, 9 * n);
    xref.writeUInt32BE(count + 2, 9 * n + 1);
    xref.writeUInt32BE(n - 1, 9 * n + 5);
  }
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  for (const [n, place] of [...places, start].entries()) {
    xref.writeUInt8(1, 9 * (count + 1 + n));
    xref.writeUInt32BE(place, 9 * (count + 1 + n) + 1);
  }
  add(count + 3, streamOf(xref, true, `/Type/XRef/W[1 4 4]/Size ${count + 4}/Root 1 0 R`));
  return Buffer.concat([...parts, latin(`startxref\n${start}\n%%EOF\n`)]);
};

export type Parts = Readonly<Record<string, string | Buffer>>;

/** @param claimed the size that each part is said to have; @param flags 1 for locked */
export const zipOf = (parts: Parts, { claimed, flags = 0 }: { claimed?: number; flags?: number } = {}): Buffer => {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimed ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([latin('PK\x03\x04'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    centrals.push(Buffer.concat([latin('PK\x01\x02\x14\0'), common, rest, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const list = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(centrals.length, 4);
  end.writeUInt16LE(centrals.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, list, latin('PK\x05\x06'), end]);
};

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const docx = (body: string, parts: Parts = {}): Buffer =>
  zipOf({
    '[Content_Types].xml': `${XML}<Types/>`,
    'word/document.xml': `${XML}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** @param rows cells as XML of the second sheet */
export const xlsx = (rows: string, parts: Parts = {}): Buffer =>
  zipOf({
    'xl/workbook.xml': `${XML}<workbook xmlns:r="r"><sheets><sheet name="Bills" r:id="rId2"/><sheet name="Empty" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `${XML}<sst><si><t>Tea</t></si><si><r><t>Bre</t></r><r><t>ad</t></r></si></sst>`,
    'xl/styles.xml': `${XML}<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/><numFmt numFmtId="171" formatCode="[Red]0.00&quot;d&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet><sheetData/></worksheet>`,
    'xl/worksheets/sheet2.xml': `${XML}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  });

export const pptx = (...slides: readonly string[]): Buffer =>
  zipOf({
    'ppt/presentation.xml': `${XML}<p:presentation/>`,
    ...Object.fromEntries(
      slides.map((text, n) => [
        `ppt/slides/slide${n + 1}.xml`,
        `${XML}<p:sld><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sld>`,
      ]),
    ),
  });

export const odt = (body: string, parts: Parts = {}): Buffer =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `${XML}<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...parts,
  });

/** @param chapters bodies in the order of reading; their files are numbered the other way round */
export const epub = (...chapters: readonly string[]): Buffer => {
  const fileOf = (n: number) => `ch ${chapters.length - n}.xhtml`;
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${XML}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    'OEBPS/book.opf': `${XML}<package><manifest>${chapters
      .map((_, n) => `<item id="c${n}" href="text/${encodeURIComponent(fileOf(n))}"/>`)
      .join('')}</manifest><spine>${chapters.map((_, n) => `<itemref idref="c${n}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(chapters.map((body, n) => [`OEBPS/text/${fileOf(n)}`, `<html><body>${body}</body></html>`])),
  });
};

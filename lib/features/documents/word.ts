/** The text of a DOCX file: its headers first, then the text, notes, comments and footers. */
import { collectText, type TextReading } from './collect-text.ts';
import type { FlowingOptions } from './flow.ts';
import { addFlowingText } from './flowing-text.ts';
import { buildNumbering } from './list-numbers.ts';
import { findParts, partsOf, readPart, relationsOf, tellBroken } from './relations.ts';
import type { Zip } from './zip.ts';

const USUAL = /^word\/document\d*\.xml$/i;

/** Kinds of parts beside the text, in the order in which they are read behind it. */
const BEHIND: readonly (readonly [type: string, usual: RegExp])[] = [
  ['diagramData', /^word\/diagrams\/data\d*\.xml$/i],
  ['footnotes', /^word\/footnotes\d*\.xml$/i],
  ['endnotes', /^word\/endnotes\d*\.xml$/i],
  ['comments', /^word\/comments\d*\.xml$/i],
];
const HEADER = /^word\/header\d*\.xml$/i;
const FOOTER = /^word\/footer\d*\.xml$/i;

const addPart = (zip: Zip, name: string, options: FlowingOptions, reading: TextReading): void => {
  const xml = readPart(zip, name, reading);
  if (xml === undefined) return;
  tellBroken(addFlowingText(xml, reading, { ...options, relations: relationsOf(zip, name) }), name, reading);
};

/** Headers or footers: those of first, left and right pages often say the same. */
const addMargins = (zip: Zip, names: readonly string[], word: string, reading: TextReading): void => {
  const said = new Set<string>();
  for (const name of names) {
    const { text } = collectText((part) => addPart(zip, name, {}, { ...reading, add: part.add }));
    if (text.trim() !== '' && !said.has(text)) reading.add(`[${word}]\n${text.trim()}\n\n`);
    said.add(text);
  }
};

export const isWord = ({ names }: Zip): boolean => names.some((name) => USUAL.test(name));

export const addWord = (zip: Zip, reading: TextReading): void => {
  const main = partsOf(relationsOf(zip), 'officeDocument');
  const bodies = main.length > 0 ? main : zip.names.filter((name) => USUAL.test(name));
  for (const body of bodies) {
    const relations = relationsOf(zip, body);
    const [numbering, styles] = [
      findParts(zip, relations, 'numbering', /^word\/numbering\.xml$/i),
      findParts(zip, relations, 'styles', /^word\/styles\.xml$/i),
    ].map(([part = '']) => readPart(zip, part, reading) ?? '');
    const options = {
      notes: new Map<string, number>(),
      numberParagraph: buildNumbering(numbering ?? '', styles ?? ''),
    };
    addMargins(zip, findParts(zip, relations, 'header', HEADER), 'header', reading);
    addPart(zip, body, options, reading);
    for (const [type, usual] of BEHIND)
      for (const name of findParts(zip, relations, type, usual)) addPart(zip, name, options, reading);
    addMargins(zip, findParts(zip, relations, 'footer', FOOTER), 'footer', reading);
  }
};

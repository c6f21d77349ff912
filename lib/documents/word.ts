/** The text of a DOCX file: its headers first, then the text, notes, comments and footers. */
import { type Collected, collectText, type Reading } from './collect-text.ts';
import { addFlowingText } from './flowing-text.ts';
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

const addPart = (zip: Zip, name: string, notes: Map<string, number>, reading: Reading): void => {
  const xml = readPart(zip, name, reading);
  if (xml === undefined) return;
  tellBroken(addFlowingText(xml, reading, { relations: relationsOf(zip, name), notes }), name, reading);
};

/** Headers or footers: those of first, left and right pages often say the same. */
const addMargins = (zip: Zip, names: readonly string[], word: string, reading: Reading): void => {
  const said = new Set<string>();
  for (const name of names) {
    const { text } = collectText((part) =>
      addPart(zip, name, new Map(), { ...reading, add: part.add }),
    ) satisfies Collected;
    if (text.trim() !== '' && !said.has(text)) reading.add(`[${word}]\n${text.trim()}\n\n`);
    said.add(text);
  }
};

export const isWord = ({ names }: Zip): boolean => names.some((name) => USUAL.test(name));

export const addWord = (zip: Zip, reading: Reading): void => {
  const main = partsOf(relationsOf(zip), 'officeDocument');
  const bodies = main.length > 0 ? main : zip.names.filter((name) => USUAL.test(name));
  for (const body of bodies) {
    const relations = relationsOf(zip, body);
    const notes = new Map<string, number>();
    addMargins(zip, findParts(zip, relations, 'header', HEADER), 'header', reading);
    addPart(zip, body, notes, reading);
    for (const [type, usual] of BEHIND)
      for (const name of findParts(zip, relations, type, usual)) addPart(zip, name, notes, reading);
    addMargins(zip, findParts(zip, relations, 'footer', FOOTER), 'footer', reading);
  }
};

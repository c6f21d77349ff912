/** The text of a PPTX file: its slides in the order of showing, each with its notes. */
import type { TextReading } from './collect-text.ts';
import { addFlowingText } from './flowing-text.ts';
import { findParts, partsOf, readPart, relationsOf, tellBroken } from './relations.ts';
import { attributeOf, relationOf, walkXml } from './walk-xml.ts';
import type { Zip } from './zip.ts';

const MAIN = 'ppt/presentation.xml';

export const isSlides = ({ names }: Zip): boolean => names.some((name) => name.toLowerCase() === MAIN);

/** Files keep their names when slides are put in another order. */
const listSlides = (zip: Zip, main: string): readonly string[] => {
  const relations = relationsOf(zip, main);
  const ids: string[] = [];
  walkXml(zip.read(main) ?? '', {
    open: (name, attributes) => {
      if (name === 'sldId') ids.push(relationOf(attributes));
    },
  });
  const shown = ids.flatMap((id) => relations.get(id)?.target ?? []);
  return shown.length > 0 ? shown : findParts(zip, relations, 'slide', /^ppt\/slides\/slide\d+\.xml$/i);
};

const readAuthors = (zip: Zip, main: string): ReadonlyMap<string, string> => {
  const authors = new Map<string, string>();
  const parts = [...partsOf(relationsOf(zip, main), 'commentAuthors'), ...partsOf(relationsOf(zip, main), 'authors')];
  for (const part of parts)
    walkXml(zip.read(part) ?? '', {
      open: (name, attributes) => {
        if (name === 'cmAuthor' || name === 'author')
          authors.set(attributes.id ?? '', attributeOf(attributes, 'name') ?? '');
      },
    });
  return authors;
};

const isHidden = (xml: string): boolean => /<(?:\w+:)?sld\b[^>]*\sshow=["'](?:0|false)["']/.test(xml.slice(0, 4000));

/** Parts beside the slides to which no relation leads. */
const NOTES = /^ppt\/notesSlides\/[^/]+\.xml$/i;
const COMMENTS = /^ppt\/comments\/[^/]+\.xml$/i;

export const addSlides = (zip: Zip, reading: TextReading): void => {
  const [main = MAIN] = partsOf(relationsOf(zip), 'officeDocument');
  const authors = readAuthors(zip, main);
  const addPart = (part: string, title: string): void => {
    reading.add(title);
    addFlowingText(readPart(zip, part, reading) ?? '', reading, { authors, textIn: ['t', 'text'] });
  };
  for (const [n, slide] of listSlides(zip, main).entries()) {
    const xml = readPart(zip, slide, reading);
    reading.add(`[slide ${n + 1}${isHidden(xml ?? '') ? ', hidden' : ''}]\n`);
    if (xml === undefined) continue;
    const relations = relationsOf(zip, slide);
    tellBroken(addFlowingText(xml, reading, { relations }), slide, reading);
    for (const [type, title] of [
      ['diagramData', ''],
      ['notesSlide', '[notes]\n'],
      ['comments', ''],
    ] as const)
      for (const part of partsOf(relations, type)) addPart(part, title);
  }
  for (const part of zip.unread(NOTES)) addPart(part, '[notes]\n');
  for (const part of zip.unread(COMMENTS)) addPart(part, '');
};

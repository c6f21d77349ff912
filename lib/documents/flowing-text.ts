/** The text of a DOCX, PPTX or OpenDocument part, paragraph by paragraph. Pure. */
import { walkXml } from './walk-xml.ts';

const PARAGRAPHS = ['p', 'h'];
const CELLS = ['tc', 'table-cell'];
const ROWS = ['tr', 'table-row'];
const BREAKS = ['br', 'cr', 'line-break'];
/** Deleted text, a second form of the same text, and the places of tab stops. */
const LEFT_OUT = ['tracked-changes', 'Fallback', 'tabs'];

/** @param textIn elements whose text counts */
export const addFlowingText = (xml: string, textIn: readonly string[], add: (text: string) => void): void => {
  let [leftOut, cells, words] = [0, 0, 0];
  walkXml(xml, {
    open: (name) => {
      if (LEFT_OUT.includes(name)) leftOut += 1;
      if (leftOut > 0) return;
      if (textIn.includes(name)) words += 1;
      if (CELLS.includes(name)) cells += 1;
      if (BREAKS.includes(name)) add(cells > 0 ? ' ' : '\n');
      if (name === 'tab') add('\t');
      // A space of OpenDocument, whose words stand in paragraphs.
      if (name === 's' && words > 0) add(' ');
    },
    close: (name) => {
      if (LEFT_OUT.includes(name)) leftOut -= 1;
      else if (leftOut > 0) return;
      if (textIn.includes(name)) words -= 1;
      if (CELLS.includes(name)) cells -= 1;
      if (PARAGRAPHS.includes(name)) add(cells > 0 ? ' ' : '\n');
      if (CELLS.includes(name)) add('\t');
      if (ROWS.includes(name)) add('\n');
    },
    text: (text) => {
      if (leftOut === 0 && words > 0) add(text);
    },
  });
};

/** Elements of DOCX and PPTX that stand for more than their text, by their names. */
import { emit, type Flow, newLine, outsideAddress, type TextRun, tellAddress, tellRunLink } from './flow.ts';
import { symbolOf } from './symbols.ts';
import { type Attributes, attributeOf, isOn } from './walk-xml.ts';

/** The address in the code of a field. */
const FIELD = /^\s*HYPERLINK\s+"([^"]+)"/;

const openRun = (flow: Flow): void => void flow.runs.push({ isRaised: false, isHidden: false, address: '' });
const openLink = (flow: Flow, address: string): void => void flow.links.push({ address, words: '' });
const openBox = (flow: Flow): void => {
  flow.box = { isChecked: false, entries: [], result: 0 };
};
const describe = (flow: Flow, attributes: Attributes): void => {
  const text = attributeOf(attributes, 'descr') ?? '';
  if (text !== '' && text !== flow.drawing) emit(flow, `[drawing: ${text}] `);
  flow.drawing = text;
};
const setBox = (flow: Flow, attributes: Attributes): void => {
  if (flow.box !== undefined) flow.box.isChecked = isOn(attributes);
};

const keyOf = (kind: string, attributes: Attributes): string => `${kind} ${attributeOf(attributes, 'id')}`;
const refer = (kind: string) => (flow: Flow, attributes: Attributes) => {
  const { notes } = flow;
  if (notes === undefined) return;
  const number = 1 + (notes.get(kind) ?? 0);
  notes.set(kind, number);
  notes.set(keyOf(kind, attributes), number);
  emit(flow, `[${kind} ${number}]`);
};
const openNote = (kind: string) => (flow: Flow, attributes: Attributes) => {
  const number = flow.notes?.get(keyOf(kind, attributes));
  flow.mark = `[${kind}${number === undefined ? '' : ` ${number}`}] `;
};
const openComment = (flow: Flow, attributes: Attributes): void => {
  const author = attributeOf(attributes, 'author') ?? flow.authors?.get(attributeOf(attributes, 'authorId') ?? '');
  flow.mark = `[comment${author === undefined ? '' : ` by ${author}`}] `;
};

const changeField = (flow: Flow, attributes: Attributes): void => {
  const type = attributeOf(attributes, 'fldCharType');
  if (type === 'begin') flow.fields.push({ code: '', isShown: false });
  const field = flow.fields.at(-1);
  if (field === undefined) return;
  if (type === 'separate') {
    field.isShown = true;
    openLink(flow, FIELD.exec(field.code)?.[1] ?? '');
  }
  if (type !== 'end') return;
  if (field.isShown) tellAddress(flow, flow.links.pop());
  flow.fields.pop();
};

const changeRun = (flow: Flow, change: (run: TextRun) => void): void => {
  const run = flow.runs.at(-1);
  if (run !== undefined) change(run);
};

const addSymbol = (flow: Flow, attributes: Attributes): void => {
  const symbol = symbolOf(attributeOf(attributes, 'font') ?? '', attributeOf(attributes, 'char') ?? '');
  if (symbol === undefined) flow.reading.leaveOut('symbol');
  else emit(flow, symbol);
};

const breakLine = (flow: Flow): void => emit(flow, flow.cells > 0 ? ' ' : '\n');

type Open = (flow: Flow, attributes: Attributes) => void;
export const OPENS: Readonly<Record<string, Open>> = {
  r: openRun,
  p: (flow) => {
    Object.assign(flow, { label: '', style: '', place: {} });
  },
  pPr: openRun,
  pStyle: (flow, attributes) => {
    flow.style = attributeOf(attributes, 'val') ?? '';
  },
  numId: (flow, attributes) => {
    flow.place.list = attributeOf(attributes, 'val');
  },
  ilvl: (flow, attributes) => {
    flow.place.level = Number(attributeOf(attributes, 'val') ?? 0);
  },
  rPr: (flow, attributes) =>
    changeRun(flow, (run) => {
      run.isRaised = Number(attributes.baseline ?? 0) > 0;
    }),
  vertAlign: (flow, attributes) =>
    changeRun(flow, (run) => {
      run.isRaised = attributeOf(attributes, 'val') === 'superscript';
    }),
  vanish: (flow, attributes) =>
    changeRun(flow, (run) => {
      run.isHidden = isOn(attributes);
    }),
  hlinkClick: (flow, attributes) =>
    changeRun(flow, (run) => {
      run.address = outsideAddress(flow, attributes);
    }),
  hyperlink: (flow, attributes) => openLink(flow, outsideAddress(flow, attributes)),
  fldSimple: (flow, attributes) => openLink(flow, FIELD.exec(attributeOf(attributes, 'instr') ?? '')?.[1] ?? ''),
  fldChar: changeField,
  instrText: (flow) => {
    flow.isCode = true;
  },
  tc: (flow) => {
    flow.cells += 1;
  },
  br: breakLine,
  cr: breakLine,
  tab: (flow) => emit(flow, '\t'),
  ptab: (flow) => emit(flow, '\t'),
  noBreakHyphen: (flow) => emit(flow, '-'),
  sym: addSymbol,
  txbxContent: newLine,
  // Words that are drawn along a line, such as a watermark.
  textpath: (flow, attributes) => emit(flow, `${attributeOf(attributes, 'string') ?? ''} `),
  docPr: describe,
  cNvPr: describe,
  footnoteReference: refer('footnote'),
  endnoteReference: refer('endnote'),
  footnote: openNote('footnote'),
  endnote: openNote('endnote'),
  comment: openComment,
  cm: openComment,
  checkBox: openBox,
  ddList: openBox,
  default: setBox,
  checked: setBox,
  result: (flow, attributes) => {
    if (flow.box !== undefined) flow.box.result = Number(attributeOf(attributes, 'val'));
  },
  listEntry: (flow, attributes) => void flow.box?.entries.push(attributeOf(attributes, 'val') ?? ''),
  oMath: (flow) => {
    flow.math += 1;
  },
  chr: (flow, attributes) => {
    if (flow.math > 0) emit(flow, attributeOf(attributes, 'val') ?? '');
  },
  AlternateContent: (flow) => void flow.forms.push(flow.seen),
};

export const CLOSES: Readonly<Record<string, (flow: Flow) => void>> = {
  r: (flow) => void flow.runs.pop(),
  pPr: (flow) => {
    flow.runs.pop();
    flow.label = flow.numberParagraph?.(flow.style, flow.place) ?? '';
  },
  hyperlink: (flow) => tellAddress(flow, flow.links.pop()),
  fldSimple: (flow) => tellAddress(flow, flow.links.pop()),
  instrText: (flow) => {
    flow.isCode = false;
  },
  p: (flow) => {
    tellRunLink(flow);
    // Nothing is left of a paragraph that was moved or deleted whole.
    if (!flow.hasSkipped || !flow.isLineStart) breakLine(flow);
    flow.hasSkipped = false;
  },
  tc: (flow) => {
    flow.cells -= 1;
    emit(flow, flow.cells > 0 ? ' ' : '\t');
  },
  tr: breakLine,
  cm: newLine,
  checkBox: (flow) => {
    emit(flow, flow.box?.isChecked === true ? '[x]' : '[ ]');
    flow.box = undefined;
  },
  ddList: (flow) => {
    emit(flow, flow.box?.entries[flow.box.result] ?? '');
    flow.box = undefined;
  },
  oMath: (flow) => {
    flow.math -= 1;
  },
  AlternateContent: (flow) => void flow.forms.pop(),
};

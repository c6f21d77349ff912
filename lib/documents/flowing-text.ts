/**
 * The text of a DOCX or PPTX part, paragraph by paragraph, as its reader sees it: without what
 * tracked changes deleted, each form of a thing once, and with what stands in no text: addresses
 * behind words, ticked boxes, numbers of notes, a mark of what is hidden. Pure.
 */
import type { Reading } from './collect-text.ts';
import type { ListPlace, NumberParagraph } from './list-numbers.ts';
import type { Relation } from './relations.ts';
import { symbolOf } from './symbols.ts';
import { type Attributes, attributeOf, isOn, relationOf, walkXml } from './walk-xml.ts';

export interface FlowingOptions {
  readonly relations?: ReadonlyMap<string, Relation>;
  /** Elements whose text counts; `t` unless set. */
  readonly textIn?: readonly string[];
  /** Names of people, by the id that a comment has of its author. */
  readonly authors?: ReadonlyMap<string, string>;
  /** Numbers of notes by kind and id, as the text refers to them, and by kind the last. */
  readonly notes?: Map<string, number>;
  readonly numberParagraph?: NumberParagraph;
}

/** Elements whose text is none, or is not there any more, and how they are named if they have some. */
const SKIPPED: Readonly<Record<string, string>> = {
  del: 'deleted text',
  moveFrom: '',
  rt: 'phonetic guide',
  rPrChange: '',
  pPrChange: '',
  tabs: '',
  tabLst: '',
};
/** What is left out, by the element that shows it. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  pic: 'picture',
  imagedata: 'picture',
  chart: 'chart',
  OLEObject: 'embedded file',
  oleObj: 'embedded file',
  altChunk: 'embedded document',
  videoFile: 'recording',
  audioFile: 'recording',
};
/** A formula is written in one line. */
const MATH_OPENS: Readonly<Record<string, string>> = { num: '(', den: '/(', sup: '^', sub: '_', rad: '√' };
const MATH_CLOSES: Readonly<Record<string, string>> = { num: ')', den: ')' };
/** The address in the code of a field. */
const FIELD = /^\s*HYPERLINK\s+"([^"]+)"/;
const NUMERIC = /^[\d+\u2212\u2013-]/;

/** Words with properties of their own: a run, or the mark of a paragraph's end. */
interface Run {
  isRaised: boolean;
  isHidden: boolean;
  address: string;
}

/** Words behind which an address stands; '' for none. */
interface Link {
  address: string;
  words: string;
}

/** A walk through one part. */
interface Flow extends FlowingOptions {
  readonly reading: Reading;
  readonly runs: Run[];
  readonly links: Link[];
  /** Fields under way; of one that shows something the link is open. */
  readonly fields: { code: string; isShown: boolean }[];
  /** Of each thing with several forms: what was read before it, and before the form under way. */
  readonly forms: { readonly before: number; form: number }[];
  /** Addresses behind runs come behind the last run that has them. */
  readonly runLink: Link;
  /** Pieces that were read or left out. */
  seen: number;
  isLineStart: boolean;
  words: number;
  cells: number;
  math: number;
  isCode: boolean;
  /** The paragraph had words that are not there any more. */
  hasSkipped: boolean;
  /** Stands before the next words. */
  mark: string;
  /** Of the paragraph under way; its label stands before its words. */
  label: string;
  style: string;
  place: ListPlace;
  drawing: string;
  box: { isChecked: boolean; entries: string[]; result: number } | undefined;
}

const emit = (flow: Flow, text: string): void => {
  flow.reading.add(text);
  flow.seen += 1;
  flow.isLineStart = text.endsWith('\n');
  const link = flow.links.at(-1);
  if (link !== undefined && link.words.length <= link.address.length) link.words += text;
};

const newLine = (flow: Flow): void => {
  if (!flow.isLineStart) emit(flow, '\n');
};

const bare = (address: string): string => address.replace(/^(?:mailto|tel):/, '').replace(/\/$/, '');

/** The address, unless the words are it. */
const tellAddress = (flow: Flow, link: Link | undefined): void => {
  if (link !== undefined && link.address !== '' && bare(link.address) !== bare(link.words.trim()))
    emit(flow, ` [${link.address}]`);
};

const tellRunLink = (flow: Flow): void => {
  const link = { ...flow.runLink };
  flow.runLink.address = '';
  flow.runLink.words = '';
  tellAddress(flow, link);
};

const outsideAddress = ({ relations }: Flow, attributes: Attributes): string => {
  const relation = relations?.get(relationOf(attributes));
  return relation?.isOutside === true ? relation.target : '';
};

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

const changeRun = (flow: Flow, change: (run: Run) => void): void => {
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
const OPENS: Readonly<Record<string, Open>> = {
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
  AlternateContent: (flow) => void flow.forms.push({ before: flow.seen, form: flow.seen }),
};

const CLOSES: Readonly<Record<string, (flow: Flow) => void>> = {
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

const addWords = (flow: Flow, text: string): void => {
  const run = flow.runs.at(-1);
  if (flow.runLink.address !== '' && run?.address !== flow.runLink.address) tellRunLink(flow);
  const before = `${flow.mark}${flow.label === '' ? '' : `${flow.label} `}`;
  if (before !== '') emit(flow, before);
  Object.assign(flow, { mark: '', label: '' });
  if (run !== undefined && run.address !== '') {
    flow.runLink.address = run.address;
    flow.runLink.words += text;
  }
  const words = run?.isRaised === true && NUMERIC.test(text) ? `^${text}` : text;
  emit(flow, run?.isHidden === true ? `[hidden: ${words}]` : words);
};

const addCode = ({ fields }: Flow, text: string): void => {
  const field = fields.at(-1);
  if (field !== undefined) field.code += text;
};

/** Whether nothing in the element counts: by its name, or because another form of it was read. */
const isSkipped = ({ forms, seen }: Flow, name: string, attributes: Attributes): boolean => {
  if (Object.hasOwn(SKIPPED, name)) return true;
  if (name === 'fld') return attributes.type === 'slidenum';
  const form = forms.at(-1);
  if (form === undefined || (name !== 'Choice' && name !== 'Fallback')) return false;
  form.form = seen;
  return seen > form.before;
};

const buildFlow = (reading: Reading, options: FlowingOptions): Flow => ({
  ...options,
  reading,
  runs: [],
  links: [],
  fields: [],
  forms: [],
  runLink: { address: '', words: '' },
  seen: 0,
  isLineStart: true,
  words: 0,
  cells: 0,
  math: 0,
  isCode: false,
  hasSkipped: false,
  mark: '',
  label: '',
  style: '',
  place: {},
  drawing: '',
  box: undefined,
});

/** @returns false if the end of the part is missing */
export const addFlowingText = (xml: string, reading: Reading, options: FlowingOptions = {}): boolean => {
  const flow = buildFlow(reading, options);
  const { textIn = ['t'] } = options;
  /** Levels below what is skipped. */
  let [depth, noun, hasWords] = [0, '', false];
  const isWhole = walkXml(xml, {
    open: (name, attributes) => {
      if (depth > 0 || isSkipped(flow, name, attributes)) {
        if (depth === 0) [noun, hasWords] = [SKIPPED[name] ?? '', false];
        depth += 1;
        return;
      }
      if (textIn.includes(name)) flow.words += 1;
      if (Object.hasOwn(OPENS, name)) OPENS[name]?.(flow, attributes);
      if (flow.math > 0 && Object.hasOwn(MATH_OPENS, name)) emit(flow, MATH_OPENS[name] ?? '');
      if (!Object.hasOwn(LEFT_OUT, name)) return;
      flow.seen += 1;
      reading.leaveOut(LEFT_OUT[name] ?? '');
    },
    close: (name) => {
      if (depth > 0) {
        depth -= 1;
        if (depth > 0 || !hasWords) return;
        flow.hasSkipped = true;
        if (noun !== '') reading.leaveOut(noun);
        return;
      }
      if (textIn.includes(name)) flow.words -= 1;
      if (flow.math > 0 && Object.hasOwn(MATH_CLOSES, name)) emit(flow, MATH_CLOSES[name] ?? '');
      if (Object.hasOwn(CLOSES, name)) CLOSES[name]?.(flow);
    },
    text: (text) => {
      if (depth > 0) hasWords ||= text.trim() !== '';
      else if (flow.isCode) addCode(flow, text);
      else if (flow.words > 0) addWords(flow, text);
    },
  });
  tellRunLink(flow);
  return isWhole;
};

/**
 * The text of a DOCX or PPTX part, paragraph by paragraph, as its reader sees it: without what
 * tracked changes deleted, each form of a thing once, and with what stands in no text: addresses
 * behind words, ticked boxes, numbers of notes, a mark of what is hidden. Pure.
 */
import type { TextReading } from './collect-text.ts';
import { buildFlow, emit, type Flow, type FlowingOptions, tellRunLink } from './flow.ts';
import { CLOSES, OPENS } from './flow-elements.ts';
import { type Attributes, walkXml } from './walk-xml.ts';

/** Elements whose text does not count, and the name of it if it is told. */
const SKIPPED: Readonly<Record<string, string>> = {
  del: 'deleted text',
  moveFrom: '',
  rt: 'phonetic guide',
  rPrChange: '',
  pPrChange: '',
  tabs: '',
  tabLst: '',
};
/** Names of what is left out, by the element that shows it. */
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
const NUMERIC = /^[\d+\u2212\u2013-]/;

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

/** A parser gives the words of an element in pieces. */
const closeWords = (flow: Flow): void => {
  flow.words -= 1;
  if (flow.text !== '') addWords(flow, flow.text);
  flow.text = '';
};

const addCode = ({ fields }: Flow, text: string): void => {
  const field = fields.at(-1);
  if (field !== undefined) field.code += text;
};

/** Whether nothing in the element counts: by its name, or because another form of it was read. */
const isSkipped = ({ forms, seen }: Flow, name: string, attributes: Attributes): boolean => {
  if (Object.hasOwn(SKIPPED, name)) return true;
  if (name === 'fld') return attributes.type === 'slidenum';
  return (name === 'Choice' || name === 'Fallback') && seen > (forms.at(-1) ?? seen);
};

/** @returns false if the end of the part is missing */
export const addFlowingText = (xml: string, reading: TextReading, options: FlowingOptions = {}): boolean => {
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
      if (textIn.includes(name)) closeWords(flow);
      if (flow.math > 0 && Object.hasOwn(MATH_CLOSES, name)) emit(flow, MATH_CLOSES[name] ?? '');
      if (Object.hasOwn(CLOSES, name)) CLOSES[name]?.(flow);
    },
    text: (text) => {
      if (depth > 0) hasWords ||= text.trim() !== '';
      else if (flow.isCode) addCode(flow, text);
      else if (flow.words > 0) flow.text += text;
    },
  });
  tellRunLink(flow);
  return isWhole;
};

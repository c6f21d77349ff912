/** The state of a walk through a part of a DOCX or PPTX file, and how it writes. */
import type { TextReading } from './collect-text.ts';
import type { ListPlace, NumberParagraph } from './list-numbers.ts';
import type { Relation } from './relations.ts';
import { type Attributes, relationOf } from './walk-xml.ts';

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

/** Words with properties of their own: a run, or the mark of a paragraph's end. */
export interface TextRun {
  isRaised: boolean;
  isHidden: boolean;
  address: string;
}

/** Words behind which an address stands; '' for none. */
export interface Link {
  address: string;
  words: string;
}

/** A walk through one part. */
export interface Flow extends FlowingOptions {
  readonly reading: TextReading;
  readonly runs: TextRun[];
  readonly links: Link[];
  /** Fields under way; of one that shows something the link is open. */
  readonly fields: { code: string; isShown: boolean }[];
  /** How much was read before each thing that has several forms. */
  readonly forms: number[];
  /** Addresses behind runs come behind the last run that has them. */
  readonly runLink: Link;
  /** Pieces that were read or left out. */
  seen: number;
  isLineStart: boolean;
  /** Elements with words that are open, and their words. */
  words: number;
  text: string;
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

export const buildFlow = (reading: TextReading, options: FlowingOptions): Flow => ({
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
  text: '',
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

export const emit = (flow: Flow, text: string): void => {
  flow.reading.add(text);
  flow.seen += 1;
  flow.isLineStart = text.endsWith('\n');
  const link = flow.links.at(-1);
  if (link !== undefined && link.words.length <= link.address.length) link.words += text;
};

export const newLine = (flow: Flow): void => {
  if (!flow.isLineStart) emit(flow, '\n');
};

const bare = (address: string): string => address.replace(/^(?:mailto|tel):/, '').replace(/\/$/, '');

/** The address, unless the words are it. */
export const tellAddress = (flow: Flow, link: Link | undefined): void => {
  if (link !== undefined && link.address !== '' && bare(link.address) !== bare(link.words.trim()))
    emit(flow, ` [${link.address}]`);
};

export const tellRunLink = (flow: Flow): void => {
  const link = { ...flow.runLink };
  flow.runLink.address = '';
  flow.runLink.words = '';
  tellAddress(flow, link);
};

export const outsideAddress = ({ relations }: Flow, attributes: Attributes): string => {
  const relation = relations?.get(relationOf(attributes));
  return relation?.isOutside === true ? relation.target : '';
};

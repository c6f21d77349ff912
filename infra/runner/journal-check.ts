/**
 * Compares a machine's own journal with the records of runners in a verified export. A line that a
 * crash cut off is counted; one of another form ends the comparison.
 */

import { readJson } from '../../lib/core/base/json.ts';
import type { FixedEffect } from '../../lib/core/evidence/record-hash.ts';
import { readFields, readText } from '../../lib/core/evidence/verifier/fields.ts';
import { readFixed } from '../../lib/core/evidence/verifier/record-forms.ts';
import { compareJournal, type LoggedRunners } from '../../lib/features/runner/compare-journal.ts';
import { JOURNAL_LINE_CHARS_MAX, JournalLine, lineHash } from '../../lib/features/runner/journal-line.ts';
import type { ExportCheck } from '../cli/evidence/export-check.ts';
import { CliError, countOf, EXIT, printable, type Terminal } from '../cli/terminal.ts';

const ACTUATOR = 'runner';

/** A person said how it ended, or had it tried again: then no result of the machine is missing. */
const stateOf = ({ state, resolution, tries }: FixedEffect): string => {
  const isLaterTry = tries > 1 && (state === 'failed' || state === 'refused');
  return resolution !== undefined || isLaterTry ? 'unknown' : state;
};

const addRecord = (logged: LoggedRunners, text: string): void => {
  const line = readFields(JSON.parse(text)) ?? {};
  const found = readFixed(readText(line, 'kind') ?? '', readFields(line.fixed) ?? {});
  const id = readText(line, 'id') ?? '';
  if (found?.kind === 'runner-job') logged.jobs.set(id, found.record);
  if (found?.kind === 'runner-receipt') logged.receipts.set(id, found.record);
  if (found?.kind === 'runner-result') logged.results.set(id, found.record);
  if (found?.kind === 'effect' && found.record.actuator === ACTUATOR) logged.states.set(id, stateOf(found.record));
};

/** @param lines of an export that is verified */
const readLogged = async (lines: AsyncIterable<string>): Promise<LoggedRunners> => {
  const logged: LoggedRunners = { jobs: new Map(), receipts: new Map(), results: new Map(), states: new Map() };
  for await (const text of lines) if (text.startsWith('{"type":"record"')) addRecord(logged, text);
  return logged;
};

interface ReadJournal {
  readonly lines: readonly JournalLine[];
  /** Lines that are no JSON: a crash cut them off. */
  readonly cutOff: number;
  /** Lines of earlier releases, which do not name the line before. */
  readonly unchained: number;
  /** One sentence for each line that does not follow the one before. */
  readonly breaks: readonly string[];
}

/** @throws CliError if a line is of another form, or the machine has not done anything yet */
const readJournal = async (texts: AsyncIterable<string>): Promise<ReadJournal> => {
  const [lines, breaks]: [JournalLine[], string[]] = [[], []];
  let [number, cutOff, unchained] = [0, 0, 0];
  let last = '';
  for await (const text of texts) {
    number += 1;
    if (text === '') continue;
    const value = text.length > JOURNAL_LINE_CHARS_MAX ? {} : readJson(text);
    const parsed = JournalLine.safeParse(value);
    if (parsed.success) {
      const { before } = parsed.data;
      lines.push(parsed.data);
      if (before === undefined && unchained === lines.length - 1) unchained += 1;
      else if (before !== lineHash(last))
        breaks.push(
          `line ${number} of the journal does not follow the one before: a line was changed, removed or added`,
        );
      last = text;
    } else if (value === undefined) cutOff += 1;
    else throw new CliError(EXIT.usage, `line ${number} is no line of a runner's journal`, 'give its journal.jsonl');
  }
  if (lines.every(({ kind }) => kind === 'job'))
    throw new CliError(
      EXIT.unproven,
      'nothing in this journal is signed by its machine',
      'there is nothing to compare',
    );
  return { lines, cutOff, unchained, breaks };
};

/** @param newestAt time of the export's newest leaf */
export const compareWithJournal = async (
  exported: AsyncIterable<string>,
  journal: AsyncIterable<string>,
  newestAt: number,
) => {
  const { lines, cutOff, unchained, breaks } = await readJournal(journal);
  const compared = compareJournal(await readLogged(exported), lines, newestAt);
  return { ...compared, differences: [...breaks, ...compared.differences], cutOff, unchained };
};

type JournalFound = Awaited<ReturnType<typeof compareWithJournal>>;

const journalLines = (terminal: Terminal, found: JournalFound): readonly string[] => {
  const { differences, unsure, agreeing, newer, ofOthers, cutOff, unchained } = found;
  const remarks: readonly (readonly [number, string])[] = [
    [newer, `${countOf(newer, 'result')} newer than the export`],
    [ofOthers, `${countOf(ofOthers, 'job')} of other machines`],
    [cutOff, `${countOf(cutOff, 'line')} cut off by a crash`],
    [unchained, `${countOf(unchained, 'line')} not chained, by an earlier release`],
  ];
  const rest = remarks.flatMap(([count, text]) => (count > 0 ? [text] : []));
  return [
    ...differences.map((text) => terminal.paint('red', `DIFFERENT: ${terminal.say(printable(text))}`)),
    ...unsure.map((text) => terminal.paint('yellow', `  ${printable(text)}`)),
    `  the machine's journal: ${[`${countOf(agreeing, 'result')} as the log has them`, ...rest].join(', ')}`,
  ];
};

export const journalCheck: ExportCheck = {
  option: 'runner',
  help: "a machine's own journal.jsonl, to compare",
  member: 'journal',
  compare: async ({ terminal }, ...given) => {
    const data = await compareWithJournal(...given);
    return { data, isDifferent: data.differences.length > 0, lines: journalLines(terminal, data) };
  },
};

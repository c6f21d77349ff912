/**
 * How often a person is asked, and how fast the yes comes. Whoever says yes within three seconds
 * has hardly read the card: many of these are a sign of fatigue, told once a week. All of it is
 * counted from the approvals as they are stored. Calls approved by one answer are one question.
 */
import { DAY_MS, SECOND_MS } from '../base/limits.ts';
import { mcpTargetOf } from '../signal/mcp-name.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import { readOrSkip } from '../store/parse-stored.ts';
import type { Table } from '../store/table.ts';
import { type Approval, parseApproval } from './approval.ts';
import { isQuestion, similarProblem } from './similar.ts';

export const ANSWERS_WINDOW_MS = 7 * DAY_MS;

/** Nobody reads a card with an exact action in less. */
const QUICK_YES_MS = 3 * SECOND_MS;
/** Fewer a week are no sign: one or two a day are of cards that the person was waiting for. */
export const QUICK_YESES_MIN = 10;

/** Approvals of a week that are read: some hundred a day. */
const APPROVALS_READ_MAX = 1_000;
const APPROVALS_AT_ONCE = 100;

/** Grants that fit such calls: for reads of a server, for similar ones, or none. */
export type Grantable = 'reads' | 'similar' | 'nothing';

export interface AnswersRow {
  /** The tool; a text to a person has none. */
  readonly tool: string | undefined;
  /** The person who decided; undefined if nobody did. */
  readonly decider: string | undefined;
  readonly asked: number;
  readonly yes: number;
  readonly quick: number;
  readonly grantable: Grantable;
}

export const toolOf = ({ tool }: Pick<AnswersRow, 'tool'>): string => tool ?? 'send-message';

export interface Answers {
  readonly asked: number;
  readonly yes: number;
  /** Within three seconds. */
  readonly quick: number;
  /** The most quick ones first. */
  readonly rows: readonly AnswersRow[];
}

const isYes = ({ state, endedBecause }: Approval): boolean =>
  state === 'approved' || state === 'spent' || endedBecause === 'refused';

const grantableOf = (approval: Approval): Grantable => {
  if (mcpTargetOf(approval.action.tool) !== undefined) return 'reads';
  return similarProblem(approval) === '' ? 'similar' : 'nothing';
};

/** A card that waited alone, or all that one answer decided. */
const rowOfQuestion = (decided: readonly Approval[]): AnswersRow | undefined => {
  const [first] = decided.toSorted((a, b) => a.createdAt - b.createdAt);
  if (first === undefined) return undefined;
  const { action, decider, decidedAt = Number.POSITIVE_INFINITY, createdAt } = first;
  const yes = decider !== undefined && isYes(first) ? 1 : 0;
  const quick = yes === 1 && decidedAt - createdAt <= QUICK_YES_MS ? 1 : 0;
  return { tool: action.tool, decider, asked: 1, yes, quick, grantable: grantableOf(first) };
};

const sumOf = (rows: readonly AnswersRow[], name: 'asked' | 'yes' | 'quick'): number =>
  rows.reduce((sum, row) => sum + row[name], 0);

/** Not of what a person typed, and not of steps that are questions: nobody is spared these. */
export const countAnswers = (approvals: readonly Approval[]): Answers => {
  const asked = approvals.filter(({ action }) => action.author === 'model' && !isQuestion(action));
  const answers = Map.groupBy(asked, ({ id, decider, decidedBy }) => (decider === undefined ? id : (decidedBy ?? id)));
  const questions = [...answers.values()].flatMap((decided) => rowOfQuestion(decided) ?? []);
  const rows = [...Map.groupBy(questions, ({ tool, decider }) => JSON.stringify([tool, decider])).values()].flatMap(
    (alike) => {
      const [first] = alike;
      const sums = { asked: sumOf(alike, 'asked'), yes: sumOf(alike, 'yes'), quick: sumOf(alike, 'quick') };
      return first === undefined ? [] : [{ ...first, ...sums }];
    },
  );
  return {
    ...{ asked: questions.length, yes: sumOf(questions, 'yes'), quick: sumOf(questions, 'quick') },
    rows: rows.toSorted((a, b) => b.quick - a.quick || b.asked - a.asked),
  };
};

/** The approvals asked for since a moment, the newest ones. */
export const loadAsked = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  since: number,
): Promise<readonly Approval[]> => {
  const found: Approval[] = [];
  const partition = indexPartitions.approvalFeed(space);
  let cursor: string | undefined;
  for (let read = 0; read < APPROVALS_READ_MAX; read += APPROVALS_AT_ONCE) {
    const query = { index: 'feed', partition, isDescending: true, limit: APPROVALS_AT_ONCE, cursor } as const;
    const page = await loadIndexed(table, query);
    const approvals = page.items.flatMap((item) => readOrSkip(item, (one) => parseApproval(String(one.id), one)) ?? []);
    found.push(...approvals.filter(({ createdAt }) => createdAt >= since));
    cursor = page.cursor;
    if (cursor === undefined || approvals.some(({ createdAt }) => createdAt < since)) break;
  }
  return found;
};

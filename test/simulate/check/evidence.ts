/**
 * The evidence export as the checker reads it: leaves, checkpoints, gate sets and records, each by
 * its id. It believes nothing: `log.ts` checks that the records are those of the signed log, and
 * the rules compare them with what was seen outside.
 */
import { type Fields, fieldsOf, listOf, numberOf, parseJson, textOf } from './json.ts';

export interface JudgedAction {
  readonly hash: string;
  readonly outcome: string;
  readonly trace: readonly unknown[];
  readonly factsHash: string;
  /** Undefined where the export withholds a card. */
  readonly action: Fields | undefined;
  readonly facts: readonly unknown[];
}

export interface Decision {
  readonly id: string;
  readonly at: number;
  /** When somebody last said what may be done: the last attempt, if a model was asked. */
  readonly consentedAt: number;
  readonly outcome: string;
  readonly reason: string;
  readonly gateSet: string;
  readonly attemptCount: number;
  readonly attempts: readonly Fields[];
  readonly actions: readonly JudgedAction[];
  readonly leaf: number;
}

export interface Effect {
  /** `<signal>#<n>` */
  readonly id: string;
  readonly signalId: string;
  readonly n: number;
  readonly state: string;
  readonly fixed: Fields;
  readonly facts: readonly unknown[];
  readonly output: string;
  readonly claimedAt: number;
  readonly settledAt: number;
  readonly leaf: number;
  /** The action that its decision has in this place. */
  readonly judged: JudgedAction | undefined;
}

export interface RecordLine {
  readonly kind: string;
  readonly id: string;
  readonly fixed: Fields;
  readonly content: Fields;
  readonly leaf: number;
}

export interface Evidence {
  readonly header: Fields;
  readonly leaves: readonly string[];
  readonly checkpoints: readonly string[];
  /** Names of the gates by version; undefined if the content does not hash to it. */
  readonly gateSets: ReadonlyMap<string, Fields>;
  readonly records: readonly RecordLine[];
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly effects: ReadonlyMap<string, Effect>;
  /** By reference, which is a hash of the approval's id. */
  readonly approvals: ReadonlyMap<string, Fields>;
  readonly commits: readonly Fields[];
  readonly hasEnd: boolean;
}

const readJudged = (fixed: unknown, content: unknown): JudgedAction => {
  const { hash, outcome, trace, facts } = fieldsOf(fixed);
  const shown = fieldsOf(content);
  return {
    hash: textOf(hash),
    outcome: textOf(outcome),
    trace: listOf(trace),
    factsHash: textOf(facts),
    action: shown.action === undefined ? undefined : fieldsOf(shown.action),
    facts: listOf(shown.facts),
  };
};

const readDecision = ({ id, fixed, content, leaf }: RecordLine): Decision => {
  const attempts = listOf(fixed.attempts).map(fieldsOf);
  const actions = listOf(content.actions);
  return {
    id,
    at: numberOf(fixed.at),
    consentedAt: numberOf(attempts.at(-1)?.at ?? fixed.at),
    outcome: textOf(fixed.outcome),
    reason: textOf(fixed.reason),
    gateSet: textOf(fixed.gateSet),
    attemptCount: numberOf(fixed.attemptCount),
    attempts,
    actions: listOf(fixed.actions).map((judged, n) => readJudged(judged, actions[n])),
    leaf,
  };
};

const readEffect = ({ id, fixed, content, leaf }: RecordLine, decisions: ReadonlyMap<string, Decision>): Effect => {
  const [signalId, n] = [textOf(fixed.signalId), numberOf(fixed.n)];
  return {
    id,
    signalId,
    n,
    state: textOf(fixed.state),
    fixed,
    facts: listOf(content.facts),
    output: textOf(content.output),
    claimedAt: numberOf(fixed.claimedAt),
    settledAt: numberOf(fixed.settledAt),
    leaf,
    judged: decisions.get(signalId)?.actions[n],
  };
};

export const readEvidence = (exported: string): Evidence => {
  const leaves: string[] = [];
  const checkpoints: string[] = [];
  const gateSets = new Map<string, Fields>();
  const records: RecordLine[] = [];
  let [header, hasEnd]: [Fields, boolean] = [{}, false];
  for (const text of exported.split('\n')) {
    if (text === '') continue;
    const line = fieldsOf(parseJson(text));
    if (line.type === 'header') header = line;
    if (line.type === 'gate-set') gateSets.set(textOf(line.version), fieldsOf(line.content));
    if (line.type === 'leaf') leaves.push(textOf(line.leaf));
    if (line.type === 'checkpoint') checkpoints.push(textOf(line.note));
    if (line.type === 'end') hasEnd = true;
    if (line.type !== 'record') continue;
    const leaf = typeof line.leaf === 'number' ? line.leaf : -1;
    const [fixed, content] = [fieldsOf(line.fixed), fieldsOf(line.content)];
    records.push({ kind: textOf(line.kind), id: textOf(line.id), fixed, content, leaf });
  }
  const decisions = new Map<string, Decision>();
  const effects = new Map<string, Effect>();
  const approvals = new Map<string, Fields>();
  const commits: Fields[] = [];
  for (const record of records) {
    if (record.kind === 'decision') decisions.set(record.id, readDecision(record));
    if (record.kind === 'approval') approvals.set(record.id, record.fixed);
    if (record.kind === 'commit') commits.push(record.fixed);
  }
  for (const record of records) if (record.kind === 'effect') effects.set(record.id, readEffect(record, decisions));
  return { header, leaves, checkpoints, gateSets, records, decisions, effects, approvals, commits, hasEnd };
};

/** A gate that passed without a word stands in a trace by its name alone. */
export const gateOf = (entry: unknown): string => (typeof entry === 'string' ? entry : textOf(fieldsOf(entry).gate));

export const verdictOf = (entry: unknown): string =>
  typeof entry === 'string' ? 'pass' : textOf(fieldsOf(entry).verdict);

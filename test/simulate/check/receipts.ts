/**
 * Receipts of actions, as a stranger checks them who has the log's key: each record is the one that
 * its leaf holds, the log that the checkpoint signs holds the leaf, and all are about one action.
 */
import { canonicalText, type Fields, fieldsOf, hashOf, listOf, numberOf, parseJson, textOf } from './json.ts';
import { hashLeaf, hashNode, isSigned } from './log.ts';
import type { Rule, Run } from './run.ts';

/** The root, in base64, that a proof leads to from the leaf with this index (RFC 9162, 2.1.3.2). */
export const rootFrom = (leaf: string, index: number, size: number, proof: readonly Buffer[]): string => {
  let [at, last, root] = [index, size - 1, hashLeaf(leaf)];
  for (const step of proof) {
    if (last === 0) return 'a proof that is too long';
    const isRight = at % 2 === 1 || at === last;
    root = isRight ? hashNode(step, root) : hashNode(root, step);
    // A last node without a sibling moves up as it is.
    for (; isRight && at % 2 === 0 && at !== 0; at /= 2) last = Math.floor(last / 2);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root.toString('base64') : 'a proof that is too short';
};

/** The records that the log has of one action, by kind and id. */
const recordsOf = ({ evidence }: Run, id: string): ReadonlyMap<string, Fields> => {
  const effect = evidence.effects.get(id);
  const approval = textOf(effect?.fixed.approval);
  const wanted = [`decision ${effect?.signalId}`, `effect ${id}`, `approval ${approval}`];
  return new Map(
    evidence.records
      .filter(({ kind, id: own }) => wanted.includes(`${kind} ${own}`))
      .map(({ kind, fixed }) => [kind, fixed]),
  );
};

const checkRecord = (line: Fields, fixed: Fields | undefined, [, digits, root]: readonly string[]): boolean => {
  const leaf = fieldsOf(parseJson(textOf(line.leaf)));
  const proof = listOf(line.proof).map((step) => Buffer.from(textOf(step), 'base64'));
  return (
    fixed !== undefined &&
    line.record === canonicalText(fixed) &&
    leaf.kind === line.kind &&
    leaf.hash === hashOf(`${textOf(line.kind)}-record`, fixed) &&
    rootFrom(textOf(line.leaf), numberOf(line.index), Number(digits), proof) === root
  );
};

const checkReceipt = (run: Run, id: string, receipt: Fields, isHidden: boolean): readonly string[] => {
  const { observed, evidence } = run;
  const [records, note] = [recordsOf(run, id), textOf(receipt.checkpoint)];
  const lines = listOf(receipt.records).map(fieldsOf);
  const effect = evidence.effects.get(id);
  const shown = receipt.action === undefined ? undefined : parseJson(textOf(receipt.action));
  // The export withholds the same.
  const isToShow = effect?.judged?.action !== undefined && !isHidden;
  return [
    ...(isSigned(note, observed.publicKey) && receipt.key === observed.publicKey
      ? []
      : [`the receipt of ${id} is not signed by the key of the log`]),
    ...(lines.length === records.size ? [] : [`the receipt of ${id} has ${lines.length} of ${records.size} records`]),
    ...lines
      .filter((line) => !checkRecord(line, records.get(textOf(line.kind)), note.split('\n')))
      .map(({ kind }) => `the receipt of ${id} does not prove its ${textOf(kind)}`),
    ...((shown !== undefined) === isToShow &&
    (shown === undefined || hashOf('action', shown) === effect?.fixed.actionHash)
      ? []
      : [`the receipt of ${id} ${isToShow ? 'shows another action' : 'shows an action that it should not'}`]),
  ];
};

export const receipts: Rule = {
  name: 'receipts',
  promise: 'The receipt of an action proves to a stranger what was decided, who approved it and how it ended.',
  check: (run) =>
    (run.observed.receipts ?? []).flatMap(({ id, receipt, isHidden }) =>
      receipt === undefined
        ? [`the log has ${id}, and gives no receipt of it`]
        : checkReceipt(run, id, fieldsOf(receipt), isHidden),
    ),
};

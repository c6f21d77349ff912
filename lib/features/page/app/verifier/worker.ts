/**
 * Verifies evidence in a worker, so that the page goes on: a file that a person has, or what the
 * log of this server holds. The same verifier as on the command line; only hashes, signatures and
 * bytes are done by `node-crypto.ts` and `buffer.ts` beside it.
 */
import { EXPORT_LINE_CHARS_MAX } from '../../../../core/evidence/limits.ts';
import type { Wrong } from '../../../../core/evidence/verifier/fields.ts';
import { EXPORT_FORMAT, type VerifyResult, verifyExport } from '../../../../core/evidence/verifier/verify-export.ts';
import { RECEIPT_TYPE, type ReceiptResult, verifyReceipt } from '../../../../core/evidence/verifier/verify-receipt.ts';
import { buildSpeaker, type SentencePair } from '../../../../core/language/sentence-speaker.ts';
import { collectExport } from '../../../../core/log/collect-export.ts';
import { buildExportLines } from '../../../../core/log/export-lines.ts';
import { receiptLines } from '../../../../core/log/receipt-lines.ts';
import { VERIFIER_KNOWLEDGE } from '../../../verifier-knowledge.ts';
import type { Language } from '../texts.ts';
import { buildLogSource } from './log-source.ts';

/** Bytes of a receipt, as on the command line. */
const RECEIPT_BYTES_MAX = 4 * 1024 * 1024;
/** The header of an export stands within so many of its first bytes. */
const HEAD_BYTES = 4096;
/** Lines between two reports of progress. */
const PROGRESS_LINES = 2000;
/** How long the log's writer gets to take what has just happened. */
const WAIT_MS = 8000;
const PAUSE_MS = 500;

export interface Task {
  /** Absent: what this server's log holds. */
  readonly file?: File | undefined;
  readonly token: string;
  readonly key?: string | undefined;
  /** A checkpoint that was kept. */
  readonly anchor?: string | undefined;
  /** Of the lines of the report. */
  readonly language: Language;
}

export type Report =
  | { readonly progress: string }
  | { readonly failed: string }
  /** Its beginning is neither that of an export nor that of a receipt. */
  | { readonly isOther: true }
  | { readonly receipt: ReceiptResult; readonly lines: readonly string[] }
  | {
      readonly result: VerifyResult;
      readonly problems: readonly string[];
      readonly tookMs: number;
      /** Of a log that was read: its newest key and checkpoint. */
      readonly newest?: { readonly key: string; readonly anchor: string };
    };

type Say = (text: string) => string;

interface Speaker {
  readonly say: Say;
  readonly sayKind: Say;
}

const AS_IS: Speaker = { say: (text) => text, sayKind: (kind) => kind };

/** Fetched only for a reader of German. */
const loadSpeaker = async (language: Language): Promise<Speaker> => {
  if (language === 'en') return AS_IS;
  const response = await fetch('/page/german.json', { credentials: 'omit' });
  const { sentences, parts }: Record<'sentences' | 'parts', readonly SentencePair[]> = await response.json();
  return { say: buildSpeaker(sentences, parts), sayKind: buildSpeaker(parts) };
};

/** The report in the language of its reader; hashes, ids and numbers stay. */
const inLanguage = (said: Report, { say, sayKind }: Speaker): Report => {
  const sayWrong = (wrong: Wrong): Wrong => ({ ...wrong, kind: sayKind(wrong.kind), what: say(wrong.what) });
  if ('progress' in said) return { progress: say(said.progress) };
  if ('failed' in said) return { failed: say(said.failed) };
  if ('receipt' in said) {
    const { receipt, lines } = said;
    return {
      lines: lines.map(say),
      receipt: 'wrong' in receipt ? { ...receipt, wrong: sayWrong(receipt.wrong) } : receipt,
    };
  }
  if (!('result' in said)) return said;
  const { result, problems } = said;
  return {
    ...said,
    problems: problems.map(say),
    result:
      'wrong' in result
        ? { ...result, wrong: sayWrong(result.wrong) }
        : { ...result, missing: result.missing.map(say) },
  };
};

type Tell = (said: Report) => void;

/** Lines of a file that may be larger than memory. */
async function* readLines(file: File): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > EXPORT_LINE_CHARS_MAX) break;
  }
  if (rest !== '') yield rest;
}

const verifyLines = async (
  lines: AsyncIterable<string> | Iterable<string>,
  { key, anchor }: Task,
  tell: Tell,
): Promise<VerifyResult> =>
  verifyExport(lines, {
    ...{ key, anchor, now: Date.now() },
    ...VERIFIER_KNOWLEDGE,
    onLine: (count) => count % PROGRESS_LINES === 0 && tell({ progress: `checked ${count} lines` }),
  });

const readReceipt = async (file: File): Promise<string | undefined> => {
  if (file.size > RECEIPT_BYTES_MAX) return undefined;
  const text = await file.text();
  return text.slice(0, 100).includes(`"${RECEIPT_TYPE}"`) ? text : undefined;
};

const verifyFile = async (file: File, task: Task, tell: Tell): Promise<Report> => {
  const receipt = await readReceipt(file);
  if (receipt !== undefined) {
    const found = verifyReceipt(receipt, { key: task.key });
    return { receipt: found, lines: 'wrong' in found ? [] : receiptLines(found) };
  }
  const head = await file.slice(0, HEAD_BYTES).text();
  if (!head.includes(EXPORT_FORMAT)) return { isOther: true };
  const startedAt = performance.now();
  const result = await verifyLines(readLines(file), task, tell);
  return { result, problems: [], tookMs: performance.now() - startedAt };
};

const verifyLog = async (task: Task, tell: Tell): Promise<Report> => {
  const source = buildLogSource(task.token);
  const end = Date.now() + WAIT_MS;
  const pause = async (): Promise<boolean> => {
    await source.wake();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return Date.now() < end;
  };
  for (let mayGoOn = true; mayGoOn; ) {
    const { isWaiting, problem } = await source.standing();
    mayGoOn = isWaiting && problem === undefined && (await pause());
  }
  const problems: string[] = [];
  const parts = await collectExport({
    ...{ source, gateSets: [], pause },
    onProgress: (progress) => tell({ progress: `read ${progress}` }),
    onProblem: (problem) => problems.push(problem),
  });
  const startedAt = performance.now();
  const result = await verifyLines(buildExportLines(parts), task, tell);
  const [key, anchor] = [parts.keys.at(-1), [...parts.checkpoints].at(-1)];
  const newest = key === undefined || anchor === undefined ? {} : { newest: { key, anchor } };
  return { result, problems, tookMs: performance.now() - startedAt, ...newest };
};

self.addEventListener('message', async ({ data: task }: MessageEvent<Task>) => {
  // If it does not come, the report is in English.
  const speaker = await loadSpeaker(task.language).catch(() => AS_IS);
  const tell: Tell = (said) => self.postMessage(inLanguage(said, speaker));
  const work = task.file === undefined ? verifyLog(task, tell) : verifyFile(task.file, task, tell);
  work.then(tell, (error: unknown) => tell({ failed: error instanceof Error ? error.message : String(error) }));
});

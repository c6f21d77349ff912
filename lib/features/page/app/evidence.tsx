/**
 * The evidence log, and its proof: the verifier runs in a worker of this browser, over the log of
 * this server or a file. The key and the newest checkpoint of a verified log stay in this browser,
 * so that the next time shows whether anything was cut off or written anew since.
 */
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LogStanding } from '../../../core/log/source.ts';
import { clock, duration, language, phrase } from './language.ts';
import { Button, Card, Facts, Lines, Marked } from './parts.tsx';
import { attempt, problem as failure, get, request, token } from './server.ts';
import { isNumber, isObject, readStored } from './stored.ts';
import type { Report, Task } from './verifier/worker.ts';

const KEPT = 'passepartout-evidence';

interface Kept {
  readonly key: string;
  readonly anchor: string;
  /** Leaves of the anchor. */
  readonly leaves: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

const isKept = (value: unknown): value is Kept =>
  isObject(value) &&
  [value.key, value.anchor].every((text) => typeof text === 'string') &&
  [value.leaves, value.at].every(isNumber);

const kept = signal(
  readStored(localStorage, {
    ...{ name: KEPT, isWhole: isKept },
    loss: 'lostEvidence',
  }),
);

const keep = (found: Kept | undefined): void => {
  kept.value = found;
  if (found === undefined) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, JSON.stringify(found));
};

interface ScriptUrls {
  /** A `TrustedScriptURL` where the browser has those, which a worker takes as a text. */
  readonly createScriptURL: (given: string) => string;
}

declare global {
  interface Window {
    readonly trustedTypes?: { readonly createPolicy: (name: 'verifier', rules: ScriptUrls) => ScriptUrls };
  }
}

/** No script but this one can become a worker. */
const RULES: ScriptUrls = { createScriptURL: () => '/verifier.js' };
const scriptUrls = window.trustedTypes?.createPolicy('verifier', RULES) ?? RULES;

/** The word for each status, what kind of news it is, and what it means. */
const HEADLINES = {
  verified: ['verified', 'done', 'aboutVerified'],
  consistent: ['consistent', 'waiting', 'aboutConsistent'],
  incomplete: ['incomplete', 'waiting', 'aboutIncomplete'],
  older: ['older', 'waiting', 'aboutOlder'],
  withheld: ['withheld', 'waiting', 'aboutWithheld'],
  cut: ['cut', 'failed', 'aboutCut'],
  wrong: ['wrong', 'failed', 'aboutWrong'],
} as const;

/** Lines of the verifier: what is missing, and what is wrong. */
const linesOf = (report: Report): readonly string[] => {
  if ('receipt' in report) {
    const { receipt, lines } = report;
    return 'wrong' in receipt ? [describeWrong(receipt.wrong)] : lines;
  }
  if (!('result' in report)) return [];
  const { result, problems } = report;
  return 'wrong' in result ? [describeWrong(result.wrong)] : [...result.missing, ...problems];
};

/** How much was checked. */
const sumUp = (report: Report): readonly string[] => {
  if (!('result' in report) || 'wrong' in report.result) return [];
  const { leaves, checkpoints, records, root, newestAt, mayBeOlder, uncheckedCosignatures } = report.result;
  return [
    phrase('checked')(leaves, checkpoints, records, duration(report.tookMs)),
    phrase('rootAndNewest')(root, newestAt === 0 ? undefined : clock(newestAt)),
    ...(leaves === 0 ? [] : [phrase('notCovered')(uncheckedCosignatures)]),
    ...(mayBeOlder ? [phrase('mayBeOld')] : []),
  ];
};

interface Wrong {
  readonly kind: string;
  readonly id: string;
  readonly index: number | null;
  readonly what: string;
}

const describeWrong = ({ kind, id, index, what }: Wrong): string =>
  `${kind} ${id}${index === null ? '' : ` (${phrase('leafNumber')(index)})`}: ${what}`;

const Result = ({ report }: { readonly report: Report | undefined }) => {
  if (report === undefined) return null;
  if ('progress' in report) return <p class="soft">{report.progress} …</p>;
  if ('isOther' in report) return <p class="problem">{phrase('noExport')}</p>;
  if ('failed' in report) return <p class="problem">{report.failed}</p>;
  const { status } = 'receipt' in report ? report.receipt : report.result;
  const [word, kind, meaning] = HEADLINES[status];
  return (
    <>
      <p>
        <span class={`badge ${kind}`}>{phrase(word)}</span> {phrase(meaning)}
      </p>
      <Lines lines={linesOf(report)} />
      {sumUp(report).map((line) => (
        <p key={line} class="soft">
          {line}
        </p>
      ))}
    </>
  );
};

const verifyIn = (worker: Worker, task: Task, show: (report: Report) => void): Promise<Report> =>
  new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      show(data);
      if (!('progress' in data)) resolve(data);
    };
    worker.onerror = () => resolve({ failed: phrase('noVerifier') });
    worker.postMessage(task);
  });

const Verify = ({ onVerified }: { readonly onVerified: () => void }) => {
  const report = useSignal<Report | undefined>(undefined);
  const key = useSignal(kept.value?.key ?? '');
  const run = async (file?: File): Promise<void> => {
    const worker = new Worker(scriptUrls.createScriptURL(''));
    const wanted = key.value.trim();
    const anchor = file === undefined ? kept.value?.anchor : undefined;
    const wantedKey = wanted === '' ? undefined : wanted;
    const task = { file, token: token.value, key: wantedKey, anchor, language: language.value };
    report.value = { progress: phrase('begins') };
    const found = await verifyIn(worker, task, (said) => {
      report.value = said;
    });
    report.value = found;
    worker.terminate();
    const isFine = 'result' in found && ['verified', 'consistent'].includes(found.result.status);
    if (!isFine || found.newest === undefined || 'wrong' in found.result) return;
    key.value = wanted || found.newest.key;
    keep({ key: key.value, anchor: found.newest.anchor, leaves: found.result.leaves, at: Date.now() });
    onVerified();
  };
  return (
    <Card title={phrase('verify')} id="verify">
      <p class="soft">{phrase('aboutVerify')}</p>
      <label for="key">{phrase('keyOfLog')}</label>
      <input
        id="key"
        class="mono"
        spellcheck={false}
        autocomplete="off"
        placeholder="npx passepartout evidence key"
        value={key.value}
        onInput={({ currentTarget }) => {
          key.value = currentTarget.value;
        }}
      />
      <div class="row">
        <Button label={phrase('verifyNow')} kind="primary" onPress={() => run()} />
      </div>
      <h3>{phrase('aFile')}</h3>
      <label for="evidence-file">{phrase('chooseFile')}</label>
      <input
        id="evidence-file"
        type="file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void attempt(() => run(file));
        }}
      />
      <div role="status">
        <Result report={report.value} />
      </div>
      {kept.value !== undefined && (
        <p class="soft">
          {phrase('keeps')(kept.value.leaves, clock(kept.value.at))}{' '}
          <button
            type="button"
            class="plain"
            onClick={() => {
              keep(undefined);
              key.value = '';
            }}
          >
            {phrase('forgetThem')}
          </button>
        </p>
      )}
    </Card>
  );
};

const readText = async (path: string): Promise<string> => {
  const response = await request(path);
  return response.ok ? response.text() : '';
};

/** Lines of a signed note: its origin, size and root, an empty line, and then who signed it. */
const signersOf = (note: string): readonly string[] =>
  note.split('\n').flatMap((line) => (line.startsWith('— ') ? [line.slice(2).split(' ')[0] ?? ''] : []));

export const EvidencePage = () => {
  const standing = useSignal<LogStanding | undefined>(undefined);
  const note = useSignal('');
  const serverKey = useSignal('');
  const load = async (): Promise<void> => {
    standing.value = await get<LogStanding>('/api/log');
    if (standing.value.size === 0) return;
    note.value = await readText('/api/log/checkpoint');
    serverKey.value = (await readText('/api/log/key')).split('\n')[0] ?? '';
  };
  useEffect(() => void attempt(load), []);
  const { leaves = 0, size = 0, isWaiting, problem } = standing.value ?? {};
  const signers = signersOf(note.value);
  return (
    <div class="columns">
      <div>
        <Verify onVerified={() => void attempt(load)} />
      </div>
      <div>
        <Card title={phrase('theLog')} id="log">
          {problem !== undefined && (
            <p class="problem" lang="en">
              {problem}
            </p>
          )}
          {standing.value === undefined ? (
            <p class="empty">{failure.value === '' ? phrase('asking') : ''}</p>
          ) : (
            <Facts
              rows={(
                [
                  [phrase('leaves'), phrase('leavesSigned')(leaves, size)],
                  [phrase('waiting'), isWaiting === true ? phrase('noLeafYet') : phrase('nothing')],
                  [phrase('signedBy'), signers.join(', ') || phrase('nobodyYet')],
                  [phrase('root'), note.value.split('\n')[2] ?? ''],
                  [phrase('key'), serverKey.value],
                ] as const
              ).filter(([, value]) => value !== '')}
            />
          )}
          <Marked kind="text soft" source={phrase('keepOutside')} />
          <div class="row">
            <Button label={phrase('askAgain')} onPress={load} />
          </div>
        </Card>
      </div>
    </div>
  );
};

/**
 * The evidence log, and its proof: the verifier runs in a worker of this browser, over the log of
 * this server or a file. The key and the newest checkpoint of a verified log stay in this browser,
 * so that the next time shows whether anything was cut off or written anew since.
 */
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LogStanding } from '../../../../log/source.ts';
import { Button, Card, clock, countOf, duration, Facts, Lines } from './parts.tsx';
import { attempt, get, request, token } from './server.ts';
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
    loss: 'The key and the checkpoint that this browser kept were damaged and are gone: verify the log again, with a key that you know.',
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

const HEADLINES: Readonly<Record<string, readonly [word: string, kind: string, text: string]>> = {
  verified: [
    'verified',
    'done',
    'Every hash, proof and signature agrees, with the key above and with what this browser keeps.',
  ],
  consistent: [
    'consistent',
    'waiting',
    'All of it agrees with itself. Without a key that you know, whoever made it could have forged all of it.',
  ],
  incomplete: ['incomplete', 'waiting', 'What is there agrees, and a part is missing.'],
  older: ['older', 'waiting', 'It is older than the kept checkpoint. What is there agrees.'],
  withheld: ['withheld', 'waiting', 'What is shown agrees, and an action is not shown.'],
  cut: ['cut off', 'failed', 'The file ends too early.'],
  wrong: ['WRONG', 'failed', 'Something was changed or forged.'],
};

const linesOf = (report: Report): readonly string[] => {
  if ('receipt' in report) {
    const { receipt, lines } = report;
    return 'wrong' in receipt ? [describeWrong(receipt.wrong)] : lines;
  }
  if (!('result' in report)) return [];
  const { result, problems, tookMs } = report;
  if ('wrong' in result) return [describeWrong(result.wrong)];
  const { leaves, checkpoints, records, root, newestAt, missing, mayBeOlder } = result;
  return [
    ...missing,
    ...problems,
    `${countOf(leaves, 'leaf', 'leaves')}, ${countOf(checkpoints, 'checkpoint')} and ${countOf(records, 'record')}, checked in ${duration(tookMs)}.`,
    `Root ${root}${newestAt === 0 ? '' : `, newest leaf of ${clock(newestAt)}`}.`,
    ...(mayBeOlder
      ? ['Its newest leaf is more than an hour older than the time that it claims: it may be an old copy.']
      : []),
  ];
};

const describeWrong = ({
  kind,
  id,
  index,
  what,
}: {
  kind: string;
  id: string;
  index: number | null;
  what: string;
}): string => `${kind} ${id}${index === null ? '' : ` (leaf ${index})`}: ${what}`;

const statusOf = (report: Report): string | undefined => {
  if ('receipt' in report) return report.receipt.status;
  return 'result' in report ? report.result.status : undefined;
};

const Result = ({ report }: { readonly report: Report | undefined }) => {
  if (report === undefined) return null;
  if ('progress' in report) return <p class="soft">{report.progress} …</p>;
  if ('failed' in report) return <p class="problem">{report.failed}</p>;
  const [word, kind, text] = HEADLINES[statusOf(report) ?? ''] ?? ['', '', ''];
  return (
    <>
      <p>
        <span class={`badge ${kind}`}>{word}</span> {text}
      </p>
      <Lines lines={linesOf(report)} />
    </>
  );
};

const verifyIn = (worker: Worker, task: Task, show: (report: Report) => void): Promise<Report> =>
  new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      show(data);
      if (!('progress' in data)) resolve(data);
    };
    worker.onerror = () => resolve({ failed: 'The verifier could not be loaded.' });
    worker.postMessage(task);
  });

const Verify = ({ onVerified }: { readonly onVerified: () => void }) => {
  const report = useSignal<Report | undefined>(undefined);
  const key = useSignal(kept.value?.key ?? '');
  const run = async (file?: File): Promise<void> => {
    const worker = new Worker(scriptUrls.createScriptURL(''));
    const wanted = key.value.trim();
    const anchor = file === undefined ? kept.value?.anchor : undefined;
    const task = { file, token: token.value, key: wanted === '' ? undefined : wanted, anchor };
    report.value = { progress: 'begins' };
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
    <Card title="Verify" id="verify">
      <p class="soft">
        This browser computes every hash again and checks every proof and signature. The page goes on meanwhile.
      </p>
      <label for="key">Key of the log, as you know it (optional)</label>
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
        <Button label="Verify now" kind="primary" onPress={() => run()} />
      </div>
      <h3>A file</h3>
      <label for="evidence-file">
        An export or a receipt, also of another stack if its key stands above: choose it, or drop it here
      </label>
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
          This browser keeps the key, and the checkpoint of {countOf(kept.value.leaves, 'leaf', 'leaves')} from{' '}
          {clock(kept.value.at)}: nothing before it can be cut off or written anew unseen.{' '}
          <button
            type="button"
            class="plain"
            onClick={() => {
              keep(undefined);
              key.value = '';
            }}
          >
            Forget them
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
        <Card title="The log" id="log">
          {problem !== undefined && <p class="problem">{problem}</p>}
          <Facts
            rows={(
              [
                ['Leaves', `${leaves}, of which ${size} are signed`],
                ['Waiting', isWaiting === true ? 'something was done that has no leaf yet' : 'nothing'],
                ['Signed by', signers.join(', ') || 'nobody yet'],
                ['Root', note.value.split('\n')[2] ?? ''],
                ['Key', serverKey.value],
              ] as const
            ).filter(([, value]) => value !== '')}
          />
          <p class="soft">
            Keep the key and a checkpoint outside this machine: <code>npx passepartout evidence checkpoint</code>.
          </p>
          <div class="row">
            <Button label="Ask again" onPress={load} />
          </div>
        </Card>
      </div>
    </div>
  );
};

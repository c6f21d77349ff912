/**
 * Builds each function's bundle as the deployment does. Measures the bytes that are loaded before
 * its first line runs (the goal), the bytes of everything, and the processor time a fresh process
 * takes to import it. The comparison is a handler that imports nothing but the AWS clients and
 * commands the function uses (Reason also `openai`), bundled as anybody would. A note gives the
 * same comparison with our short credential chain. Processes alternate; values are medians.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildBundle, DEPLOYED } from '../../infra/build-function.ts';
import { BUNDLE_OPTIONS, ROOT } from '../../infra/bundling.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/core/store/settings.ts';
import { measureBundle } from '../support/measure-bundle.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import type { Row } from './report.ts';

const PROCESSES = 7;
const IMPORT_RATIO_MAX = 1.5;
const KB_MAX = 420;
const KB_MAX_OF = new Map<FunctionName, number>([
  ['act', 500],
  ['reason', 1000],
]);
const run = promisify(execFile);

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-dynamodb': [
    'DynamoDBClient',
    'BatchGetItemCommand',
    'GetItemCommand',
    'PutItemCommand',
    'QueryCommand',
    'TransactWriteItemsCommand',
    'UpdateItemCommand',
  ],
  '@aws-sdk/client-sqs': ['SQSClient', 'SendMessageCommand', 'ChangeMessageVisibilityCommand'],
  '@aws-sdk/client-secrets-manager': ['SecretsManagerClient', 'GetSecretValueCommand'],
};

/**
 * What every function needs to be importable: the union of what the template gives them, with
 * addresses nobody answers.
 */
const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  SPACE: 'default',
  TABLE_NAME: 'bench',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  RUNNER_ROLE_ARN: 'arn:aws:iam::000000000000:role/bench',
  ...Object.fromEntries(
    [
      'PERCEIVE_QUEUE_URL',
      'REASON_QUEUE_URL',
      'ACT_QUEUE_URL',
      'LOG_QUEUE_URL',
      'QUEUE_URL',
      'DLQ_URL',
      'RUNNER_QUEUE_URLS',
    ].map((name) => [name, `http://127.0.0.1:9/000000000000/${name}.fifo`]),
  ),
};

/** Which AWS clients are in what is loaded at the start. */
const clientsOf = (inputs: readonly string[]): readonly string[] =>
  Object.keys(COMMANDS).filter((client) => inputs.some((path) => path.includes(`node_modules/${client}/`)));

/** Bundles a handler that only imports into one file, as anybody would. */
const bundleBaseline = async (
  contents: string,
  outdir: string,
  alias: Readonly<Record<string, string>>,
): Promise<string> => {
  await build({
    ...DEPLOYED,
    splitting: false,
    stdin: { contents, resolveDir: ROOT },
    entryNames: 'index',
    outdir,
    alias: { ...alias },
    logLevel: 'silent',
  });
  return join(outdir, 'index.mjs');
};

const baselineSource = (clients: readonly string[], name: FunctionName): string => {
  const lines = clients.map((client) => `export { ${COMMANDS[client]?.join(', ')} } from '${client}';`);
  const openai = name === 'reason' ? ["export { default as OpenAI } from 'openai';"] : [];
  return [...lines, ...openai, 'export const handler = async () => ({});'].join('\n');
};

const importMs = async (file: string): Promise<number> => {
  const program = `const at = process.cpuUsage(); const { handler } = await import(${JSON.stringify(pathToFileURL(file).href)}); const { user, system } = process.cpuUsage(at); if (typeof handler !== 'function') process.exit(1); console.log((user + system) / 1000); process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { env: ENVIRONMENT });
  return Number(stdout);
};

interface Measured {
  readonly name: FunctionName;
  /** Loaded at the start. */
  readonly kb: number;
  /** With all that may be loaded later. */
  readonly allKb: number;
  readonly baseKb: number;
  readonly ms: number;
  readonly baseMs: number;
  /** With the SDK's own credential chain. */
  readonly plainKb: number;
  readonly plainMs: number;
}

const kilobytes = (file: string): number => statSync(file).size / 1024;

const measureFunction = async (name: FunctionName, folder: string): Promise<Measured> => {
  const folderOf = (kind: string): string => join(folder, name, kind);
  mkdirSync(folderOf('own'), { recursive: true });
  const built = measureBundle(buildBundle(name, folderOf('own')));
  const own = join(folderOf('own'), 'index.mjs');
  const source = baselineSource(clientsOf(built.startInputs), name);
  const base = await bundleBaseline(source, folderOf('base'), BUNDLE_OPTIONS.alias);
  const plain = await bundleBaseline(source, folderOf('plain'), {});
  const times = { own: [] as number[], base: [] as number[], plain: [] as number[] };
  for (let n = 0; n < PROCESSES; n += 1) {
    times.own.push(await importMs(own));
    times.base.push(await importMs(base));
    times.plain.push(await importMs(plain));
  }
  const median = (values: readonly number[]): number => quantile(values, 0.5);
  return {
    name,
    kb: built.startBytes / 1024,
    allKb: built.allBytes / 1024,
    baseKb: kilobytes(base),
    plainKb: kilobytes(plain),
    ms: median(times.own),
    baseMs: median(times.base),
    plainMs: median(times.plain),
  };
};

const rowsOf = ({ name, kb, allKb, baseKb, plainKb, ms, baseMs, plainMs }: Measured): readonly Row[] => {
  const group =
    'functions: minified bundle, and processor time of its import in a fresh process (against only the clients it needs)';
  const kbGoal = { is: '≤', value: KB_MAX_OF.get(name) ?? KB_MAX } as const;
  return [
    { group, name: `${name}: loaded at the start`, value: kb, unit: 'KB', goal: kbGoal },
    { group, name: `${name}: and what may be loaded later`, value: allKb, unit: 'KB' },
    {
      group,
      name: `${name}: loaded at the start ÷ clients`,
      value: kb / plainKb,
      unit: '×',
      note: `clients ${plainKb.toFixed(0)} KB; with our short credential chain ${baseKb.toFixed(0)} KB, ${(kb / baseKb).toFixed(2)} ×`,
    },
    {
      group,
      name: `${name}: import ÷ clients`,
      value: ms / plainMs,
      unit: '×',
      goal: { is: '≤', value: IMPORT_RATIO_MAX },
      note: `${ms.toFixed(0)} ms, clients ${plainMs.toFixed(0)} ms; with our short credential chain ${baseMs.toFixed(0)} ms, ${(ms / baseMs).toFixed(2)} ×`,
    },
  ];
};

export const measureBundles: Measure = async (context) => {
  const folder = join(context.scratch, 'bundles');
  mkdirSync(folder, { recursive: true });
  // Bundles are ES modules wherever they lie.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // What the runtime brings on Lambda is found here; a bundle that asks for it at once pays for it
  // at once, as there.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const rows: Row[] = [];
  // The reader of documents has no clients to compare with; `measure-documents.ts` measures it.
  for (const name of FUNCTION_NAMES.filter((one) => one !== 'document')) {
    context.progress(`bundles: ${name}`);
    rows.push(...rowsOf(await measureFunction(name, folder)));
  }
  return rows;
};

/**
 * `npm start`: the whole system on this machine, without a key, an account or a container. Without
 * a terminal it serves. It stops on SIGTERM, SIGINT or SIGHUP, and when its parent ends. Exit
 * codes: 0 stopped; 2 the configuration, Node or data folder does not fit; 1 any other failure.
 */
// npm checks this before; a service may start this file itself.
import '../check-install.js';
import { existsSync, readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { defined } from '../../lib/core/base/defined.ts';
import { PassepartoutError } from '../../lib/core/base/errors.ts';
import { isLoopback } from '../../lib/core/store/setting-forms.ts';
import { isSecretName } from '../../lib/core/store/settings.ts';
import type { Connection } from '../channel-program.ts';
import { openSpeech } from '../cli/speech.ts';
import { CHANNEL_PROGRAMS } from '../features.ts';
import { inspect } from '../inspect.ts';
import type { Endpoint, Inspection } from '../inspection.ts';
import { placeIn } from '../reachability.ts';
import { checkNames } from '../spelling.ts';
import type { RunningStack } from './beside.ts';
import { chooseModel, type ModelChoice } from './choose-model.ts';
import { describeFileProblem, doorInput, findOpenDoors, keepTokens, openFolder } from './data-folder.ts';
import { BESIDE } from './features.ts';
import { loadTalk } from './load-talk.ts';
import { type LocalSettings, parseLocalSettings, type Variables } from './settings.ts';
import { type LocalStack, startStack } from './stack.ts';

/** A person means the clock of their own machine. `Etc/…` names no place, as in a container. */
const machineZone = (): Variables => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone.startsWith('Etc/') ? {} : { TIME_ZONE: zone };
};

const readSettings = (folder: string): LocalSettings => {
  const file = join(folder, '.env');
  const fromFile: Variables = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const set = Object.entries(process.env).filter(([, value]) => value !== undefined && value !== '');
  const { remarks, problems } = checkNames(Object.keys(fromFile), Object.keys(process.env));
  for (const remark of remarks) console.error(speech.say(remark));
  const place = placeIn(folder, process.env);
  for (const [name, value] of Object.entries(fromFile))
    if (value === '' && !process.env[name] && isSecretName(name)) console.error(speech.say(`${place(name)} is empty`));
  return parseLocalSettings({ ...machineZone(), ...fromFile, ...Object.fromEntries(set) }, problems);
};

/** Writes a line of the stack while a chat is open. */
let abovePrompt: ((line: string) => void) | undefined;
const say = (line: string): void => (abovePrompt ?? console.log)(speech.say(line));
const speech = await openSpeech(process.env);

interface Running {
  readonly stack: LocalStack;
  readonly approverToken: string;
  readonly model: string;
  /** Its name and how it is connected, for each channel. */
  readonly channels: readonly (readonly [string, string])[];
}

const startAll = async (settings: LocalSettings, cleanup: AsyncDisposableStack): Promise<Running> => {
  const dataDir = resolve(settings.dataDir);
  openFolder(dataDir);
  for (const sentence of findOpenDoors(doorInput(dataDir, resolve('.env')))) console.error(speech.say(sentence));
  const tokens = keepTokens(dataDir);
  const secrets = {
    APPROVER_TOKEN: settings.variables.APPROVER_TOKEN ?? tokens.approverToken,
    TELEGRAM_WEBHOOK_SECRET: settings.variables.TELEGRAM_WEBHOOK_SECRET ?? tokens.telegramWebhookSecret,
    LOG_SIGNING_KEY: settings.variables.LOG_SIGNING_KEY ?? tokens.logSigningKey,
    RUNNER_SIGNING_KEY: settings.variables.RUNNER_SIGNING_KEY ?? tokens.runnerSigningKey,
  };
  const { host, port, space, heartbeatIntervalSeconds, dynamodbEndpoint, isWireHttp } = settings;
  let chosen: ModelChoice | undefined;
  let started: Variables = {};
  let looking: Promise<Inspection | undefined> | undefined;
  const [publicHost] = Object.values(CHANNEL_PROGRAMS).flatMap((one) => one.publicHostOf(settings.variables) ?? []);
  const connections = new Map<string, Connection>();
  const chooseVariables = async (): Promise<Variables> => {
    chosen = await chooseModel(settings, say);
    cleanup.defer(chosen.close);
    const variables = { ...settings.variables, ...chosen.variables, ...secrets };
    started = variables;
    // The start takes longer than this look, which therefore costs no time.
    looking = inspect(variables, placeIn(process.cwd(), process.env), { isAsking: true }).catch(() => undefined);
    return variables;
  };
  const stack = await startStack({
    dataDir,
    host,
    port,
    space,
    heartbeatIntervalSeconds,
    environment: chooseVariables,
    say,
    problems: () => [...connections.values()].map(({ problem }) => problem()),
    isWireHttp,
    ...defined({ dynamodbEndpoint, publicHost }),
  });
  cleanup.defer(stack.stop);
  for (const [id, { connect }] of Object.entries(CHANNEL_PROGRAMS)) {
    const connection = await connect({
      variables: { ...settings.variables, ...secrets },
      stackUrl: stack.url,
      log: (line) => (abovePrompt ?? console.error)(line),
    });
    cleanup.defer(connection.stop);
    connections.set(id, connection);
  }
  const added = await stack.withAdded(started);
  const { PROVIDER_NAMES: names = '' } = added;
  // Providers that were added during an earlier run are asked now: this start did not know them.
  if (names !== (started.PROVIDER_NAMES ?? ''))
    looking = inspect(added, placeIn(process.cwd(), process.env), { isAsking: true }).catch(() => undefined);
  const inspection: Inspection = (await looking) ?? { providers: [], channels: {}, mcp: [], webhooks: [] };
  await stack.noteKeys(inspection);
  const description = names === (started.PROVIDER_NAMES ?? '') ? chosen?.description : names.replaceAll(',', ', then ');
  return {
    stack,
    approverToken: secrets.APPROVER_TOKEN,
    model: [description ?? '', ...inspection.providers.flatMap(describeTrouble)].join(NEXT_LINE),
    channels: [...connections].map(([id, { description }]) => [id, describeBot(description, inspection.channels[id])]),
  };
};

/** Below the words of the line before. */
const NEXT_LINE = '\n            ';

const describeTrouble = ({
  name,
  address,
  isReachable,
  isUnlisted,
  isAway,
  fault,
  detail,
}: Endpoint): readonly string[] => {
  if (isReachable && isUnlisted !== true) return [];
  if (isAway !== true || fault !== undefined) return [`${name}: ${detail}`];
  // This machine is reached without a network.
  const url = URL.parse(address);
  const network = url !== null && isLoopback(url) ? 'i' : 'is there a network? I';
  return [`${name}: ${detail} (${network}t is tried again by itself)`];
};

const describeBot = (connection: string, bot: Endpoint | undefined): string => {
  if (bot === undefined) return connection;
  return bot.isReachable ? `${bot.name}, ${connection}` : [connection, ...describeTrouble(bot)].join(NEXT_LINE);
};

/** Only a terminal is shown the token: other output is kept. Browsers never send a fragment. */
const sayAddress = (url: string, token: string, dataDir: string): string =>
  process.stdout.isTTY
    ? `${url}/#token=${token}`
    : `${url}/ (sign in with APPROVER_TOKEN, or the approverToken in ${join(dataDir, 'tokens.json')})`;

/** As `doctor` says it, in one line. A restored folder is stopped. */
const examineShortly = async ({ stack, approverToken }: Running) => {
  const { loadHealth } = await loadTalk();
  const health = await loadHealth({ url: stack.url, approverToken, speech }).catch(() => undefined);
  const reasons = health?.reasons ?? ['the console does not answer'];
  const silence = health === undefined ? reasons[0] : health.because;
  const more = reasons.length === 0 ? '' : `; wrong: ${reasons.length} (npx passepartout doctor)`;
  return {
    isStopped: health?.checks?.isStopped === true,
    line: `it can answer: ${silence === undefined ? 'yes' : `no, because ${silence}`}${more}`,
  };
};

const sayWhere = async (running: Running, dataDir: string): Promise<void> => {
  const { stack, approverToken, model, channels } = running;
  const { isStopped, line } = await examineShortly(running);
  const state = isStopped
    ? ' It is stopped: nothing is done until you type /resume, or run "npx passepartout resume".'
    : '';
  for (const note of stack.notes) say(note);
  const count = stack.takenUp.length;
  if (count > 0) say(count === 1 ? '1 message is taken up again.' : `${count} messages are taken up again.`);
  say(
    [
      `Passepartout is running.${state}`,
      `  console   ${sayAddress(stack.url, approverToken, dataDir)}`,
      `  webhooks  ${stack.url}/webhook/<source>`,
      `  health    ${stack.url}/health`,
      ...channels.map(([id, words]) => `  ${id.padEnd(9)} ${words}`),
      `  model     ${model}`,
      `  doctor    ${line}`,
      `  log       ${stack.logFile}`,
    ].join('\n'),
  );
};

const besideOf = ({ stack, approverToken }: Running): RunningStack => ({
  access: { url: stack.url, approverToken },
  say: (line) => (abovePrompt ?? console.error)(line),
});

const PARENT_CHECK_MS = 1000;

/** `npm` does not pass a SIGTERM on. A service, a child of the first process, waits for nobody. */
const waitForParentEnd = async (): Promise<void> => {
  const parent = process.ppid;
  for await (const _ of setInterval(PARENT_CHECK_MS, undefined, { ref: false })) if (process.ppid !== parent) return;
};

/** The stack goes on when nobody reads its output any more: `npm start | head` closes it. */
const outliveClosedOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};

/** Resolves with the first signal to stop. A second one ends the process at once. */
const waitForSignal = (): Promise<void> =>
  new Promise((done) => {
    let isFirst = true;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (!isFirst) process.exit(1);
        isFirst = false;
        done();
      });
    }
  });

/** Silence after which a person is told why the end takes a while: a model is asked just now. */
const STOPPING_AFTER_MS = 1000;
const STOPPING = 'Stopping: what runs has a few seconds. Ctrl-C ends it at once; no message is lost.';

const chat = async ({ stack, approverToken }: Running, dataDir: string): Promise<void> => {
  // Only with a terminal: cards and the words of all tools are behind it.
  const { runChat } = await import('../cli/chat/run-chat.ts');
  say('Type a message. Say: remember that my bike is blue · /help · /exit stops everything.');
  await runChat({
    access: { url: stack.url, approverToken, speech },
    input: process.stdin,
    output: process.stdout,
    env: process.env,
    dataFolder: resolve(dataDir),
    takenUp: stack.takenUp,
    onPrint: (print) => {
      abovePrompt = print;
    },
  });
};

const main = async (): Promise<void> => {
  const settings = readSettings(process.cwd());
  const cleanup = new AsyncDisposableStack();
  let isStopping = false;
  const stopped = Promise.race([waitForSignal(), waitForParentEnd()]).then(() => {
    isStopping = true;
  });
  try {
    const running = await startAll(settings, cleanup).catch((error: unknown) => {
      // Ctrl-C ends the child processes of a build too; that is no failure of the start.
      if (!isStopping) throw error;
    });
    if (running === undefined || isStopping) return;
    await sayWhere(running, settings.dataDir);
    // A stack may end without a chance to keep it.
    flushCompileCache();
    for (const start of BESIDE) {
      const end = await start(settings, besideOf(running));
      if (end !== undefined) cleanup.defer(end);
    }
    const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
    await Promise.race(isTerminal ? [stopped, chat(running, settings.dataDir)] : [stopped]);
  } finally {
    const telling = setTimeout(() => console.log(speech.say(STOPPING)), STOPPING_AFTER_MS);
    await cleanup.disposeAsync();
    clearTimeout(telling);
  }
};

// All files of the stack are its owner's alone: folders 700, files 600.
process.umask(0o077);
outliveClosedOutput();
try {
  await main();
  process.exit(0);
} catch (error) {
  const sentence = error instanceof PassepartoutError ? error.message : describeFileProblem(error);
  console.error(sentence === undefined ? error : speech.say(sentence));
  process.exit(sentence === undefined ? 1 : 2);
}

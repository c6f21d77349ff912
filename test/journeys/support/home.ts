/**
 * The clean folder in which a journey begins, as after `git clone` and `npm ci`: the product's
 * files by links, no data, and a `.env` only if the journey writes one. A line is run by a shell as
 * it was printed or documented; `npm start` is a process of its own. Around it stand a Bot API
 * server and a model server, whose addresses a person would get from Telegram and a provider.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../../../infra/bundling.ts';
import { type BotApiServer, startBotApiServer } from '../../support/bot-api-server.ts';
import { CHILD_ENV } from '../../support/child-env.ts';
import { type ModelServer, type Script, say, startModelServer, type Transcribe } from '../../support/model-server.ts';
import { runHere } from '../../support/run-here.ts';
import { TAKES_MORE } from '../../support/sample.ts';
import { openScreen, type Screen } from '../../support/screen.ts';
import { until } from '../../support/stack.ts';

const CLONED = ['functions', 'infra', 'lib', 'test', 'README.md', 'cdk.json', 'package.json', 'tsconfig.json'];
const BOT_TOKEN = '4242:AAjourneyJOURNEYjourneyJOURNEYjourn';

export interface Ran {
  readonly code: number | null;
  /** Both outputs, as a terminal shows them. */
  readonly out: string;
}

export interface Program {
  readonly child: ChildProcess;
  /** All it has printed, without control sequences. */
  readonly output: () => string;
  /** Types a line, with Enter. */
  readonly type: (line: string) => void;
  /** Waits until it has printed this; gives the whole output. */
  readonly prints: (what: string | RegExp) => Promise<string>;
  /** Presses Ctrl-C and waits for the end; gives the exit code. */
  readonly end: () => Promise<number | null>;
}

export interface Home {
  /** Where the person works. */
  readonly folder: string;
  readonly telegram: BotApiServer;
  readonly model: ModelServer;
  /** Appends lines to `.env`. */
  readonly set: (settings: Readonly<Record<string, string>>) => void;
  /** Settings of the model server, as those of a provider. */
  readonly modelSettings: Readonly<Record<string, string>>;
  /** Settings of the Bot API server, as those of a bot. */
  readonly telegramSettings: Readonly<Record<string, string>>;
  /**
   * Runs a line as it was printed. @param input is typed to it
   */
  readonly run: (line: string, input?: string) => Promise<Ran>;
  /** As `run`; fails with the output unless the exit code is 0. Gives the output. */
  readonly paste: (line: string, input?: string) => Promise<string>;
  /** Starts a line that goes on. `isTerminal` gives it one, as `script` of util-linux does. */
  readonly open: (line: string, isTerminal?: boolean) => Program;
  /** The same in a terminal, with the screen that a person sees. */
  readonly openScreen: (line: string, columns?: number) => Screen;
  /** `npm start`, until it is running. */
  readonly start: () => Promise<Program>;
  /** Address of the stack that runs. */
  readonly url: () => string;
  /** Ends all that still runs and removes the folder. */
  readonly close: () => Promise<void>;
}

const fits = (text: string, what: string | RegExp): boolean =>
  typeof what === 'string' ? text.includes(what) : what.test(text);

const CTRL_C = '\u0003';

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** A process group of its own, so that Ctrl-C reaches all of it, as in a terminal. */
const open = (line: string, folder: string, env: NodeJS.ProcessEnv, isTerminal: boolean): Program => {
  const [command, words] = isTerminal ? ['script', ['-qefc', line, '/dev/null']] : ['sh', ['-c', line]];
  const child = spawn(command, words, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  // A program may end before it has read what is typed to it.
  child.stdin.on('error', () => undefined);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += stripVTControlCharacters(chunk);
    });
  }
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  void ended.then(() => {
    hasEnded = true;
  });
  return {
    child,
    output: () => text,
    type: (typed) => void child.stdin.write(`${typed}\n`),
    prints: (what) =>
      until(`${line} prints ${what}; it printed:\n${text}`, () => {
        if (!fits(text, what) && hasEnded) throw new Error('it has ended');
        return fits(text, what) && text;
      }).catch(() => {
        throw new Error(`"${line}" did not print ${what}. It printed:\n${text}`);
      }),
    end: async () => {
      if (isRunning(child)) {
        if (isTerminal) child.stdin.write(CTRL_C);
        else process.kill(-(child.pid ?? 0), 'SIGINT');
      }
      return await ended;
    },
  };
};

/** What npx would start, which takes three times as long to find it as the program takes to run. */
const withoutNpx = (line: string): string =>
  line.replaceAll('npx passepartout', join(ROOT, 'infra', 'cli', 'passepartout.js'));

/** The command behind `npm start`, without the half second that npm takes. */
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const START = String(scripts.start).replace(/^node /, `exec ${process.execPath} `);

const WORD = /(?:'[^']*'|"[^"\\$`]*"|[^\s'"\\$`<>|&;*?~(){}[\]#!])+/;
const COMMAND = new RegExp(`^npx passepartout((?: +${WORD.source})*) *$`);

/** The words of a command that has nothing in it that only a shell understands. */
const wordsOf = (line: string): readonly string[] | undefined => {
  const [, words] = COMMAND.exec(line) ?? [];
  return words
    ?.match(new RegExp(WORD.source, 'g'))
    ?.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
};

/** Commands that look at the account's own folder: a process has that of the journey. */
const OF_THE_MACHINE = ['runner', 'service', 'mcp'];

/** @param script of the model server; "ok" unless given. @param transcribe what it hears */
export const openHome = async (script: Script = () => say('ok'), transcribe?: Transcribe): Promise<Home> => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-journey-'));
  for (const name of [...CLONED, 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  const [telegram, model] = await Promise.all([
    startBotApiServer({ token: BOT_TOKEN }),
    startModelServer(script, transcribe),
  ]);
  const env = {
    ...CHILD_ENV,
    HOME: folder,
    TERM: 'xterm',
    npm_config_update_notifier: 'false',
  };
  const programs: Program[] = [];
  const screens: Screen[] = [];
  let url = '';
  const set: Home['set'] = (settings) =>
    appendFileSync(
      join(folder, '.env'),
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
      { mode: 0o600 },
    );
  // Other stacks run beside it.
  set({ PORT: '0' });
  const openProgram: Home['open'] = (line, isTerminal = false) => {
    const program = open(line, folder, env, isTerminal);
    programs.push(program);
    return program;
  };
  const run: Home['run'] = async (line, input = '') => {
    // A process for each takes four times as long; `npm run test:all` starts them.
    const words = TAKES_MORE ? undefined : wordsOf(line);
    if (words !== undefined && !OF_THE_MACHINE.includes(words[0] ?? '')) {
      const { code, both } = await runHere({ words, input, env, folder });
      return { code, out: stripVTControlCharacters(both) };
    }
    const { child, output } = openProgram(withoutNpx(line));
    child.stdin?.end(input);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, out: output() };
  };
  return {
    folder,
    telegram,
    model,
    set,
    modelSettings: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-journey', OPENAI_MODEL: 'scripted' },
    telegramSettings: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_ROOT: telegram.root },
    run,
    paste: async (line, input) => {
      const { code, out } = await run(line, input);
      if (code !== 0) throw new Error(`"${line}" ended with ${code}:\n${out}`);
      return out;
    },
    open: openProgram,
    openScreen: (line, columns) => {
      const screen = openScreen(withoutNpx(line), { folder, env, columns });
      screens.push(screen);
      return screen;
    },
    start: async () => {
      const program = openProgram(TAKES_MORE ? 'npm start' : START);
      const output = await program.prints('  log ');
      url = /console +(http:\/\/[^/\s]+)/.exec(output)?.[1] ?? '';
      return program;
    },
    url: () => url,
    close: async () => {
      for (const screen of screens) await screen.end();
      for (const program of programs) if (isRunning(program.child)) await program.end();
      await Promise.all([telegram.close(), model.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

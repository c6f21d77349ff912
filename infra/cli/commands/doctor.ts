/**
 * `doctor`: whether the agent can answer, what is wrong, what to do. Exit 1: something is wrong.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJson } from '../../../lib/core/base/json.ts';
import { SECOND_MS } from '../../../lib/core/base/limits.ts';
import { VERSION } from '../../../lib/core/base/version.ts';
import { onReadersClock } from '../../../lib/core/channels/moments.ts';
import { isSecretName, SETTING_NAMES } from '../../../lib/core/store/settings.ts';
import type { Command, CommandContext } from '../command.ts';
import { type Examined, examine } from '../doctor/examine.ts';
import { findDataFolder, readVariables, type Variables } from '../stack.ts';
import { CliError, EXIT, type PaintWord, paintWith, printable, show, type Terminal } from '../terminal.ts';

/** A person watches it while something starts. */
const WATCH_MS = 10 * SECOND_MS;
/** Shorter texts of JSON are names and scopes. */
const SECRET_CHARS_MIN = 8;
/** The newest ones; who helps reads no more. */
const BUNDLE_LOG_LINES = 300;

interface Words extends Pick<Terminal, 'say'> {
  readonly paint: PaintWord;
}

const wordsOf = (terminal: Terminal): Words => ({ paint: paintWith(terminal), say: terminal.say });

const shown = ({ canAnswer, isOk, checks }: Examined) => ({
  canAnswer,
  isOk,
  checks: checks.map(({ name, isOk, detail, advice }) => ({ name, isOk, detail, advice })),
});

const linesOf = ({ head, checks }: Examined, { paint, say }: Words): readonly string[] => {
  const wordChars = say('wrong').length;
  return [
    head,
    ...checks.flatMap(({ name, isOk, detail, advice }) => {
      const word = isOk ? 'ok' : 'wrong';
      const line = `${paint(word, say(word).padEnd(wordChars))}  ${say(name).padEnd(11)}  ${onReadersClock(say(detail), Date.now())}`;
      return advice === '' ? [line] : [line, `${' '.repeat(wordChars + 15)}→ ${say(advice)}`];
    }),
  ];
};

/** Repeats until Ctrl-C, and prints only what is not as before. */
const watch = async (context: CommandContext): Promise<never> => {
  const { terminal, sleep } = context;
  for (let before = ''; ; await sleep(WATCH_MS)) {
    const lines = linesOf(await examine(context), wordsOf(terminal));
    if (lines.join() === before) continue;
    before = lines.join();
    for (const line of [new Date().toTimeString().slice(0, 8), ...lines, '']) terminal.line(line);
  }
};

/** All texts in a value that may be JSON: one setting may hold many tokens. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.length < SECRET_CHARS_MIN ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const secretsIn = (variables: Variables, dataFolder: string): readonly string[] => {
  const made = join(dataFolder, 'tokens.json');
  const set = Object.entries(variables).flatMap(([name, value = '']) => (isSecretName(name) ? [value] : []));
  return [...set, existsSync(made) ? readFileSync(made, 'utf8') : ''].flatMap((text) => [
    ...textsIn(text),
    ...textsIn(readJson(text)),
  ]);
};

/** As JSON, in which a secret stands as JSON writes it. */
const redact = (secrets: readonly string[], value: object): string =>
  secrets.reduce(
    (left, secret) => left.replaceAll(JSON.stringify(secret).slice(1, -1), '…'),
    JSON.stringify(value, null, 2),
  );

/** One file to send to somebody who helps. It names the settings that are set, and no value. */
const writeBundle = ({ env, folder }: CommandContext, file: string, examined: Examined): void => {
  const variables = readVariables(env, folder);
  const dataFolder = findDataFolder(variables, folder);
  const log = join(dataFolder, 'functions.log');
  const text = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-BUNDLE_LOG_LINES).join('\n') : '';
  const bundle = redact(secretsIn(variables, dataFolder), {
    at: new Date().toISOString(),
    release: VERSION,
    system: `${process.platform} ${process.arch}, Node ${process.version}`,
    ...shown(examined),
    settings: SETTING_NAMES.filter((name) => variables[name] !== undefined),
    log: text.split('\n'),
  });
  try {
    writeFileSync(resolve(folder, file), `${bundle}\n`, { flag: 'wx', mode: 0o600 });
  } catch {
    throw new CliError(EXIT.failed, `${printable(file)} is there already, or cannot be written`);
  }
};

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'say whether it can answer, check everything it needs, and say what to do',
  options: {
    fix: { type: 'boolean', help: 'do what does no harm, such as closing files to other accounts' },
    watch: { type: 'boolean', help: 'look again and again, and print what changes, until Ctrl-C' },
    bundle: {
      type: 'string',
      value: 'file',
      help: 'write it into a file to send, with the newest log lines; no secret',
    },
  },
  argCount: [0, 0],
  run: async (context) => {
    const { terminal, text, flag } = context;
    if (flag('watch')) return watch(context);
    let examined = await examine(context);
    if (flag('fix')) {
      for (const { fix } of examined.checks) if (fix !== undefined) terminal.remark(fix());
      examined = await examine(context);
    }
    const file = text('bundle');
    if (file !== undefined) writeBundle(context, file, examined);
    show(terminal, shown(examined), linesOf(examined, wordsOf(terminal)));
    if (file !== undefined) terminal.remark(`${printable(file)} is written. Read it before you send it.`);
    return examined.isOk ? EXIT.ok : EXIT.failed;
  },
};

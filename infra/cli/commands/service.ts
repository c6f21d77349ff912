/**
 * `service`: the stack, and each runner that is paired here, as services of this account that start
 * at its login: units for systemd on Linux, property lists for launchd on macOS. Prints them; with
 * --install writes them. Starts nothing.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command, CommandContext } from '../command.ts';
import { FEATURE_SERVICES } from '../features.ts';
import { CliError, causeOf, EXIT, printable, printableLines, show } from '../terminal.ts';

const INSTALLATION = resolve(import.meta.dirname, '..', '..', '..');
const START = ['--import', './infra/check-install.js', '--max-semi-space-size=8', '--heap-growing-percent=15'];

export interface Service {
  readonly name: string;
  readonly about: string;
  readonly program: readonly string[];
  /** `.env` is read there. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** @param folder holds the `.env` of the stack */
export type FindServices = (env: CommandContext['env'], folder: string, node: string) => readonly Service[];

/** The stack first. @param folder holds the `.env` of the stack */
export const servicesOf = (folder: string, node: string, ofFeatures: readonly Service[]): readonly Service[] => {
  const stack: Service = {
    name: 'passepartout',
    about: 'Passepartout',
    program: [
      node,
      ...START.map((word) => (word.startsWith('.//') ? join(INSTALLATION, word) : word)),
      join(INSTALLATION, 'infra', 'local', 'start.ts'),
    ],
    folder,
    variables: {},
  };
  return [stack, ...ofFeatures];
};

const unitValue = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
/** A word of a command line, where `$` would begin a variable. */
const unitWord = (word: string): string => unitValue(word.replaceAll('$', '$$$$'));

/** A wrong configuration (exit 2) is not started again and again. */
export const unitOf = ({ about, program, folder, variables }: Service): string => `[Unit]
Description=${about}
StartLimitIntervalSec=0

[Service]
WorkingDirectory=${folder.replaceAll('%', '%%')}
${Object.entries(variables)
  .map(([name, value]) => `Environment=${unitValue(`${name}=${value}`)}\n`)
  .join('')}ExecStart=${program.map(unitWord).join(' ')}
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=2
KillMode=mixed
TimeoutStopSec=30

[Install]
WantedBy=default.target
`;

const xml = (text: string): string =>
  `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;

export const plistOf = ({
  name,
  program,
  folder,
  variables,
}: Service): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${xml(name)}
  <key>ProgramArguments</key>
  <array>${program.map(xml).join('')}</array>
  <key>WorkingDirectory</key>${xml(folder)}
  <key>EnvironmentVariables</key>
  <dict>${Object.entries(variables)
    .map(([key, value]) => `<key>${key}</key>${xml(value)}`)
    .join('')}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict>
</plist>
`;

interface ServiceManager {
  readonly folder: readonly string[];
  readonly fileOf: (name: string) => string;
  readonly textOf: (service: Service) => string;
  readonly checker: readonly [string, ...string[]];
  /** Commands to type once the files are there. */
  readonly nextLines: (names: readonly string[]) => readonly string[];
}

const KINDS: Readonly<Record<string, ServiceManager>> = {
  linux: {
    folder: ['.config', 'systemd', 'user'],
    fileOf: (name) => `${name}.service`,
    textOf: unitOf,
    checker: ['systemd-analyze', 'verify', '--user'],
    nextLines: (names) => [
      `Start: systemctl --user daemon-reload && systemctl --user enable --now ${names.join(' ')}`,
      'Without a login too: loginctl enable-linger',
      `Look: systemctl --user status ${names[0]}; end: systemctl --user disable --now ${names.join(' ')}`,
    ],
  },
  darwin: {
    folder: ['Library', 'LaunchAgents'],
    fileOf: (name) => `${name}.plist`,
    textOf: plistOf,
    checker: ['plutil', '-lint', '-s'],
    nextLines: (names) => [
      ...names.map((name) => `Start: launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/${name}.plist`),
      ...names.map((name) => `End: launchctl bootout gui/$(id -u)/${name}`),
    ],
  },
};

/**
 * Asks the system's own program whether the files are right. @returns undefined if there is none
 * @throws CliError with its words
 */
export const checkFiles = (
  [program, ...words]: readonly [string, ...string[]],
  files: readonly { readonly file: string; readonly text: string }[],
  env: CommandContext['env'],
): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-service-'));
  try {
    const paths = files.map(({ file }) => join(folder, file));
    for (const [n, { text }] of files.entries()) writeFileSync(paths[n] ?? '', text);
    const options = { env: { XDG_RUNTIME_DIR: folder, ...env }, encoding: 'utf8' } as const;
    const { error, status, stdout, stderr } = spawnSync(program, [...words, ...paths], options);
    if (error !== undefined) return undefined;
    const said = `${stdout}${stderr}`.replaceAll(`${folder}/`, '').trim();
    if (status !== 0 || said !== '') throw new CliError(EXIT.failed, `${program} says: ${printableLines(said)}`);
    return `${program} finds nothing wrong with it.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const service: Command = {
  name: 'service',
  usage: '',
  summary: 'print what starts the stack, and a runner that is paired here, with this machine (systemd, launchd)',
  options: { install: { type: 'boolean', help: 'write the files; nothing is started' } },
  argCount: [0, 0],
  run: async ({ env, flag, folder, terminal }) => {
    const kind = KINDS[process.platform];
    if (kind === undefined) throw new CliError(EXIT.usage, 'services are made for systemd (Linux) and launchd (macOS)');
    const ofFeatures = FEATURE_SERVICES.flatMap((find) => find(env, folder, process.execPath));
    const services = servicesOf(folder, process.execPath, ofFeatures);
    const place = join(homedir(), ...kind.folder);
    const files = services.map((one) => ({
      file: kind.fileOf(one.name),
      path: join(place, kind.fileOf(one.name)),
      text: kind.textOf(one),
    }));
    const checked = checkFiles(kind.checker, files, env);
    const isInstalled = flag('install');
    try {
      if (isInstalled) mkdirSync(place, { recursive: true });
      if (isInstalled) for (const { path, text } of files) writeFileSync(path, text);
    } catch (error) {
      throw new CliError(EXIT.failed, `${printable(place)} cannot be written: ${causeOf(error)}`);
    }
    const shown = files.map(({ path, text }) => ({ path, text }));
    show(terminal, { isInstalled, files: shown }, [
      ...files.flatMap(({ path, text }) =>
        isInstalled ? [`${printable(path)} is written.`] : [`# ${printable(path)}`, printableLines(text)],
      ),
    ]);
    if (checked !== undefined) terminal.remark(checked);
    terminal.remark(`It reads ${printable(join(folder, '.env'))}, and no variable of this shell.`);
    const names = services.map(({ name }) => name);
    for (const line of isInstalled ? kind.nextLines(names) : ['Write it: npx passepartout service --install'])
      terminal.remark(line);
    return EXIT.ok;
  },
};

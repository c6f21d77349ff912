/** The files that start the stack with the machine, read as their systems read them. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checkFiles, plistOf, servicesOf, unitOf } from '../../infra/cli/commands/service.ts';
import { serviceOf } from '../../infra/runner/services.ts';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const VERIFY = ['systemd-analyze', 'verify', '--user'] as const;

const FOLDER = '/srv/50 % of "it" & <more>';
const [stack, runner] = servicesOf(FOLDER, process.execPath, [
  serviceOf('home', FOLDER, process.execPath, '/srv/my $runners'),
]);
if (stack === undefined || runner === undefined) throw new Error('there are two services');

describe('service', () => {
  it('runs the stack as "npm start" does, and each runner by its name', () => {
    expect(stack.program.slice(-1)[0]).toMatch(/\/infra\/local\/start\.ts$/);
    expect(runner.program.slice(-3)).toStrictEqual(['runner', 'start', 'home']);
    expect(unitOf(stack)).toContain('WorkingDirectory=/srv/50 %% of "it" & <more>\n');
    expect(unitOf(runner)).toContain('Environment="PASSEPARTOUT_RUNNER_DIR=/srv/my $runners"\n');
    expect(plistOf(stack)).toContain('<string>/srv/50 % of "it" &amp; &lt;more&gt;</string>');
  });

  it.runIf(hasSystemd)('makes units that systemd takes, and tells of one that it does not', () => {
    const files = [stack, runner].map((one) => ({ file: `${one.name}.service`, text: unitOf(one) }));
    expect(checkFiles(VERIFY, files, process.env)).toBe('systemd-analyze finds nothing wrong with it.');
    const wrong = { file: 'wrong.service', text: unitOf(stack).replace('Restart=on-failure', 'Restart=perhaps') };
    expect(() => checkFiles(VERIFY, [wrong], process.env)).toThrow(
      /systemd-analyze says: wrong\.service:\d+: .*perhaps/,
    );
  });

  it('needs no program that checks', () => {
    expect(checkFiles(['no-such-program'], [], process.env)).toBe(undefined);
  });
});
